/// An option is encoded as its number.
extension AnimationOption: Codable {}

extension ItemPath: Codable {
    /// Encodes the path as `[section, item]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(section)
        try container.encode(item)
    }

    /// Decodes `[section, item]`, which may be any two integers.
    ///
    /// - Throws: `DecodingError` if there are not exactly two.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let section = try container.decode(Int.self)
        self.init(section: section, item: try container.decode(Int.self))
        guard container.isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a path must be [section, item], but has more than two numbers"
            )
        }
    }
}

extension SectionSet: Codable {
    /// Encodes the set as an array of its runs, each with its first and last member:
    /// `[[1,2],[4,4]]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for run in runs { try container.encode([run.lowerBound, run.upperBound]) }
    }

    /// Decodes runs of any integers in any order. Runs that overlap or touch are united.
    ///
    /// - Throws: `DecodingError` if a run does not consist of two numbers in ascending order.
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

/// A kind is encoded as its name.
extension SupplementaryKind: Codable {}

extension HierarchyShape: Codable {
    /// Encodes the shape as the array of its counts, such as `[3,0]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(itemCounts)
    }

    /// Decodes an array of counts, which may be any integers; ``ShapeLimits`` checks them.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Int].self))
    }
}
