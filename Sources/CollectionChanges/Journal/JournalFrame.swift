// A record in a journal: 36 bytes of head, then the body. Integers are of fixed width, lowest byte first.
//
//   0  4  the marker "CPJ1", with the version of the format
//   4  1  kind: 1 for a base, 2 for an update
//   5  1  1 where a digest follows, else 0
//   6  2  zero
//   8  4  length of the body
//  12  8  sequence number
//  20  8  the last record that was durable when this one was written
//  28  4  checksum of the body
//  32  4  checksum of the 32 bytes before, and of the offset of the record as eight bytes
//
// The body: the digest, if there is one (16); the length of the value in base 128, and the value (a shape, or
// an update alone); all that is left is the application's payload. With its offset in the checksum, a record
// inside a payload, or one that a disk put elsewhere, is none.

/// One record as it lies in the storage.
package struct JournalFrame {
    package enum Kind: UInt8 {
        case base = 1
        case update = 2
    }

    static let marker: [UInt8] = [0x43, 0x50, 0x4A, 0x31]
    static let headLength = 36

    /// Far above any sensible record, and far below what a length can say.
    static let longestBody = 1 << 30

    package var kind: Kind
    package var sequence: UInt64
    package var durable: UInt64
    var digest: StateDigest?
    package var value: [UInt8]
    var payload: [UInt8]

    /// The record in bytes, or nil if it is too long.
    package func bytes(at offset: Int) -> [UInt8]? {
        var body = ByteWriter(reserving: value.count + payload.count + 24)
        if let digest { body.raw(digest.bytes) }
        body.index(value.count)
        body.raw(value)
        body.raw(payload)
        guard body.bytes.count <= Self.longestBody else { return nil }
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

    /// What a head says, once its checksum is right.
    struct Head {
        var kind: Kind
        var hasDigest: Bool
        var bodyLength: Int
        var sequence: UInt64
        var durable: UInt64
        var bodyChecksum: UInt32

        /// Reads 36 bytes; nil where they are no head.
        init?(_ bytes: ArraySlice<UInt8>, at offset: Int) {
            guard bytes.count == headLength, bytes.starts(with: marker),
                let parts = try? Self.parts(of: Array(bytes)),
                parts.checksum == checksum(ofHead: bytes, at: offset),
                parts.head.bodyLength <= longestBody
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

    /// The record of a head and a body; nil where the body is not the head's.
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
