extension HierarchyChangeSet: Codable {
    private enum CodingKeys: String, CodingKey { case version, operations }

    /// Writes the record as an object with its operations, oldest first.
    ///
    /// ```json
    /// {"version": 1, "operations": [
    ///  {"deleteItems": [[0,2],[0,5]]},
    ///  {"moveItem": [[0,1],[1,0]], "animation": 2},
    ///  {"insertSections": [[1,1]]}]}
    /// ```
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(CodableVersion.current, forKey: .version)
        try container.encode(operations, forKey: .operations)
    }

    /// Reads the object. Nothing is validated, as nothing is while recording.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try CodableVersion.check(container, forKey: .version)
        self.init(try container.decode([Operation].self, forKey: .operations))
    }
}
