// Counts are stored in runs, as in PackBits (Apple, 1985; TIFF 6.0). A control byte n below 128 is
// followed by n + 1 separate counts. A control byte n from 128 on is followed by one count, which n
// - 126 sections (2 to 129) have. A byte therefore never represents more than 65 sections.

extension HierarchyShape {
    /// Returns the shape as bytes: version, kind, number of sections, counts.
    ///
    /// A run of 2 to 129 neighbours with the same count takes one byte and the count. Other counts
    /// take one more byte for each group of up to 128. A count takes one to three bytes for up to
    /// two million items.
    ///
    /// Complexity: O(sections).
    public func encoded() -> [UInt8] { BinaryForm.shape.encode { $0.shape(self) } }

    /// Creates a shape from the bytes that ``encoded()`` returned.
    ///
    /// Memory: at most 516 bytes for each byte of `bytes`.
    ///
    /// - Throws: The first fault of the bytes; `rejected` if the shape exceeds `limits`.
    public init(
        decoding bytes: [UInt8],
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.shape.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> HierarchyShape in
            try reader.shape(limits)
        }
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
    /// Reads a shape within limits. All encodings of the shape are accepted.
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
                "a run must end within \(sections) sections, but has \(length) after \(counts.count)"
            )
        }
        if control < 128 {
            for _ in 0..<length { counts.append(try anyIndex()) }
        } else {
            counts.append(contentsOf: repeatElement(try anyIndex(), count: length))
        }
    }
}
