extension HierarchyEdit: Codable {
    // The names are part of the stable form, whatever becomes of those in the code.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case removeItem, removeSection, insertSection, insertItem
        case role, with, fresh, animation

        static let runs: [CodingKeys] = [.removeItem, .removeSection, .insertSection, .insertItem]
    }

    /// Writes the edit as an object: what it does with its place, and what is not the usual about it.
    ///
    /// ```json
    /// {"removeItem": [0,2]}
    /// {"removeItem": [0,2], "role": "move", "with": [1,0], "animation": 2}
    /// {"insertSection": 1, "fresh": 5}
    /// ```
    ///
    /// `role` is left out for deletes of what is removed and inserts of what is inserted, `with` (the
    /// associated place) where there is none, `fresh` where it is 0, `animation` where it is 1 (automatic).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .removeItem(let edit): try Self.write(edit, .removeItem, .delete, to: &container)
        case .removeSection(let edit): try Self.write(edit, .removeSection, .delete, to: &container)
        case .insertSection(let edit): try Self.write(edit, .insertSection, .insert, to: &container)
        case .insertItem(let edit): try Self.write(edit, .insertItem, .insert, to: &container)
        }
    }

    private static func write(
        _ edit: ItemEdit,
        _ key: CodingKeys,
        _ usualRole: EditRole,
        to container: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try container.encode(edit.path, forKey: key)
        if edit.role != usualRole { try container.encode(edit.role, forKey: .role) }
        try container.encodeIfPresent(edit.associatedWith, forKey: .with)
        if edit.animation != .automatic { try container.encode(edit.animation, forKey: .animation) }
    }

    private static func write(
        _ edit: SectionEdit,
        _ key: CodingKeys,
        _ usualRole: EditRole,
        to container: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try container.encode(edit.section, forKey: key)
        if edit.role != usualRole { try container.encode(edit.role, forKey: .role) }
        try container.encodeIfPresent(edit.associatedWith, forKey: .with)
        if edit.freshItemCount != 0 { try container.encode(edit.freshItemCount, forKey: .fresh) }
        if edit.animation != .automatic { try container.encode(edit.animation, forKey: .animation) }
    }

    /// Reads the object. Nothing is known of the edit then; ``ValidatedChangeSet`` checks edits from outside.
    ///
    /// - Throws: `DecodingError` where the object is of no edit, or of several.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let runs = CodingKeys.runs.filter(container.contains)
        guard let run = runs.first, runs.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "an edit must have exactly one of removeItem, removeSection,"
                        + " insertSection and insertItem, but has \(runs.count)"
                )
            )
        }
        switch run {
        case .removeItem: self = .removeItem(try Self.item(run, .delete, container))
        case .removeSection: self = .removeSection(try Self.section(run, .delete, container))
        case .insertSection: self = .insertSection(try Self.section(run, .insert, container))
        default: self = .insertItem(try Self.item(run, .insert, container))
        }
    }

    private static func item(
        _ key: CodingKeys,
        _ usualRole: EditRole,
        _ container: KeyedDecodingContainer<CodingKeys>
    ) throws -> ItemEdit {
        ItemEdit(
            path: try container.decode(ItemPath.self, forKey: key),
            role: try container.decodeIfPresent(EditRole.self, forKey: .role) ?? usualRole,
            associatedWith: try container.decodeIfPresent(ItemPath.self, forKey: .with),
            animation: try container.decodeIfPresent(AnimationOption.self, forKey: .animation)
                ?? .automatic
        )
    }

    private static func section(
        _ key: CodingKeys,
        _ usualRole: EditRole,
        _ container: KeyedDecodingContainer<CodingKeys>
    ) throws -> SectionEdit {
        SectionEdit(
            section: try container.decode(Int.self, forKey: key),
            role: try container.decodeIfPresent(EditRole.self, forKey: .role) ?? usualRole,
            associatedWith: try container.decodeIfPresent(Int.self, forKey: .with),
            freshItemCount: try container.decodeIfPresent(Int.self, forKey: .fresh) ?? 0,
            animation: try container.decodeIfPresent(AnimationOption.self, forKey: .animation)
                ?? .automatic
        )
    }
}
