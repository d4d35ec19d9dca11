extension ValidatedChangeSet: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, from, to, edits, reconfigured, supplementaries, reloadData, empty
    }

    /// Encodes the update as an object that contains both shapes, and the edits in their order.
    ///
    /// ```json
    /// {"version": 1, "from": [3,1], "to": [2,5,1],
    ///  "edits": [{"removeItem": [0,2]}, {"insertSection": 1, "fresh": 5}],
    ///  "reconfigured": [{"from": [1,0], "to": [2,0]}],
    ///  "supplementaries": [{"kind": "header", "section": 0}]}
    /// ```
    ///
    /// Empty lists are omitted. For a `reloadData`, `"reloadData"` contains the animation option,
    /// and the edits, which comprise all sections, are omitted. `"empty": true` means that nothing
    /// was recorded. The binary form is a tenth as long.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(CodableVersion.current, forKey: .version)
        try container.encode(oldShape, forKey: .from)
        try container.encode(newShape, forKey: .to)
        if isReloadData {
            try container.encode(reloadDataAnimation, forKey: .reloadData)
            return
        }
        if isEmpty { try container.encode(true, forKey: .empty) }
        if !edits.isEmpty { try container.encode(Array(edits), forKey: .edits) }
        if !reconfigurations.isEmpty {
            try container.encode(reconfigurations, forKey: .reconfigured)
        }
        if !supplementaryReloads.isEmpty {
            try container.encode(supplementaryReloads, forKey: .supplementaries)
        }
    }

    /// Decodes and validates the object. Every decoded update is one that validation in the
    /// `standard` profile returns, within the default ``ShapeLimits``.
    ///
    /// - Throws: `DecodingError`; if validation rejects the update, `dataCorrupted` with the
    ///   ``HierarchyUpdateError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try CodableVersion.check(container, forKey: .version)
        let oldShape = try container.decode(HierarchyShape.self, forKey: .from)
        let newShape = try container.decode(HierarchyShape.self, forKey: .to)
        let option = try container.decodeIfPresent(AnimationOption.self, forKey: .reloadData)
        let isEmpty = try container.decodeIfPresent(Bool.self, forKey: .empty) ?? false
        let edits = try container.decodeIfPresent([HierarchyEdit].self, forKey: .edits) ?? []
        let reconfigured =
            try container.decodeIfPresent([ItemReconfiguration].self, forKey: .reconfigured) ?? []
        let supplementaries =
            try container.decodeIfPresent([SupplementaryReload].self, forKey: .supplementaries)
            ?? []
        do throws(HierarchyUpdateError) {
            if let option {
                let changes = HierarchyChangeSet([.reloadData(option)])
                self = try changes.validated(from: oldShape, to: newShape)
            } else {
                self = try ValidatedChangeSet(
                    checking: edits,
                    reconfigured,
                    supplementaries,
                    isEmpty: isEmpty,
                    from: oldShape,
                    to: newShape
                )
            }
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: error.message,
                    // No operation was recorded, so the error cannot name one.
                    underlyingError: error.reported(at: nil)
                )
            )
        }
        let isWhole = option != nil || isEmpty
        if isWhole, !(edits.isEmpty && reconfigured.isEmpty && supplementaries.isEmpty) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "an update that reloads everything, or is empty, must list no edits"
                )
            )
        }
    }

    /// Creates an update from all its parts if they are exactly what validation would return.
    init(
        checking edits: [HierarchyEdit],
        _ reconfigurations: [ItemReconfiguration],
        _ supplementaryReloads: [SupplementaryReload],
        isEmpty: Bool,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape
    ) throws(HierarchyUpdateError) {
        let checked = try ValidatedChangeSet(checking: edits, from: oldShape, to: newShape)
        if isEmpty {
            self = checked
            return
        }
        var record = UpdateRecord(of: checked)
        record.listReconfigurations(reconfigurations)
        record.listSupplementaryReloads(supplementaryReloads)
        let update = try record.changes.validated(from: oldShape, to: newShape)
        guard update.reconfigurations == reconfigurations,
            update.supplementaryReloads == supplementaryReloads
        else {
            let summary = "the in-place updates are not those that validation returns"
            throw HierarchyUpdateError(
                .editMismatch,
                "\(summary): each must be listed once, in ascending order, with the right new place",
                hint:
                    "Items that are deleted or reloaded, themselves or with their section, are not"
                    + " updated in place",
                summary: summary
            )
            .between(oldShape, newShape)
        }
        self = update
    }
}

extension HierarchyEdit: Codable {
    // These names are part of the stable format and must not change, even if the Swift names do.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case removeItem, removeSection, insertSection, insertItem
        case role, with
        case newItemCount = "fresh"
        case animation

        static let runs: [CodingKeys] = [.removeItem, .removeSection, .insertSection, .insertItem]
    }

    /// Encodes the edit as an object that contains its kind, its place and all values that are not
    /// the default.
    ///
    /// ```json
    /// {"removeItem": [0,2]}
    /// {"removeItem": [0,2], "role": "move", "with": [1,0], "animation": 2}
    /// {"insertSection": 1, "fresh": 5}
    /// ```
    ///
    /// `role` is omitted for a removal that is a delete and for an insertion that is an insert,
    /// `with` (the associated place) if there is none, `fresh` if it is 0, and `animation` if it is
    /// 1 (automatic).
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
        if edit.newItemCount != 0 { try container.encode(edit.newItemCount, forKey: .newItemCount) }
        if edit.animation != .automatic { try container.encode(edit.animation, forKey: .animation) }
    }

    /// Decodes the object. The edit is unchecked; ``ValidatedChangeSet`` validates edits from
    /// external sources.
    ///
    /// - Throws: `DecodingError` if the object contains no edit, or several.
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
            animation: try container.decodeOption(forKey: .animation)
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
            newItemCount: try container.decodeIfPresent(Int.self, forKey: .newItemCount) ?? 0,
            animation: try container.decodeOption(forKey: .animation)
        )
    }
}
