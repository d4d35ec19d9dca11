import CollectionPipeline

/// The fields of a valid result in which the original differs by design, with what it has there.
///
/// A recorded field is excused by nothing less than being exactly this.
struct OriginalFields {
    struct Field {
        /// Nil where the original does not have the field.
        let value: JSONValue?
        let difference: NamedDifference
    }

    private(set) var fields: [String: Field] = [:]

    init(_ scenario: Scenario, _ acceptance: Examination.Acceptance, _ answer: JSONValue) {
        let update = acceptance.update
        if update.isReloadData {
            for key in ["deleteSections", "deleteItems", "insertSections", "insertItems"] {
                fields[key] = Field(value: .array([]), difference: .reloadDataEdits)
            }
        } else {
            let recorded = RecordedPaths(scenario.operations)
            addReloadedRows(update, recorded, answer)
            addDuplicates(update, recorded)
        }
    }

    // MARK: Reloaded sections

    private mutating func addReloadedRows(
        _ update: ValidatedChangeSet,
        _ recorded: RecordedPaths,
        _ answer: JSONValue
    ) {
        guard case .array(var rows) = answer["itemMapping"],
            case .array(var reverseRows) = answer["reverseItemMapping"]
        else { return }
        for oldSection in recorded.reloadedSections {
            guard let newSection = update.newSection(for: oldSection) else { continue }
            let phantom = PhantomRows(
                oldCount: update.oldShape.itemCounts[oldSection],
                newCount: update.newShape.itemCounts[newSection],
                deletedItems: Self.items(recorded.deletes, oldSection),
                insertedItems: Self.items(recorded.inserts, newSection)
            )
            rows[oldSection] = .integers(phantom.row)
            reverseRows[newSection] = .integers(phantom.reverseRow)
        }
        fields["itemMapping"] = Field(value: .array(rows), difference: .reloadedRows)
        fields["reverseItemMapping"] = Field(value: .array(reverseRows), difference: .reloadedRows)
    }

    private static func items(_ paths: [ItemPath: Int], _ section: Int) -> Set<Int> {
        Set(paths.keys.lazy.filter { $0.section == section }.map(\.item))
    }

    // MARK: Duplicates

    private mutating func addDuplicates(_ update: ValidatedChangeSet, _ recorded: RecordedPaths) {
        let removals = update.itemRemovalGroups.map { Self.repeated($0, recorded.deleteCount) }
        let insertions = update.itemInsertionGroups.map { Self.repeated($0, recorded.insertCount) }
        let count =
            removals.reduce(0) { $0 + $1.paths.count }
            + insertions.reduce(0) { $0 + $1.paths.count }
        guard count > update.itemRemovals.count + update.itemInsertions.count else { return }
        let replay = DuplicateReplay(
            update,
            removals: removals.flatMap(\.paths),
            insertions: insertions.flatMap(\.paths)
        )
        func add(_ key: String, _ value: JSONValue?) {
            fields[key] = Field(value: value, difference: .duplicatesAppliedOnce)
        }
        add("deleteItems", Self.groups(removals))
        add("insertItems", Self.groups(insertions))
        add("asks", .strings(replay.asks))
        if let error = replay.applyError {
            add("applyError", .string(error))
        } else {
            add("map", .array(replay.map.map(JSONValue.strings)))
        }
    }

    /// Items removed or inserted with one animation, as often as the original does it.
    private struct Group {
        let paths: [ItemPath]
        let animation: AnimationOption
    }

    private static func repeated(
        _ edits: ArraySlice<ItemEdit>,
        _ count: (ItemEdit) -> Int
    ) -> Group {
        Group(
            paths: edits.flatMap { Array(repeating: $0.path, count: max(1, count($0))) },
            // The same for all of a group.
            animation: edits[edits.startIndex].animation
        )
    }

    private static func groups(_ groups: [Group]) -> JSONValue {
        .array(
            groups.map { group in
                .object([
                    JSONValue.Member(
                        key: "paths",
                        value: .array(group.paths.map { .integers([$0.section, $0.item]) })
                    ),
                    JSONValue.Member(key: "anim", value: .integer(group.animation.rawValue)),
                ])
            }
        )
    }
}
