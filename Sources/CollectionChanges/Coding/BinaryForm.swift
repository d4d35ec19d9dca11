// What all binary forms have in common: a byte for the version, a byte for the kind of value, and nothing
// after the value. A form that differs in any way has another version, and readers keep the old ones.

/// The kinds of values that have a binary form, each with its number.
enum BinaryForm: UInt8 {
    // 1, 3 and 4 were other forms.
    case shape = 2
    /// An update with its old shape.
    case update = 5
    /// An update for a reader who has the old shape.
    case updateAlone = 6

    static let version: UInt8 = 1

    /// Writes a whole form.
    func encode(reserving capacity: Int = 16, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter(reserving: capacity)
        writer.byte(Self.version)
        writer.byte(rawValue)
        body(&writer)
        return writer.bytes
    }

    /// Reads a whole form, to the last byte.
    func decode<Value>(
        _ bytes: RawSpan,
        _ body: (inout ByteReader) throws(BinaryDecodingError) -> Value
    ) throws(BinaryDecodingError) -> Value {
        try bytes.withUnsafeBytes { (bytes) throws(BinaryDecodingError) -> Value in
            var reader = ByteReader(bytes)
            try checkStart(&reader)
            let value = try body(&reader)
            guard reader.remaining == 0 else {
                throw BinaryDecodingError(
                    .trailingBytes,
                    at: reader.offset,
                    "the value must end with the bytes, but \(reader.remaining) more follow"
                )
            }
            return value
        }
    }

    private func checkStart(_ reader: inout ByteReader) throws(BinaryDecodingError) {
        let version = try reader.byte()
        guard version == Self.version else {
            throw BinaryDecodingError(
                .unknownVersion,
                at: 0,
                "the version must be \(Self.version), but is \(version)"
            )
        }
        let kind = try reader.byte()
        guard kind == rawValue else {
            throw BinaryDecodingError(
                .otherKind,
                at: 1,
                "the kind must be \(rawValue) (\(self)), but is \(kind)"
            )
        }
    }
}
