import CollectionPipeline

/// The JSON that is printed for a scenario: its examination in the format of the vectors' `result`.
struct ScenarioResult {
    let json: JSONValue

    /// Makes the result of a scenario that contains a call for which this library has no
    /// equivalent.
    init(unsupported probe: Scenario.Probe) { json = ["unsupported": .string(probe.rawValue)] }

    init(_ examination: Examination) {
        switch examination.verdict {
        case .accepted(let acceptance): json = Self.json(acceptance)
        case .rejected(let error):
            json =
                examination.profile == .texture ? Self.textureJSON(error) : Self.json(error)
        }
    }

    // MARK: Faults

    /// Returns the error with its place, as far as the library knows it.
    private static func json(_ error: HierarchyUpdateError) -> JSONValue {
        [
            "valid": .bool(false), "code": .string(error.code.rawValue),
            "error": .string(error.message),
            "opIndex": error.operationIndex.map(JSONValue.integer),
            "path": error.path.map(JSONValue.path),
            "section": error.section.map(JSONValue.integer),
        ]
    }

    /// Returns the error with Texture's exception, and the stage at which Texture throws it.
    private static func textureJSON(_ error: HierarchyUpdateError) -> JSONValue {
        let stage = TextureStage(of: error.code)
        let operation = stage == .build ? error.operationIndex : nil
        return [
            "valid": .bool(false), "code": .string(error.code.rawValue),
            "error": .string(error.message), "exception": stage.map { .string($0.exception) },
            "stage": stage.map { .string($0.name) },
            "opIndex": operation.map(JSONValue.integer),
        ]
    }

    // MARK: Acceptance

    private static func json(_ acceptance: Examination.Acceptance) -> JSONValue {
        let update = acceptance.update
        let mappings = MappingTables(update)
        return [
            "valid": .bool(true), "error": .null, "empty": .bool(update.isEmpty),
            "deleteSections": .array(update.sectionRemovalGroups.map(group)),
            "deleteItems": .array(update.itemRemovalGroups.map(group)),
            "insertSections": .array(update.sectionInsertionGroups.map(group)),
            "insertItems": .array(update.itemInsertionGroups.map(group)),
            // Texture does not have these two, nor the last two.
            "moveSections": list(
                update.sectionInsertions.filter { $0.role == .move }.map {
                    let source = $0.associatedWith.map(JSONValue.integer)
                    return link(source, .integer($0.section), $0.animation)
                }
            ),
            "moveItems": list(
                update.itemInsertions.filter { $0.role == .move }.map {
                    link($0.associatedWith.map(JSONValue.path), .path($0.path), $0.animation)
                }
            ),
            "sectionMapping": mappings.sections,
            "reverseSectionMapping": mappings.reverseSections,
            "itemMapping": mappings.items, "reverseItemMapping": mappings.reverseItems,
            "asks": .strings(acceptance.contentRequests),
            "sections": .strings(acceptance.sections),
            "map": .array(acceptance.map.map(JSONValue.strings)),
            "reconfigureItems": list(
                update.reconfigurations.map {
                    link(.path($0.oldPath), .path($0.newPath), $0.animation)
                }
            ),
            "reloadSupplementaries": list(
                update.supplementaryReloads.map {
                    [
                        "kind": .string($0.kind.rawValue), "section": .integer($0.newSection),
                        "anim": .animation($0.animation),
                    ]
                }
            ),
        ]
    }

    /// Returns an array, or `nil` if it is empty.
    private static func list(_ elements: [JSONValue]) -> JSONValue? {
        elements.isEmpty ? nil : .array(elements)
    }

    private static func link(
        _ from: JSONValue?,
        _ to: JSONValue,
        _ animation: AnimationOption
    ) -> JSONValue {
        ["from": from ?? .null, "to": to, "anim": .animation(animation)]
    }

    // The edits of a group have the same animation, and a group is never empty.

    /// Texture keeps a set of indexes, so these ascend in whatever order the edits are applied.
    private static func group(_ edits: ArraySlice<SectionEdit>) -> JSONValue {
        [
            "indexes": .integers(edits.map(\.section).sorted()),
            "anim": .animation(edits[edits.startIndex].animation),
        ]
    }

    private static func group(_ edits: ArraySlice<ItemEdit>) -> JSONValue {
        [
            "paths": .array(edits.map { .path($0.path) }),
            "anim": .animation(edits[edits.startIndex].animation),
        ]
    }
}

/// The complete index mappings of a change set, as in the vectors: −1 for an index without a
/// counterpart, and `null` for a whole mapping if everything is reloaded.
///
/// The item mappings stay within a section: an item that moves to another section has −1.
struct MappingTables {
    private(set) var sections = JSONValue.null
    private(set) var reverseSections = JSONValue.null
    private(set) var items = JSONValue.null
    private(set) var reverseItems = JSONValue.null

    init(_ update: ValidatedChangeSet) {
        guard !update.isReloadData else { return }
        let (old, new) = (update.oldShape.itemCounts, update.newShape.itemCounts)
        sections = .integers(old.indices.map { update.newSection(for: $0) ?? -1 })
        reverseSections = .integers(new.indices.map { update.oldSection(for: $0) ?? -1 })
        items = Self.rows(old, otherSection: update.newSection, otherPath: update.newPath)
        reverseItems = Self.rows(new, otherSection: update.oldSection, otherPath: update.oldPath)
    }

    private static func rows(
        _ counts: [Int],
        otherSection: (Int) -> Int?,
        otherPath: (ItemPath) -> ItemPath?
    ) -> JSONValue {
        .array(
            counts.enumerated().map { section, count in
                let associatedWith = otherSection(section)
                return .integers(
                    (0..<count).map { item in
                        let path = otherPath(ItemPath(section: section, item: item))
                        return path.flatMap { $0.section == associatedWith ? $0.item : nil } ?? -1
                    }
                )
            }
        )
    }
}
