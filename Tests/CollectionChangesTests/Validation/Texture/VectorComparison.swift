import CollectionChanges

// One vector against the `texture` profile: everything that a change set without a view can say.

/// Where this package means to differ from the original.
enum NamedDifference: String {
    /// Recording and result are values of two types, so these misuses cannot be written.
    case modifyCompleted, readIncomplete, mappingBeforeComplete, completeTwice
    /// There is no completing in the middle of recording, so the fault shows at its end.
    case completedByProbe
    /// The original counts a path that is named twice once and applies it twice; here it is applied once.
    case duplicatesAppliedOnce
    /// The original maps items through a section that was replaced; here they map to nothing.
    case reloadedRows
    /// The original has no edits where all is reloaded; here every section is deleted, every new one inserted.
    case reloadDataEdits
}

/// What came of comparing one vector: differences that have a name, and faults that have none.
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
        // The operations alone, each with its index among the steps.
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

    /// The difference where what the original was asked to do cannot be written here.
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
        let answer = vector.result
        expect(false, answer.valid, "valid")
        expect(error.code.rawValue, answer.code ?? "none", "code")
        expect(error.message, answer.error ?? "none", "error")
        let submissionFaults: [HierarchyUpdateError.Code] = [
            .emptyItemOp, .emptySectionOp, .reloadDataTwice,
        ]
        let isSubmissionFault = submissionFaults.contains(error.code)
        expect(isSubmissionFault ? "build" : "complete", answer.stage ?? "none", "stage")
        if isSubmissionFault {
            expect(error.operationIndex.map { stepIndexes[$0] }, answer.opIndex, "opIndex")
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
        // Applied twice, a duplicate ends in another map, or in none.
        if !hasDuplicates { compareApplication(update) }
    }

    private mutating func compareReloadData(_ update: ValidatedChangeSet) {
        let (old, new) = (vector.oldShape.itemCounts, vector.newShape.itemCounts)
        expect(update.itemRemovals + update.itemInsertions, [], "item edits under reloadData")
        let deleted = update.sectionRemovals.map(\.section)
        expect(deleted, old.indices.reversed(), "section deletes under reloadData")
        let fresh = update.sectionInsertions.map(\.freshItemCount)
        expect(fresh, new, "section inserts under reloadData")
        for section in old.indices {
            expect(update.newSection(for: section), nil, "new section under reloadData")
        }
        if !update.edits.isEmpty { differences.insert(.reloadDataEdits) }
    }

    private mutating func compareGroups(_ update: ValidatedChangeSet) {
        let answer = vector.result
        func groups(_ groups: [ArraySlice<SectionEdit>]) -> [ChangeSetVector.SectionGroup] {
            groups.map { group in
                // The original keeps a set, whatever the order of processing.
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
        expect(groups(update.sectionRemovalGroups), answer.deleteSections, "deleteSections")
        expect(groups(update.sectionInsertionGroups), answer.insertSections, "insertSections")
        compareItems(groups(update.itemRemovalGroups), answer.deleteItems ?? [], "deleteItems")
        compareItems(groups(update.itemInsertionGroups), answer.insertItems ?? [], "insertItems")
    }

    /// The original's groups, each path once: duplicates are neighbours there, and of one option.
    private mutating func compareItems(
        _ found: [ChangeSetVector.ItemGroup],
        _ answer: [ChangeSetVector.ItemGroup],
        _ what: String
    ) {
        guard hasDuplicates else { return expect(found, answer, what) }
        if found != answer { differences.insert(.duplicatesAppliedOnce) }
        let distinct = answer.map { group in
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
        let answer = vector.result
        let (old, new) = (vector.oldShape.itemCounts, vector.newShape.itemCounts)
        let sections = old.indices.map { update.newSection(for: $0) ?? -1 }
        let reverseSections = new.indices.map { update.oldSection(for: $0) ?? -1 }
        expect(sections, answer.sectionMapping, "sectionMapping")
        expect(reverseSections, answer.reverseSectionMapping, "reverseSectionMapping")
        for section in old.indices {
            compareRow(
                (0..<old[section]).map { update.newPath(for: path(section, $0)) },
                of: sections[section],
                answer.itemMapping?[section] ?? [],
                isReloaded: isReloaded(section),
                "itemMapping[\(section)]"
            )
        }
        for section in new.indices {
            compareRow(
                (0..<new[section]).map { update.oldPath(for: path(section, $0)) },
                of: reverseSections[section],
                answer.reverseItemMapping?[section] ?? [],
                isReloaded: isReloaded(reverseSections[section]),
                "reverseItemMapping[\(section)]"
            )
        }
    }

    private mutating func compareRow(
        _ found: [ItemPath?],
        of section: Int,
        _ answer: [Int],
        isReloaded: Bool,
        _ what: String
    ) {
        let isInPlace = found.allSatisfy { $0 == nil || $0?.section == section }
        expect(isInPlace, true, "section of \(what)")
        let items = found.map { $0?.item ?? -1 }
        guard isReloaded else { return expect(items, answer, what) }
        expect(items, Array(repeating: -1, count: items.count), what + " of a reloaded section")
        if items != answer { differences.insert(.reloadedRows) }
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
    /// Applies the edits to names of the old elements, and compares with the final map and with
    /// the order in which new content was asked for.
    private mutating func compareApplication(_ update: ValidatedChangeSet) {
        let answer = vector.result
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
        expect(sections, answer.sections, "sections")
        expect(map, answer.map, "map")
        expect(asks, answer.asks, "asks")
        expect(nil, answer.applyError, "applyError")
    }
}
