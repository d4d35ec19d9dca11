import CollectionPipeline

/// The fields of a valid result in which Texture differs by design, with Texture's values.
///
/// A recorded field is excused only if it equals Texture's value exactly.
struct TextureFields {
    struct Field {
        /// `nil` if Texture does not have the field.
        let value: JSONValue?
        let difference: NamedDifference
    }

    private(set) var fields: [String: Field] = [:]

    init(_ scenario: Scenario, _ acceptance: Examination.Acceptance, _ computed: JSONValue) {
        let update = acceptance.update
        if update.isReloadData {
            for key in ["deleteSections", "deleteItems", "insertSections", "insertItems"] {
                fields[key] = Field(value: .array([]), difference: .reloadDataEdits)
            }
        } else {
            let recorded = RecordedPaths(scenario.operations)
            addReloadedRows(update, recorded, computed)
            addDuplicates(update, recorded)
        }
    }

    // MARK: Reloaded sections

    private mutating func addReloadedRows(
        _ update: ValidatedChangeSet,
        _ recorded: RecordedPaths,
        _ computed: JSONValue
    ) {
        guard case .array(var rows) = computed["itemMapping"],
            case .array(var reverseRows) = computed["reverseItemMapping"]
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
        add("asks", .strings(replay.contentRequests))
        if let error = replay.applyError {
            add("applyError", .string(error))
        } else {
            add("map", .array(replay.map.map(JSONValue.strings)))
        }
    }

    /// Items that are removed or inserted with one animation, repeated as often as Texture repeats
    /// them.
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
            // All edits of a group have the same animation.
            animation: edits[edits.startIndex].animation
        )
    }

    private static func groups(_ groups: [Group]) -> JSONValue {
        .array(
            groups.map {
                ["paths": .array($0.paths.map(JSONValue.path)), "anim": .animation($0.animation)]
            }
        )
    }
}

/// Texture's map after a path that was named twice is applied twice.
struct DuplicateReplay {
    private(set) var contentRequests: [String] = []
    private(set) var map: [[String]] = []
    /// Texture's exception if the map has no such index. The map has no meaning then.
    private(set) var applyError: String?

    /// - Parameters:
    ///   - removals: the items to remove, in order; a repeated item is removed repeatedly.
    ///   - insertions: the items to insert, in order; a repeated item is inserted repeatedly.
    init(_ update: ValidatedChangeSet, removals: [ItemPath], insertions: [ItemPath]) {
        let oldCounts = update.oldShape.itemCounts
        map = oldCounts.enumerated().map { section, count in
            (0..<count).map { "o\(section).\($0)" }
        }
        for edit in update.sectionInsertions { contentRequests.append("c\(edit.section)") }
        for path in removals {
            let count = map[path.section].count
            guard path.item < count else {
                applyError =
                    "NSInternalInconsistencyException: Invalid item index \(path.item) – only"
                    + " \(count) items in section \(path.section)"
                return
            }
            map[path.section].remove(at: path.item)
        }
        applySections(update)
        for path in insertions {
            let item = request(path)
            guard path.item <= map[path.section].count else {
                applyError = "NSRangeException"
                return
            }
            map[path.section].insert(item, at: path.item)
        }
    }

    private var itemCount = 0

    private mutating func applySections(_ update: ValidatedChangeSet) {
        for edit in update.sectionRemovals { map.remove(at: edit.section) }
        for edit in update.sectionInsertions {
            let items = (0..<edit.newItemCount).map {
                request(ItemPath(section: edit.section, item: $0))
            }
            map.insert(items, at: edit.section)
        }
    }

    private mutating func request(_ path: ItemPath) -> String {
        contentRequests.append("b\(path.section).\(path.item)")
        defer { itemCount += 1 }
        return "n\(itemCount)"
    }
}

/// The rows of Texture's item mappings for a reloaded section.
///
/// Texture builds them from the deletes and inserts that were recorded in the section, as if the
/// section had survived, regardless of the item counts before and after the update.
struct PhantomRows {
    let row: [Int]
    let reverseRow: [Int]

    init(
        oldCount: Int,
        newCount: Int,
        deletedItems: Set<Int>,
        insertedItems: Set<Int>
    ) {
        guard !deletedItems.isEmpty || !insertedItems.isEmpty else {
            row = Array(0..<oldCount)
            // An untouched section maps every integer to itself, unless it is empty.
            reverseRow =
                oldCount > 0
                ? Array(0..<newCount) : Array(repeating: -1, count: newCount)
            return
        }
        var row: [Int] = []
        var reverseRow = Array(repeating: -1, count: newCount)
        var newItem = 0
        for oldItem in 0..<oldCount {
            guard !deletedItems.contains(oldItem) else {
                row.append(-1)
                continue
            }
            while insertedItems.contains(newItem) { newItem += 1 }
            row.append(newItem)
            if newItem < newCount { reverseRow[newItem] = oldItem }
            newItem += 1
        }
        self.row = row
        self.reverseRow = reverseRow
    }
}

/// The items that the operations name, and how often. Moves count as deletes and inserts.
struct RecordedPaths {
    private(set) var deletes: [ItemPath: Int] = [:]
    private(set) var inserts: [ItemPath: Int] = [:]
    private(set) var reloads: [ItemPath: Int] = [:]
    private(set) var reloadedSections = SectionSet()

    init(_ operations: [HierarchyChangeSet.Operation]) {
        for operation in operations {
            switch operation {
            case .deleteItems(let paths, _):
                for path in paths { deletes[path, default: 0] += 1 }
            case .insertItems(let paths, _):
                for path in paths { inserts[path, default: 0] += 1 }
            case .reloadItems(let paths, _):
                for path in paths { reloads[path, default: 0] += 1 }
            case .moveItem(let oldPath, let newPath, _):
                deletes[oldPath, default: 0] += 1
                inserts[newPath, default: 0] += 1
            case .reloadSections(let sections, _): reloadedSections.formUnion(sections)
            default: break
            }
        }
    }

    /// Returns how often Texture deletes the item of this removal.
    func deleteCount(_ edit: ItemEdit) -> Int {
        deletes[edit.path, default: 0] + reloads[edit.path, default: 0]
    }

    /// Returns how often Texture inserts the item of this insertion.
    func insertCount(_ edit: ItemEdit) -> Int {
        inserts[edit.path, default: 0]
            + (edit.associatedWith.map { reloads[$0, default: 0] } ?? 0)
    }
}
