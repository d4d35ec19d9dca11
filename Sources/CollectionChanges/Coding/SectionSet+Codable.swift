extension SectionSet: Codable {
    /// Writes the set as its runs, first and last member of each: `[[1,2],[4,4]]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for run in runs { try container.encode([run.lowerBound, run.upperBound]) }
    }

    /// Reads runs, any integers, in any order; what overlaps or touches becomes one run.
    ///
    /// - Throws: `DecodingError` where a run is not two numbers in order.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var ranges: [ClosedRange<Int>] = []
        while !container.isAtEnd {
            let run = try container.decode([Int].self)
            guard run.count == 2, run[0] <= run[1] else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "a run must be [first, last], but is \(run.prefix(3))"
                )
            }
            ranges.append(run[0]...run[1])
        }
        self.init(uniting: ranges)
    }
}
