import CollectionPipeline

/// The JSON that is printed for a scenario: its examination in the format of the vectors' `result`.
struct ScenarioResult {
    let json: JSONValue

    /// Makes the result of a scenario that contains a call for which this library has no
    /// equivalent.
    init(unsupported probe: Scenario.Probe) {
        json = .object([JSONValue.Member(key: "unsupported", value: .string(probe.rawValue))])
    }

    init(_ examination: Examination) {
        var fields = Fields()
        switch examination.verdict {
        case .accepted(let acceptance): fields.append(acceptance)
        case .rejected(let error):
            fields.append("valid", .bool(false))
            fields.append("code", .string(error.code.rawValue))
            fields.append("error", .string(error.message))
            if examination.profile == .texture {
                fields.appendStage(of: error)
            } else {
                fields.appendPlace(of: error)
            }
        }
        json = .object(fields.members)
    }
}

extension ScenarioResult {
    /// The members of the object, in the order in which they are printed.
    private struct Fields {
        var members: [JSONValue.Member] = []

        mutating func append(_ key: String, _ value: JSONValue) {
            members.append(JSONValue.Member(key: key, value: value))
        }

        // MARK: Faults

        /// Appends Texture's exception for the error, and the stage at which Texture throws it.
        mutating func appendStage(of error: HierarchyUpdateError) {
            guard let stage = TextureStage(of: error.code) else { return }
            append("exception", .string(stage.exception))
            append("stage", .string(stage.name))
            if stage == .build, let index = error.operationIndex {
                append("opIndex", .integer(index))
            }
        }

        /// Appends the place of the error, as far as the library knows it.
        mutating func appendPlace(of error: HierarchyUpdateError) {
            if let index = error.operationIndex { append("opIndex", .integer(index)) }
            if let path = error.path { append("path", .integers([path.section, path.item])) }
            if let section = error.section { append("section", .integer(section)) }
        }

        // MARK: Acceptance

        mutating func append(_ acceptance: Examination.Acceptance) {
            let update = acceptance.update
            append("valid", .bool(true))
            append("error", .null)
            append("empty", .bool(update.isEmpty))
            appendGroups(update)
            appendMoves(update)
            let mappings = MappingTables(update)
            append("sectionMapping", mappings.sections)
            append("reverseSectionMapping", mappings.reverseSections)
            append("itemMapping", mappings.items)
            append("reverseItemMapping", mappings.reverseItems)
            append("asks", .strings(acceptance.contentRequests))
            append("sections", .strings(acceptance.sections))
            append("map", .array(acceptance.map.map(JSONValue.strings)))
            appendInPlaceUpdates(update)
        }

        private mutating func appendGroups(_ update: ValidatedChangeSet) {
            append("deleteSections", .array(update.sectionRemovalGroups.map(Self.group)))
            append("deleteItems", .array(update.itemRemovalGroups.map(Self.group)))
            append("insertSections", .array(update.sectionInsertionGroups.map(Self.group)))
            append("insertItems", .array(update.itemInsertionGroups.map(Self.group)))
        }

        // The edits of a group have the same animation, and a group is never empty.

        /// Texture keeps a set of indexes, so these ascend in whatever order the edits are applied.
        private static func group(_ edits: ArraySlice<SectionEdit>) -> JSONValue {
            group(
                "indexes",
                .integers(edits.map(\.section).sorted()),
                edits[edits.startIndex].animation
            )
        }

        private static func group(_ edits: ArraySlice<ItemEdit>) -> JSONValue {
            group(
                "paths",
                .array(edits.map { Self.path($0.path) }),
                edits[edits.startIndex].animation
            )
        }

        private static func group(
            _ key: String,
            _ value: JSONValue,
            _ animation: AnimationOption
        ) -> JSONValue {
            .object([
                JSONValue.Member(key: key, value: value),
                JSONValue.Member(key: "anim", value: .integer(animation.rawValue)),
            ])
        }

        private static func path(_ path: ItemPath) -> JSONValue {
            .integers([path.section, path.item])
        }

        // MARK: Fields that Texture does not have

        /// Appends the removals and insertions that are the two ends of a move.
        private mutating func appendMoves(_ update: ValidatedChangeSet) {
            let sections = update.sectionInsertions.filter { $0.role == .move }.map {
                Self.link(
                    $0.associatedWith.map(JSONValue.integer) ?? .null,
                    .integer($0.section),
                    $0.animation
                )
            }
            let items = update.itemInsertions.filter { $0.role == .move }.map {
                Self.link(
                    $0.associatedWith.map(Self.path) ?? .null,
                    Self.path($0.path),
                    $0.animation
                )
            }
            if !sections.isEmpty { append("moveSections", .array(sections)) }
            if !items.isEmpty { append("moveItems", .array(items)) }
        }

        private mutating func appendInPlaceUpdates(_ update: ValidatedChangeSet) {
            let reconfigurations = update.reconfigurations.map {
                Self.link(Self.path($0.oldPath), Self.path($0.newPath), $0.animation)
            }
            let reloads = update.supplementaryReloads.map {
                JSONValue.object([
                    JSONValue.Member(key: "kind", value: .string($0.kind.rawValue)),
                    JSONValue.Member(key: "section", value: .integer($0.newSection)),
                    JSONValue.Member(key: "anim", value: .integer($0.animation.rawValue)),
                ])
            }
            if !reconfigurations.isEmpty { append("reconfigureItems", .array(reconfigurations)) }
            if !reloads.isEmpty { append("reloadSupplementaries", .array(reloads)) }
        }

        private static func link(
            _ from: JSONValue,
            _ to: JSONValue,
            _ animation: AnimationOption
        ) -> JSONValue {
            .object([
                JSONValue.Member(key: "from", value: from),
                JSONValue.Member(key: "to", value: to),
                JSONValue.Member(key: "anim", value: .integer(animation.rawValue)),
            ])
        }
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
