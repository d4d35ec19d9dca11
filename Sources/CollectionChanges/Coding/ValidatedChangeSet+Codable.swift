extension ValidatedChangeSet: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, from, to, edits, reconfigured, supplementaries, reloadData, empty
    }

    /// Writes the update as an object: both shapes, and the edits in their order.
    ///
    /// ```json
    /// {"version": 1, "from": [3,1], "to": [2,5,1],
    ///  "edits": [{"removeItem": [0,2]}, {"insertSection": 1, "fresh": 5}],
    ///  "reconfigured": [{"from": [1,0], "to": [2,0]}],
    ///  "supplementaries": [{"kind": "header", "section": 0}]}
    /// ```
    ///
    /// Lists that are empty are left out. Where everything is reloaded `"reloadData"` has the animation
    /// option, and the edits, which are all sections, are left out. `"empty": true` says that nothing was
    /// recorded. The binary form is a tenth as long.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(CodableVersion.current, forKey: .version)
        try container.encode(oldShape, forKey: .from)
        try container.encode(newShape, forKey: .to)
        if isReloadData {
            let option = sectionRemovals.first ?? sectionInsertions.first
            try container.encode(option?.animation ?? .automatic, forKey: .reloadData)
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

    /// Reads the object, and validates what it says: nothing comes through that validation in the `standard`
    /// profile would not give, within the usual ``ShapeLimits``.
    ///
    /// - Throws: `DecodingError`; where validation rejects the update, `dataCorrupted` with the
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
                    // No operation was recorded, so none can be named.
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
                        "an update that reloads everything, or nothing, must list no edits"
                )
            )
        }
    }

    /// Makes an update from all that one has, if it is exactly what validation would give.
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
            let summary = "the in-place updates are not those that validation gives"
            throw HierarchyUpdateError(
                .editMismatch,
                "\(summary): each must be listed once, ascending by new place, and where it goes",
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
