extension HierarchyChangeSet: Codable {
    private enum CodingKeys: String, CodingKey { case version, operations }

    /// The version of the form. Later releases can read every version that a release has written.
    private static let codedVersion = 1

    /// Encodes the record as an object that contains its operations, oldest first.
    ///
    /// ```json
    /// {"version": 1, "operations": [
    ///  {"deleteItems": [[0,2],[0,5]]},
    ///  {"moveItem": [[0,1],[1,0]], "animation": 2},
    ///  {"insertSections": [[1,1]]}]}
    /// ```
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.codedVersion, forKey: .version)
        try container.encode(operations, forKey: .operations)
    }

    /// Decodes the object. The operations are not validated, as in recording.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.codedVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .version,
                in: container,
                debugDescription: "the version must be \(Self.codedVersion), but is \(version)"
            )
        }
        self.init(try container.decode([Operation].self, forKey: .operations))
    }
}

extension HierarchyChangeSet.Operation: Codable {
    // These names are part of the stable format and must not change, even if the Swift names do.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case deleteItems, insertItems, reloadItems, reconfigureItems, moveItem
        case deleteSections, insertSections, reloadSections, reconfigureSections, moveSection
        case reloadSupplementaries, reloadData
        case `in`, animation

        var isOperation: Bool { self != .in && self != .animation }
    }

    /// Encodes an object with the operation's name and its places.
    ///
    /// The places are an array of paths; an array of runs for sections; an array of the old and the
    /// new place for a move; and `true` for `reloadData`. For supplementary elements the value is
    /// the kind, and the sections are under `in`. `animation` is omitted if it is 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let animation: AnimationOption
        func write(
            _ value: some Encodable,
            _ key: CodingKeys,
            _ option: AnimationOption
        ) throws -> AnimationOption {
            try container.encode(value, forKey: key)
            return option
        }
        switch self {
        case .deleteItems(let paths, let option):
            animation = try write(paths, .deleteItems, option)
        case .insertItems(let paths, let option):
            animation = try write(paths, .insertItems, option)
        case .reloadItems(let paths, let option):
            animation = try write(paths, .reloadItems, option)
        case .reconfigureItems(let paths, let option):
            animation = try write(paths, .reconfigureItems, option)
        case .moveItem(let oldPath, let newPath, let option):
            animation = try write([oldPath, newPath], .moveItem, option)
        case .deleteSections(let sections, let option):
            animation = try write(sections, .deleteSections, option)
        case .insertSections(let sections, let option):
            animation = try write(sections, .insertSections, option)
        case .reloadSections(let sections, let option):
            animation = try write(sections, .reloadSections, option)
        case .reconfigureSections(let sections, let option):
            animation = try write(sections, .reconfigureSections, option)
        case .moveSection(let oldSection, let newSection, let option):
            animation = try write([oldSection, newSection], .moveSection, option)
        case .reloadSupplementaries(let kind, let sections, let option):
            animation = try write(kind, .reloadSupplementaries, option)
            try container.encode(sections, forKey: .in)
        case .reloadData(let option): animation = try write(true, .reloadData, option)
        }
        if animation != .automatic { try container.encode(animation, forKey: .animation) }
    }

    /// Decodes the object, which may contain any integers.
    ///
    /// - Throws: `DecodingError` if the object names no operation, or several.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let names = CodingKeys.allCases.filter { $0.isOperation && container.contains($0) }
        guard let name = names.first, names.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "an operation must have exactly one name, but has \(names.count)"
                )
            )
        }
        let animation =
            try container.decodeIfPresent(AnimationOption.self, forKey: .animation) ?? .automatic
        func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try container.decode(Value.self, forKey: name)
        }
        func readPair<Value: Decodable>() throws -> (Value, Value) {
            let pair = try read([Value].self)
            if pair.count == 2 { return (pair[0], pair[1]) }
            throw DecodingError.dataCorruptedError(
                forKey: name,
                in: container,
                debugDescription: "a move must have an old and a new place, but has \(pair.count)"
            )
        }
        switch name {
        case .deleteItems: self = .deleteItems(try read(), animation)
        case .insertItems: self = .insertItems(try read(), animation)
        case .reloadItems: self = .reloadItems(try read(), animation)
        case .reconfigureItems: self = .reconfigureItems(try read(), animation)
        case .moveItem:
            let (oldPath, newPath): (ItemPath, ItemPath) = try readPair()
            self = .moveItem(at: oldPath, to: newPath, animation)
        case .deleteSections: self = .deleteSections(try read(), animation)
        case .insertSections: self = .insertSections(try read(), animation)
        case .reloadSections: self = .reloadSections(try read(), animation)
        case .reconfigureSections: self = .reconfigureSections(try read(), animation)
        case .moveSection:
            let (oldSection, newSection): (Int, Int) = try readPair()
            self = .moveSection(oldSection, toSection: newSection, animation)
        case .reloadSupplementaries:
            let sections = try container.decode(SectionSet.self, forKey: .in)
            self = .reloadSupplementaries(try read(), in: sections, animation)
        default: self = .reloadData(animation)
        }
    }
}
