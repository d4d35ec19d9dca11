extension ItemPath: Codable {
    /// Writes the path as `[section, item]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(section)
        try container.encode(item)
    }

    /// Reads `[section, item]`, any two integers.
    ///
    /// - Throws: `DecodingError` where there are not exactly two.
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
