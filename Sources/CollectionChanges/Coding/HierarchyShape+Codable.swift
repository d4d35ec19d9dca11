extension HierarchyShape: Codable {
    /// Writes the shape as the array of its counts, such as `[3,0]`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(itemCounts)
    }

    /// Reads an array of counts, any integers; ``ShapeLimits`` judges them.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Int].self))
    }
}
