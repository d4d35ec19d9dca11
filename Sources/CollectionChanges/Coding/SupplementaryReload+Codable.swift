extension SupplementaryReload: Codable {
    private enum CodingKeys: String, CodingKey { case kind, section, animation }

    /// Writes `{"kind": "header", "section": 1}`, and `animation` where it is not 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(newSection, forKey: .section)
        if animation != .automatic { try container.encode(animation, forKey: .animation) }
    }

    /// Reads the object; nothing is checked.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try container.decode(SupplementaryKind.self, forKey: .kind),
            newSection: try container.decode(Int.self, forKey: .section),
            animation: try container.decodeIfPresent(AnimationOption.self, forKey: .animation)
                ?? .automatic
        )
    }
}
