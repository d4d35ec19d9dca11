import CollectionChanges

// The comparison of one vector with the `texture` profile: everything observable without a view.

/// An intended difference from the original.
enum NamedDifference: String {
    /// Recording and result are values of two types, so this misuse cannot be written.
    case modifyCompleted, readIncomplete, mappingBeforeComplete, completeTwice
    /// Recording cannot be completed in the middle, so the fault is reported at its end.
    case completedByProbe
    /// The original counts a path that is named twice once and applies it twice; the library
    /// applies it once.
    case duplicatesAppliedOnce
    /// The original maps items through a replaced section; the library maps them to nothing.
    case reloadedRows
    /// The original has no edits for a full reload; the library deletes every section and inserts
    /// every new one.
    case reloadDataEdits
}

/// The result of comparing one vector: named differences, and faults without a name.
struct VectorComparison {
    let vector: ChangeSetVector
    private(set) var differences: Set<NamedDifference> = []
    private(set) var faults: [String] = []

    init(_ vector: ChangeSetVector) {
        self.vector = vector
        if let difference = impossibleMisuse() {
            differences.insert(difference)
            return
        }
        // The operations alone, with the indexes of their steps.
        var operations: [HierarchyChangeSet.Operation] = []
        var stepIndexes: [Int] = []
        for (index, step) in vector.steps.enumerated() {
            guard case .operation(let operation) = step else { continue }
            operations.append(operation)
            stepIndexes.append(index)
        }
        do {
            let update = try HierarchyChangeSet(operations)
                .validated(from: vector.oldShape, to: vector.newShape, profile: .texture)
            expect(true, vector.result.valid, "valid")
            if vector.result.valid { compare(update) }
        } catch {
            compare(error, stepIndexes)
        }
    }

    private mutating func expect<Value: Equatable>(
        _ found: Value,
        _ expected: Value,
        _ what: String
    ) {
        guard found != expected else { return }
        faults.append("vector \(vector.id), \(what): expected \(expected), found \(found)")
    }

    /// Returns the named difference if the misuse of the original cannot be written with the
    /// library.
    private func impossibleMisuse() -> NamedDifference? {
        guard let code = vector.result.code else { return nil }
        switch code {
        case "modifyCompleted", "readIncomplete", "mappingBeforeComplete", "completeTwice":
            return NamedDifference(rawValue: code)
        default:
            guard let index = vector.result.opIndex, case .probe(.complete) = vector.steps[index]
            else { return nil }
            return .completedByProbe
        }
    }

    private var hasDuplicates: Bool {
        (vector.result.quirks ?? []).contains { $0.hasPrefix("duplicate") }
    }
}

// MARK: - Faults

extension VectorComparison {
    private mutating func compare(_ error: HierarchyUpdateError, _ stepIndexes: [Int]) {
        let result = vector.result
        expect(false, result.valid, "valid")
        expect(error.code.rawValue, result.code ?? "none", "code")
        expect(error.message, result.error ?? "none", "error")
        let submissionFaults: [HierarchyUpdateError.Code] = [
            .emptyItemOp, .emptySectionOp, .reloadDataTwice,
        ]
        let isSubmissionFault = submissionFaults.contains(error.code)
        expect(isSubmissionFault ? "build" : "complete", result.stage ?? "none", "stage")
        if isSubmissionFault {
            expect(error.operationIndex.map { stepIndexes[$0] }, result.opIndex, "opIndex")
        }
        expect(error.oldShape, vector.oldShape, "old shape of the error")
        expect(error.newShape, vector.newShape, "new shape of the error")
    }
}

// MARK: - Edits

extension VectorComparison {
    private mutating func compare(_ update: ValidatedChangeSet) {
        expect(update.isEmpty, vector.result.empty, "empty")
        if update.isReloadData {
            compareReloadData(update)
        } else {
            compareGroups(update)
            compareMappings(update)
        }
        // Applied twice, a duplicate gives another map or none.
        if !hasDuplicates { compareApplication(update) }
    }

    private mutating func compareReloadData(_ update: ValidatedChangeSet) {
        let (old, new) = (vector.oldShape.itemCounts, vector.newShape.itemCounts)
        expect(update.itemRemovals + update.itemInsertions, [], "item edits under reloadData")
        let deleted = update.sectionRemovals.map(\.section)
        expect(deleted, old.indices.reversed(), "section deletes under reloadData")
        let newItemCounts = update.sectionInsertions.map(\.newItemCount)
        expect(newItemCounts, new, "section inserts under reloadData")
        for section in old.indices {
            expect(update.newSection(for: section), nil, "new section under reloadData")
        }
        if !update.edits.isEmpty { differences.insert(.reloadDataEdits) }
    }

    private mutating func compareGroups(_ update: ValidatedChangeSet) {
        let result = vector.result
        func groups(_ groups: [ArraySlice<SectionEdit>]) -> [ChangeSetVector.SectionGroup] {
            groups.map { group in
                // The original keeps a set, which is independent of the order of processing.
                ChangeSetVector.SectionGroup(
                    indexes: group.map(\.section).sorted(),
                    anim: group.first?.animation.rawValue ?? -1
                )
            }
        }
        func groups(_ groups: [ArraySlice<ItemEdit>]) -> [ChangeSetVector.ItemGroup] {
            groups.map { group in
                ChangeSetVector.ItemGroup(
                    paths: group.map { [$0.path.section, $0.path.item] },
                    anim: group.first?.animation.rawValue ?? -1
                )
            }
        }
        expect(groups(update.sectionRemovalGroups), result.deleteSections, "deleteSections")
        expect(groups(update.sectionInsertionGroups), result.insertSections, "insertSections")
        compareItems(groups(update.itemRemovalGroups), result.deleteItems ?? [], "deleteItems")
        compareItems(groups(update.itemInsertionGroups), result.insertItems ?? [], "insertItems")
    }

    /// Compares the original's groups with each path once; its duplicates are neighbours and have
    /// one option.
    private mutating func compareItems(
        _ found: [ChangeSetVector.ItemGroup],
        _ result: [ChangeSetVector.ItemGroup],
        _ what: String
    ) {
        guard hasDuplicates else { return expect(found, result, what) }
        if found != result { differences.insert(.duplicatesAppliedOnce) }
        let distinct = result.map { group in
            var group = group
            group.paths = group.paths.enumerated()
                .filter { $0.offset == 0 || group.paths[$0.offset - 1] != $0.element }
                .map(\.element)
            return group
        }
        expect(found, distinct, what)
    }
}

// MARK: - Mappings

extension VectorComparison {
    private mutating func compareMappings(_ update: ValidatedChangeSet) {
        let result = vector.result
        let (old, new) = (vector.oldShape.itemCounts, vector.newShape.itemCounts)
        let sections = old.indices.map { update.newSection(for: $0) ?? -1 }
        let reverseSections = new.indices.map { update.oldSection(for: $0) ?? -1 }
        expect(sections, result.sectionMapping, "sectionMapping")
        expect(reverseSections, result.reverseSectionMapping, "reverseSectionMapping")
        for section in old.indices {
            compareRow(
                (0..<old[section]).map { update.newPath(for: path(section, $0)) },
                of: sections[section],
                result.itemMapping?[section] ?? [],
                isReloaded: isReloaded(section),
                "itemMapping[\(section)]"
            )
        }
        for section in new.indices {
            compareRow(
                (0..<new[section]).map { update.oldPath(for: path(section, $0)) },
                of: reverseSections[section],
                result.reverseItemMapping?[section] ?? [],
                isReloaded: isReloaded(reverseSections[section]),
                "reverseItemMapping[\(section)]"
            )
        }
    }

    private mutating func compareRow(
        _ found: [ItemPath?],
        of section: Int,
        _ result: [Int],
        isReloaded: Bool,
        _ what: String
    ) {
        let isInPlace = found.allSatisfy { $0 == nil || $0?.section == section }
        expect(isInPlace, true, "section of \(what)")
        let items = found.map { $0?.item ?? -1 }
        guard isReloaded else { return expect(items, result, what) }
        expect(items, Array(repeating: -1, count: items.count), what + " of a reloaded section")
        if items != result { differences.insert(.reloadedRows) }
    }

    private func isReloaded(_ oldSection: Int) -> Bool {
        vector.steps.contains { step in
            guard case .operation(.reloadSections(let sections, _)) = step else { return false }
            return sections.contains(oldSection)
        }
    }
}

// MARK: - Application

extension VectorComparison {
    /// Applies the edits to names of the old elements and compares the final map and the order of
    /// requests for new content.
    private mutating func compareApplication(_ update: ValidatedChangeSet) {
        let result = vector.result
        var asks: [String] = []
        var sections = vector.oldShape.itemCounts.indices.map { "s\($0)" }
        for edit in update.sectionRemovals { sections.remove(at: edit.section) }
        for (number, edit) in update.sectionInsertions.enumerated() {
            asks.append("c\(edit.section)")
            sections.insert("t\(number)", at: edit.section)
        }
        var nodes = 0
        let old = vector.oldShape.itemCounts.enumerated().map { section, count in
            (0..<count).map { "o\(section).\($0)" }
        }
        let map = update.applyUnchecked(to: old) { newPath in
            asks.append("b\(newPath.section).\(newPath.item)")
            nodes += 1
            return "n\(nodes - 1)"
        }
        expect(sections, result.sections, "sections")
        expect(map, result.map, "map")
        expect(asks, result.asks, "asks")
        expect(nil, result.applyError, "applyError")
    }
}
