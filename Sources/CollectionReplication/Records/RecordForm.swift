import CollectionChanges

// What all bytes of a replicated log have in common: the marker "CPR", a byte that says what they are, the value, and at
// the end the hash of everything before it, with the key that the members share.

/// What bytes on a broker are, each with the byte that says so.
enum RecordForm: UInt8 {
    case record = 1
    case snapshot = 2
    case head = 3
    case lease = 4
    case request = 5

    private static let marker: [UInt8] = [0x43, 0x50, 0x52]

    /// Writes a whole form, and tells its hash.
    func encode(
        key: StableHashKey,
        reserving capacity: Int = 128,
        _ body: (inout ByteWriter) -> Void
    ) -> (bytes: [UInt8], hash: StateDigest) {
        var writer = ByteWriter(reserving: capacity)
        writer.raw(Self.marker)
        writer.byte(rawValue)
        body(&writer)
        let hash = Self.hash(of: writer.bytes[...], key)
        writer.digest(hash)
        return (writer.bytes, hash)
    }

    /// Reads a whole form, to the last byte, once its hash is right.
    func decode<Value>(
        _ bytes: [UInt8],
        key: StableHashKey,
        _ body: (inout ByteReader) throws(BinaryDecodingError) -> Value
    ) throws(BinaryDecodingError) -> (value: Value, hash: StateDigest) {
        let end = bytes.count - 16
        guard end >= Self.marker.count + 1, bytes.starts(with: Self.marker), bytes[3] == rawValue
        else {
            throw BinaryDecodingError(
                .otherKind,
                at: 0,
                "the bytes must be a \(self), but are none"
            )
        }
        let hash = Self.hash(of: bytes[..<end], key)
        return try bytes.span.bytes.withUnsafeBytes { (raw) throws(BinaryDecodingError) in
            var tail = ByteReader(UnsafeRawBufferPointer(rebasing: raw[end...]))
            guard try tail.digest() == hash else {
                throw BinaryDecodingError(
                    .unknownValue,
                    at: end,
                    "the hash of a \(self) must be \(hash), but is another"
                )
            }
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: raw[4..<end]))
            let value = try body(&reader)
            guard reader.remaining == 0 else {
                throw BinaryDecodingError(
                    .trailingBytes,
                    at: end - reader.remaining,
                    "a \(self) must end with its hash, but \(reader.remaining) bytes come before"
                )
            }
            return (value, hash)
        }
    }

    private static func hash(of bytes: ArraySlice<UInt8>, _ key: StableHashKey) -> StateDigest {
        var hasher = StableHasher(key: key)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finish()
    }
}

extension ByteWriter {
    mutating func digest(_ digest: StateDigest) {
        fixed(digest.low)
        fixed(digest.high)
    }
}

extension ByteReader {
    mutating func digest() throws(BinaryDecodingError) -> StateDigest {
        let low = try fixed(UInt64.self)
        return StateDigest(low: low, high: try fixed(UInt64.self))
    }
}
