extension ItemReconfiguration: Codable {
    private enum CodingKeys: String, CodingKey { case from, to, animation }

    /// Writes `{"from": [0,1], "to": [0,2]}`, and `animation` where it is not 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(oldPath, forKey: .from)
        try container.encode(newPath, forKey: .to)
        if animation != .automatic { try container.encode(animation, forKey: .animation) }
    }

    /// Reads the object; nothing is checked.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            oldPath: try container.decode(ItemPath.self, forKey: .from),
            newPath: try container.decode(ItemPath.self, forKey: .to),
            animation: try container.decodeIfPresent(AnimationOption.self, forKey: .animation)
                ?? .automatic
        )
    }
}
