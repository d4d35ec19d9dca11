// The binary layout of a journal record: a head of 36 bytes, then the body. Integers have a fixed
// width and are little-endian.
//
// offset  size  content
//      0     4  the marker "CPJ1", which includes the version of the format
//      4     1  kind: 1 for a base, 2 for an update
//      5     1  1 if a digest follows, otherwise 0
//      6     2  zero
//      8     4  length of the body
//     12     8  sequence number
//     20     8  the last record that was durable when this one was written
//     28     4  checksum of the body
//     32     4  checksum of the previous 32 bytes, and of the record's offset as eight bytes
//
// The body consists of the digest, if there is one (16 bytes); the length of the value in base 128;
// the value (a shape, or an update without its shape); and the application's payload. The head's
// checksum includes the offset, so a record inside a payload, or one that a disk wrote at another
// place, is not valid.

/// A journal record as it is stored.
package struct JournalFrame {
    package enum Kind: UInt8 {
        case base = 1
        case update = 2
    }

    static let marker: [UInt8] = [0x43, 0x50, 0x4A, 0x31]
    static let headLength = 36

    /// The maximum length of a body: far above any reasonable record, and far below the maximum of
    /// the length field.
    static let maximumBodyLength = 1 << 30

    package var kind: Kind
    package var sequence: UInt64
    package var durable: UInt64
    var digest: StateDigest?
    package var value: [UInt8]
    var payload: [UInt8]

    /// Returns the record as bytes, or `nil` if it is too long.
    package func bytes(at offset: Int) -> [UInt8]? {
        var body = ByteWriter(reserving: value.count + payload.count + 24)
        if let digest { body.raw(digest.bytes) }
        body.index(value.count)
        body.raw(value)
        body.raw(payload)
        guard body.bytes.count <= Self.maximumBodyLength else { return nil }
        var writer = ByteWriter(reserving: Self.headLength + body.bytes.count)
        writer.raw(Self.marker)
        writer.byte(kind.rawValue)
        writer.byte(digest == nil ? 0 : 1)
        writer.fixed(UInt16(0))
        writer.fixed(UInt32(body.bytes.count))
        writer.fixed(sequence)
        writer.fixed(durable)
        writer.fixed(Checksum.of(body.bytes))
        writer.fixed(Self.checksum(ofHead: writer.bytes[...], at: offset))
        writer.raw(body.bytes)
        return writer.bytes
    }

    static func checksum(ofHead head: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        var place = ByteWriter()
        place.fixed(UInt64(offset))
        var checksum = Checksum()
        checksum.add(head.prefix(32))
        checksum.add(place.bytes[...])
        return checksum.value
    }

    /// The head of a record whose checksum is correct.
    struct Head {
        var kind: Kind
        var hasDigest: Bool
        var bodyLength: Int
        var sequence: UInt64
        var durable: UInt64
        var bodyChecksum: UInt32

        /// Creates a head from 36 bytes, or returns `nil` if they are not a valid head.
        init?(_ bytes: ArraySlice<UInt8>, at offset: Int) {
            guard bytes.count == headLength, bytes.starts(with: marker),
                let parts = try? Self.parts(of: Array(bytes)),
                parts.checksum == checksum(ofHead: bytes, at: offset),
                parts.head.bodyLength <= maximumBodyLength
            else { return nil }
            self = parts.head
        }

        private init(
            _ kind: Kind,
            _ hasDigest: Bool,
            from reader: inout ByteReader
        ) throws(BinaryDecodingError) {
            self.kind = kind
            self.hasDigest = hasDigest
            _ = try reader.fixed(UInt16.self)
            bodyLength = Int(try reader.fixed(UInt32.self))
            sequence = try reader.fixed(UInt64.self)
            durable = try reader.fixed(UInt64.self)
            bodyChecksum = try reader.fixed(UInt32.self)
        }

        private static func parts(
            of bytes: [UInt8]
        ) throws(BinaryDecodingError) -> (head: Head, checksum: UInt32) {
            try bytes.span.bytes.withUnsafeBytes { (raw) throws(BinaryDecodingError) in
                var reader = ByteReader(raw)
                _ = try reader.fixed(UInt32.self)
                let (kind, flags) = (Kind(rawValue: try reader.byte()), try reader.byte())
                guard let kind, flags <= 1 else {
                    throw BinaryDecodingError(
                        .unknownValue,
                        at: 4,
                        "a record must be of a known kind"
                    )
                }
                let head = try Head(kind, flags == 1, from: &reader)
                return (head, try reader.fixed(UInt32.self))
            }
        }
    }

    package init(
        kind: Kind,
        sequence: UInt64,
        durable: UInt64,
        digest: StateDigest? = nil,
        value: [UInt8],
        payload: [UInt8] = []
    ) {
        self.kind = kind
        self.sequence = sequence
        self.durable = durable
        self.digest = digest
        self.value = value
        self.payload = payload
    }

    /// Creates a record from a head and a body, or returns `nil` if the body does not match the
    /// head.
    init?(_ head: Head, body: [UInt8]) {
        guard Checksum.of(body) == head.bodyChecksum else { return nil }
        let parts = try? body.span.bytes.withUnsafeBytes {
            (raw) throws(BinaryDecodingError) -> (StateDigest?, [UInt8], [UInt8]) in
            var reader = ByteReader(raw)
            var digest: StateDigest?
            if head.hasDigest {
                let low = try reader.fixed(UInt64.self)
                digest = StateDigest(low: low, high: try reader.fixed(UInt64.self))
            }
            let value = try reader.raw(try reader.count(of: "bytes of a value"))
            return (digest, value, try reader.raw(reader.remaining))
        }
        guard let parts else { return nil }
        self.init(
            kind: head.kind,
            sequence: head.sequence,
            durable: head.durable,
            digest: parts.0,
            value: parts.1,
            payload: parts.2
        )
    }
}

/// CRC-32C: a checksum of 32 bits that detects every burst of up to 32 flipped bits, and any other
/// damage except with a probability of 2⁻³².
///
/// Source: Castagnoli, Braeuer and Herrmann (1993), as in iSCSI (RFC 3720): the reflected
/// polynomial 82F63B78, all ones at the start and inverted at the end; computed with a table for
/// one byte.
struct Checksum {
    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8
            }
        }
        self.state = state
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = Checksum()
        checksum.add(bytes[...])
        return checksum.value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
        return value
    }
}
