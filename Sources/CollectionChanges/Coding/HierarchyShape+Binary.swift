// Counts in runs, as PackBits has them (Apple, 1985; TIFF 6.0): a byte below 128 is followed by one more
// count than it says, each its own; one from 128 on by a single count that 2 to 129 sections have. So a
// byte never stands for more than 65 sections, whatever it claims.

extension HierarchyShape {
    /// The shape in bytes: version, kind, number of sections, counts.
    ///
    /// Neighbours of equal count take two bytes for up to 129 of them, others one to three each for up to
    /// two million items, and a 128th.
    ///
    /// Complexity: O(sections).
    public func encoded() -> [UInt8] { BinaryForm.shape.encode { $0.shape(self) } }

    /// Reads what ``encoded()`` wrote.
    ///
    /// Memory: at most 516 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes; `rejected` where the shape is beyond `limits`.
    public init(
        decoding bytes: RawSpan,
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.shape.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> HierarchyShape in
            try reader.shape(limits)
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// Memory: at most 516 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes; `rejected` where the shape is beyond `limits`.
    public init(
        decoding bytes: [UInt8],
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes, limits: limits)
    }
}

extension ByteWriter {
    mutating func shape(_ shape: HierarchyShape) {
        let counts = shape.itemCounts
        index(counts.count)
        var position = 0
        var literalStart = 0
        while position < counts.count {
            var end = position + 1
            while end < counts.count, end - position < 129, counts[end] == counts[position] {
                end += 1
            }
            if end - position >= 2 {
                literals(counts[literalStart..<position])
                byte(UInt8(end - position - 2 + 128))
                index(counts[position])
                literalStart = end
            }
            position = end
        }
        literals(counts[literalStart...])
    }

    private mutating func literals(_ counts: ArraySlice<Int>) {
        var rest = counts
        while !rest.isEmpty {
            let part = rest.prefix(128)
            byte(UInt8(part.count - 1))
            for count in part { index(count) }
            rest = rest.dropFirst(128)
        }
    }
}

extension ByteReader {
    /// A shape within limits. Of several ways to write it any is good.
    mutating func shape(_ limits: ShapeLimits) throws(BinaryDecodingError) -> HierarchyShape {
        let start = offset
        let sections = try index()
        guard sections <= max(0, limits.sections) else {
            let error = HierarchyUpdateError(
                .tooManySections,
                "the number of sections must be at most \(limits.sections), but is \(sections)"
            )
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        guard sections / 65 <= remaining else {
            throw BinaryDecodingError(
                .countBeyondBytes,
                at: start,
                "\(sections) sections are announced, but \(remaining) bytes follow"
            )
        }
        var counts: [Int] = []
        counts.reserveCapacity(sections)
        while counts.count < sections { try countRun(into: &counts, upTo: sections) }
        let shape = HierarchyShape(counts)
        do {
            try limits.check(shape)
        } catch {
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        return shape
    }

    private mutating func countRun(
        into counts: inout [Int],
        upTo sections: Int
    ) throws(BinaryDecodingError) {
        let start = offset
        let control = Int(try byte())
        let length = control < 128 ? control + 1 : control - 128 + 2
        guard length <= sections - counts.count else {
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "a run must end with the \(sections) sections, but has \(length) after \(counts.count)"
            )
        }
        if control < 128 {
            for _ in 0..<length { counts.append(try anyIndex()) }
        } else {
            counts.append(contentsOf: repeatElement(try anyIndex(), count: length))
        }
    }
}
