import CollectionSnapshots
import TestSupport
import Testing

/// Compares programs of operations with a model of arrays.
struct SnapshotModelTests {
    /// Every operation over two sections and three items, valid or not.
    private static var alphabet: [SnapshotOperation] {
        let items = [1, 2, 3]
        let sections = ["a", "b"]
        let lists: [[Int]] = [[], [1], [2, 3], [3, 1], [1, 1]]
        let sectionLists: [[String]] = [["a"], ["b", "a"], ["a", "a"]]
        var all: [SnapshotOperation] = [.deleteAllItems, .removeAllMarks]
        for list in lists {
            all += [
                .appendItems(list), .deleteItems(list), .reloadItems(list), .reconfigureItems(list),
                .appendItemsToSection(list, "a"), .appendItemsToSection(list, "b"),
            ]
            for anchor in items {
                all += [
                    .insertItems(list, anchor, isAfter: false),
                    .insertItems(list, anchor, isAfter: true),
                ]
            }
        }
        for item in items {
            for target in items {
                all += [
                    .moveItem(item, target, isAfter: false), .moveItem(item, target, isAfter: true),
                ]
            }
        }
        for list in sectionLists {
            all += [.appendSections(list), .deleteSections(list), .reloadSections(list)]
            for anchor in sections {
                all += [
                    .insertSections(list, anchor, isAfter: false),
                    .insertSections(list, anchor, isAfter: true),
                ]
            }
        }
        for id in sections {
            for target in sections {
                all += [
                    .moveSection(id, target, isAfter: false),
                    .moveSection(id, target, isAfter: true),
                ]
            }
        }
        return all
    }

    private final class Visits {
        var sampling = Sampling()
        var count = 0
    }

    @Test func everyShortProgramMatchesArrays() throws {
        let start: [SnapshotOperation] = [
            .appendSections(["a", "b"]), .appendItemsToSection([1, 2], "a"),
            .reconfigureItems([1]), .reloadSections(["b"]),
        ]
        for beginning in [[], start] {
            var snapshot = Snapshot()
            var model = SnapshotModel()
            for operation in beginning {
                try snapshot.apply(operation)
                #expect(model.apply(operation) == nil)
            }
            explore(snapshot, model, depth: Effort.number(3, usually: 2), path: [], Visits())
        }
    }

    private func explore(
        _ snapshot: Snapshot,
        _ model: SnapshotModel,
        depth: Int,
        path: [SnapshotOperation],
        _ visits: Visits
    ) {
        guard depth > 0 else { return }
        for operation in Self.alphabet {
            if depth == 1, !visits.sampling.takesNext() { continue }
            // Runs one in thirteen programs of three operations, because each comparison makes
            // every query.
            visits.count += 1
            if path.count == 2, !visits.count.isMultiple(of: 13) { continue }
            var (nextSnapshot, nextModel) = (snapshot, model)
            let fault = run(operation, on: &nextSnapshot, &nextModel)
            let difference =
                fault ?? nextModel.difference(
                    from: nextSnapshot,
                    querying: [1, 2, 3, 9],
                    ["a", "b", "z"]
                )
                ?? model.difference(from: snapshot, querying: [1, 2, 3], ["a", "b"]).map {
                    "old: \($0)"
                }
            if let difference {
                Issue.record("\(path + [operation]): \(difference)")
                return
            }
            if (nextSnapshot == snapshot) != (nextModel == model) {
                Issue.record("\(path + [operation]): equality")
            }
            explore(nextSnapshot, nextModel, depth: depth - 1, path: path + [operation], visits)
        }
    }

    /// Returns the difference between the outcomes, or `nil`.
    private func run(
        _ operation: SnapshotOperation,
        on snapshot: inout Snapshot,
        _ model: inout SnapshotModel
    ) -> String? {
        let expected = model.apply(operation)
        var fault: SnapshotFault?
        do { try snapshot.apply(operation) } catch { fault = SnapshotFault(error) }
        return fault == expected ? nil : "\(fault as Any), not \(expected as Any)"
    }

    @Test(arguments: UInt64(1)...4)
    func longRandomProgramsMatchArrays(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        // Few items, so that most operations affect earlier ones; once many items, so that tables
        // are made.
        let (itemCount, sectionCount) = seed == 4 ? (600, 12) : (30, 5)
        let items = Array(0..<itemCount)
        let sections = (0..<sectionCount).map { "s\($0)" }
        var snapshot = try Snapshot(sections: [("s0", items[0..<10]), ("s1", items[10..<20])])
        var model = SnapshotModel(sections: [("s0", Array(0..<10)), ("s1", Array(10..<20))])
        var kept: [(Snapshot, SnapshotModel)] = []
        for step in 0..<Effort.number(seed == 4 ? 200 : 1_500, usually: seed == 4 ? 60 : 500) {
            // Most marked items exist.
            let present = random.isTrue(oneIn: 4) ? items : model.allItems
            let operation = random.operation(items, sections, marking: present)
            if let fault = run(operation, on: &snapshot, &model) {
                Issue.record("seed \(seed), step \(step), \(operation): \(fault)")
                return
            }
            if let difference = model.difference(from: snapshot, querying: items, sections) {
                Issue.record("seed \(seed), step \(step), \(operation): \(difference)")
                return
            }
            if random.isTrue(oneIn: 50) { kept.append((snapshot, model)) }
            if let (oldSnapshot, oldModel) = kept.randomElement(using: &random) {
                let isEqual = (oldSnapshot == snapshot) == (oldModel == model)
                let isHashedAlike =
                    oldModel != model || oldSnapshot.hashValue == snapshot.hashValue
                let marked = model.addingMarks(of: oldModel)
                let difference = marked.difference(
                    from: snapshot.addingMarks(of: oldSnapshot),
                    querying: [],
                    []
                )
                #expect(isEqual && isHashedAlike && difference == nil, "\(seed), \(step)")
            }
            // Continuing from an older version makes branches.
            if let old = kept.randomElement(using: &random), random.isTrue(oneIn: 100) {
                (snapshot, model) = old
            }
        }
        for (oldSnapshot, oldModel) in kept {
            let difference = oldModel.difference(from: oldSnapshot, querying: items, sections)
            #expect(difference == nil, "seed \(seed): a copy changed")
        }
    }

    /// Every insertion is between the previous two, so that the labels are soon used up. Then most
    /// sections are deleted and inserted again.
    @Test func elementsInsertedBetweenTheLastTwoMatchArrays() throws {
        var snapshot = try Snapshot(["0": [0], "1": [1]])
        var model = SnapshotModel(sections: [("0", [0]), ("1", [1])])
        let numbers = 0..<300
        var operations: [SnapshotOperation] = []
        for number in numbers.dropFirst(2) {
            let (last, isAfter) = (number - 1, number.isMultiple(of: 2))
            operations.append(.insertItems([number], last, isAfter: isAfter))
            operations.append(.insertSections(["\(number)"], "\(last)", isAfter: isAfter))
        }
        operations += numbers.map { SnapshotOperation.appendItemsToSection([300 + $0], "\($0)") }
        let gone = (20..<250).map { "\($0)" }
        operations.append(.deleteSections(gone))
        operations.append(.insertSections(gone.reversed(), "7", isAfter: false))
        operations.append(.appendItemsToSection([20], "149"))
        for (step, operation) in operations.enumerated() {
            let fault = run(operation, on: &snapshot, &model)
            #expect(fault == nil, "\(operation)")
            guard step % 60 == 0 || step >= 896 else { continue }
            let names = numbers.map { "\($0)" }
            let difference = model.difference(from: snapshot, querying: Array(0..<600), names)
            #expect(difference == nil, "\(operation)")
        }
    }

    @Test func hashesDependOnSectionsItemsAndPositions() throws {
        let states: [Snapshot] = [
            try Snapshot(["a": [1, 2], "b": []]), try Snapshot(["a": [1], "b": [2]]),
            try Snapshot(["a": [], "b": [1, 2]]), try Snapshot(["a": [2, 1], "b": []]),
            try Snapshot(["a": [1, 2], "c": []]), try Snapshot(["a": [1, 2]]),
            try Snapshot(["a": [1, 3], "b": []]), Snapshot(),
        ]
        #expect(Set(states).count == states.count)
        #expect(Set(states.map(\.hashValue)).count == states.count)
        var other = try Snapshot(["b": [2, 1]])
        try other.insertSections(["a"], beforeSection: "b")
        try other.appendItems([1, 2], toSection: "a")
        #expect(other == states[0] && other.hashValue == states[0].hashValue)
    }
}

extension SeededNumbers {
    mutating func operation(
        _ items: [Int],
        _ sections: [String],
        marking present: [Int]
    ) -> SnapshotOperation {
        func some<Element>(_ all: [Element], _ most: Int) -> [Element] {
            var list = Array(all.shuffled(using: &self).prefix(next(below: most + 1)))
            if isTrue(oneIn: 20), let first = list.first { list.append(first) }
            return list
        }
        let most = isTrue(oneIn: 10) ? items.count / 2 : 5
        let (item, target) = (items[next(below: items.count)], items[next(below: items.count)])
        let (section, other) = (
            sections[next(below: sections.count)], sections[next(below: sections.count)]
        )
        let isAfter = isTrue(oneIn: 2)
        switch next(below: 24) {
        case 0, 1: return .appendItems(some(items, most))
        case 2, 3: return .appendItemsToSection(some(items, most), section)
        case 4, 5, 6, 7: return .insertItems(some(items, most), item, isAfter: isAfter)
        case 8, 9: return .deleteItems(some(items, most))
        case 10: return isTrue(oneIn: 20) ? .deleteAllItems : .appendSections([section])
        case 11: return .appendItemsToSection([item], section)
        case 12, 13, 14: return .moveItem(item, target, isAfter: isAfter)
        case 15: return .reloadItems(some(present, 3))
        case 16: return .reconfigureItems(some(present, 5))
        case 17, 18: return .appendSections(some(sections, 2))
        case 19: return .insertSections(some(sections, 2), other, isAfter: isAfter)
        case 20: return .deleteSections(some(sections, 2))
        case 21, 22: return .moveSection(section, other, isAfter: isAfter)
        default: return isTrue(oneIn: 8) ? .removeAllMarks : .reloadSections(some(sections, 2))
        }
    }
}
