/// Takes the parts of a value from bytes that may be anything.
///
/// Every call either moves on or throws; none traps, and none reserves memory for what the bytes only claim.
/// Valid while the bytes are, so it never leaves the call that made it.
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
                    "an integer must be in the fewest bytes, but ends in an empty one"
                )
            }
            break
        }
        offset = position
        return value
    }

    /// A count or index: no integer below zero.
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

    /// Any integer, as ``ByteWriter/index(_:)`` wrote it.
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

    /// How many elements follow, each of which takes one byte or more.
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

    /// The sum of an index and of how far the next one is beyond it.
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
            "an index must be at most \(Int.max), but is beyond it"
        )
    }

    @inline(never)
    private func truncated(_ what: String) -> BinaryDecodingError {
        BinaryDecodingError(.truncated, at: bytes.count, "expected \(what), but the bytes end")
    }
}
