import CollectionChanges

// The frame of everything that a member stores on a broker: the marker "CPR", a byte for the kind,
// the value, and the hash of all preceding bytes with the key that the members share.

/// A kind of value that is stored on a broker, with the byte that identifies it.
enum RecordFrame: UInt8 {
    case record = 1
    case snapshot = 2
    case head = 3
    case lease = 4
    case request = 5

    private static let marker: [UInt8] = [0x43, 0x50, 0x52]

    /// Encodes a value in its frame, and returns the bytes and their hash.
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

    /// Checks the hash, then decodes the value, which must end right before the hash.
    func decode<Value>(
        _ bytes: [UInt8],
        key: StableHashKey,
        _ body: (inout ByteReader) throws(BinaryDecodingError) -> Value
    ) throws(BinaryDecodingError) -> (value: Value, hash: StateDigest) {
        let end = bytes.count - 16
        guard end >= Self.marker.count + 1, bytes.starts(with: Self.marker), bytes[3] == rawValue
        else {
            throw BinaryDecodingError(
                .typeMismatch,
                at: 0,
                "expected a \(self), found other bytes"
            )
        }
        let hash = Self.hash(of: bytes[..<end], key)
        return try bytes.span.bytes.withUnsafeBytes { (raw) throws(BinaryDecodingError) in
            var tail = ByteReader(UnsafeRawBufferPointer(rebasing: raw[end...]))
            guard try tail.digest() == hash else {
                throw BinaryDecodingError(
                    .unknownValue,
                    at: end,
                    "expected the hash \(hash) of a \(self), found another"
                )
            }
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: raw[4..<end]))
            let value = try body(&reader)
            guard reader.remaining == 0 else {
                throw BinaryDecodingError(
                    .trailingBytes,
                    at: end - reader.remaining,
                    "expected the hash of a \(self), found \(reader.remaining) more bytes before it"
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
