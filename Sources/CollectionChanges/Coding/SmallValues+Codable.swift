/// The version of the keyed forms. Later releases can read every version that a release has
/// written.
package enum CodableVersion {
    package static let current = 1

    /// Reads the version and throws if it is not supported.
    package static func check<Key: CodingKey>(
        _ container: KeyedDecodingContainer<Key>,
        forKey key: Key
    ) throws {
        let version = try container.decode(Int.self, forKey: key)
        guard version == current else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "the version must be \(current), but is \(version)"
            )
        }
    }
}

/// An option is encoded as its number.
extension AnimationOption: Codable {}

extension KeyedDecodingContainer {
    /// Decodes an option, which is omitted if it is automatic.
    func decodeOption(forKey key: Key) throws -> AnimationOption {
        try decodeIfPresent(AnimationOption.self, forKey: key) ?? .automatic
    }
}

/// A role is encoded as its name: `delete`, `insert`, `reload` or `move`.
extension EditRole: Codable {
    /// Encodes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Decodes the name.
    ///
    /// - Throws: `DecodingError` if the name is not one of the four.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        let roles: [EditRole] = [.delete, .insert, .reload, .move]
        guard let role = roles.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a role must be delete, insert, reload or move, but is \(name)"
            )
        }
        self = role
    }

    private var name: String {
        switch self {
        case .delete: "delete"
        case .insert: "insert"
        case .reload: "reload"
        case .move: "move"
        }
    }
}

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

extension ItemReconfiguration: Codable {
    private enum CodingKeys: String, CodingKey { case from, to, animation }

    /// Encodes `{"from": [0,1], "to": [0,2]}`, and `animation` if it is not 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(oldPath, forKey: .from)
        try container.encode(newPath, forKey: .to)
        if animation != .automatic { try container.encode(animation, forKey: .animation) }
    }

    /// Decodes the object without validating it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            oldPath: try container.decode(ItemPath.self, forKey: .from),
            newPath: try container.decode(ItemPath.self, forKey: .to),
            animation: try container.decodeOption(forKey: .animation)
        )
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

extension SupplementaryReload: Codable {
    private enum CodingKeys: String, CodingKey { case kind, section, animation }

    /// Encodes `{"kind": "header", "section": 1}`, and `animation` if it is not 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(newSection, forKey: .section)
        if animation != .automatic { try container.encode(animation, forKey: .animation) }
    }

    /// Decodes the object without validating it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try container.decode(SupplementaryKind.self, forKey: .kind),
            newSection: try container.decode(Int.self, forKey: .section),
            animation: try container.decodeOption(forKey: .animation)
        )
    }
}

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
