// All binary forms have a common layout: one byte for the version, one byte for the kind of value,
// then the value and nothing after it. A form with a different layout gets another version, and
// readers keep support for the old versions.

/// The kinds of values that have a binary form, each with its number.
enum BinaryForm: UInt8 {
    // 1, 3 and 4 were used by earlier forms.
    case shape = 2
    /// An update with its old shape.
    case update = 5
    /// An update for a reader that has the old shape.
    case updateWithoutShape = 6

    static let version: UInt8 = 1

    /// Returns a complete form.
    func encode(reserving capacity: Int = 16, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter(reserving: capacity)
        writer.byte(Self.version)
        writer.byte(rawValue)
        body(&writer)
        return writer.bytes
    }

    /// Reads a complete form, up to the last byte.
    func decode<Value>(
        _ bytes: [UInt8],
        _ body: (inout ByteReader) throws(BinaryDecodingError) -> Value
    ) throws(BinaryDecodingError) -> Value {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(BinaryDecodingError) -> Value in
            var reader = ByteReader(bytes)
            try checkStart(&reader)
            let value = try body(&reader)
            guard reader.remaining == 0 else {
                throw BinaryDecodingError(
                    .trailingBytes,
                    at: reader.offset,
                    "the bytes must end with the value, but \(reader.remaining) more follow"
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
                .typeMismatch,
                at: 1,
                "the kind must be \(rawValue) (\(self)), but is \(kind)"
            )
        }
    }
}

// The primitives of the binary form: bytes, integers in base 128 (LEB128, as in DWARF), signed
// integers with the sign in the lowest bit (zigzag, as in Protocol Buffers), integers of fixed
// width in little-endian order, and text as its length followed by UTF-8.

/// A writer that appends the parts of a value to an array of bytes.
package struct ByteWriter {
    package private(set) var bytes: [UInt8]

    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Writes an integer in base 128: one byte for values below 128, ten for the largest.
    package mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a count or index. A negative value, which occurs only in unchecked values, takes ten
    /// bytes.
    package mutating func index(_ value: Int) { unsigned(UInt64(bitPattern: Int64(value))) }

    /// Writes a signed integer: one byte from -64 to 63, ten for the extreme values.
    package mutating func signed(_ value: Int) {
        let wide = Int64(value)
        unsigned(UInt64(bitPattern: (wide << 1) ^ (wide >> 63)))
    }

    /// Writes the difference between two integers, with wrap-around on overflow.
    package mutating func step(from last: Int, to value: Int) { signed(value &- last) }

    package mutating func text(_ value: String) {
        unsigned(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    package mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// A reader that parses the parts of a value from untrusted bytes.
///
/// Every call either advances or throws. No call traps, and none reserves memory for an unverified
/// count. The reader is valid only while the bytes are, so it never leaves the call that created
/// it.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    package mutating func byte() throws(BinaryDecodingError) -> UInt8 {
        guard offset < bytes.count else { throw truncated("a byte") }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func unsigned() throws(BinaryDecodingError) -> UInt64 {
        if offset < bytes.count, bytes[offset] < 0x80 {
            defer { offset += 1 }
            return UInt64(bytes[offset])
        }
        return try longUnsigned()
    }

    private mutating func longUnsigned() throws(BinaryDecodingError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var position = offset
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < bytes.count else { throw truncated("the rest of an integer") }
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 {
                throw BinaryDecodingError(
                    .integerOverflow,
                    at: start,
                    "an integer must fit 64 bits, but has more"
                )
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte >= 0x80 { continue }
            if byte == 0 {
                throw BinaryDecodingError(
                    .overlongInteger,
                    at: start,
                    "an integer must use the fewest bytes, but ends with a zero byte"
                )
            }
            break
        }
        offset = position
        return value
    }

    /// Reads a count or index, which cannot be negative.
    package mutating func index() throws(BinaryDecodingError) -> Int {
        let start = offset
        let value = try unsigned()
        guard let index = Int(exactly: value) else {
            throw BinaryDecodingError(
                .integerOverflow,
                at: start,
                "an index must be at most \(Int.max), but \(value) was found"
            )
        }
        return index
    }

    /// Reads any integer that ``ByteWriter/index(_:)`` wrote.
    package mutating func anyIndex() throws(BinaryDecodingError) -> Int {
        Int(truncatingIfNeeded: try unsigned())
    }

    package mutating func signed() throws(BinaryDecodingError) -> Int {
        let value = try unsigned()
        return Int(truncatingIfNeeded: Int64(bitPattern: value >> 1) ^ -Int64(value & 1))
    }

    package mutating func step(from last: Int) throws(BinaryDecodingError) -> Int {
        last &+ (try signed())
    }

    /// Reads the number of elements that follow. Each element takes at least one byte.
    package mutating func count(of what: StaticString) throws(BinaryDecodingError) -> Int {
        let start = offset
        let value = try unsigned()
        guard value <= UInt64(remaining) else {
            throw BinaryDecodingError(
                .countBeyondBytes,
                at: start,
                "\(value) \(what) are announced, but only \(remaining) bytes follow"
            )
        }
        return Int(value)
    }

    /// Reads an index that is encoded as the gap after the previous index.
    package mutating func ascending(after last: Int?) throws(BinaryDecodingError) -> Int {
        let start = offset
        let gap = try index()
        guard let last else { return gap }
        let (sum, overflows) = last.addingReportingOverflow(gap)
        if overflows || sum == Int.max { throw overflow(at: start) }
        return sum + 1
    }

    package mutating func text() throws(BinaryDecodingError) -> String {
        let length = try count(of: "bytes of text")
        let start = offset
        let utf8 = bytes[offset..<(offset + length)]
        offset += length
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw BinaryDecodingError(.invalidText, at: start, "text must be UTF-8, but is not")
        }
        return text
    }

    package mutating func raw(_ count: Int) throws(BinaryDecodingError) -> [UInt8] {
        guard count <= remaining else { throw truncated("\(count) bytes") }
        defer { offset += count }
        return Array(bytes[offset..<(offset + count)])
    }

    package mutating func fixed<Value: FixedWidthInteger>(
        _ type: Value.Type
    ) throws(BinaryDecodingError) -> Value {
        let size = MemoryLayout<Value>.size
        guard size <= remaining else { throw truncated("\(size) bytes") }
        defer { offset += size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    // MARK: Faults

    func overflow(at start: Int) -> BinaryDecodingError {
        BinaryDecodingError(
            .integerOverflow,
            at: start,
            "an index must be at most \(Int.max), but is larger"
        )
    }

    @inline(never)
    private func truncated(_ what: String) -> BinaryDecodingError {
        BinaryDecodingError(.truncated, at: bytes.count, "expected \(what), but the bytes end")
    }
}
