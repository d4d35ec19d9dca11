import CollectionSnapshots
import TestSupport
import Testing

/// Compares outlines with rows that have levels.
struct SectionSnapshotModelTests {
    private typealias Version = (outline: SectionSnapshot<Int>, model: OutlineModel)

    @Test(arguments: UInt64(1)...4)
    func randomOperationsMatchRowsWithLevels(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let items = 0..<(seed.isMultiple(of: 2) ? 12 : 40)
        var version: Version = (SectionSnapshot(), OutlineModel())
        if !seed.isMultiple(of: 2) {
            // Enough insertions at one position to use up the labels between two neighbours.
            let (anchor, isAfter) = seed == 1 ? (0, true) : (1, false)
            let inserts = (2..<40).map { OutlineOperation.insert([$0], anchor, isAfter: isAfter) }
            for operation in [.append([0, 1], to: nil)] + inserts {
                _ = version.model.apply(operation, [])
                try version.outline.apply(operation, [])
            }
        }
        var kept: [Version] = [version]
        for step in 0..<Effort.number(1500, usually: 300) {
            let others = (0..<2).map { _ in other(items, kept, version.model, &random) }
            let operation = random.outlineOperation(items)
            let old = version
            let expected = version.model.apply(operation, others.map(\.model))
            var found: SnapshotFault?
            do {
                try version.outline.apply(operation, others.map(\.outline))
            } catch { found = SnapshotFault(error) }
            let fault =
                found == expected
                ? version.model.difference(from: version.outline, querying: items)
                : "\(found as Any), not \(expected as Any)"
            if let fault {
                Issue.record("seed \(seed), step \(step), \(operation): \(fault)")
                return
            }
            let isEqual = old.model == version.model
            let isHashedAlike = old.outline.hashValue == version.outline.hashValue
            #expect((old.outline == version.outline) == isEqual && (!isEqual || isHashedAlike))
            if random.isTrue(oneIn: 20) { kept.append(version) }
            if random.isTrue(oneIn: 60), let older = kept.randomElement(using: &random) {
                version = older
            }
        }
        for (outline, model) in kept {
            let fault = model.difference(from: outline, querying: items)
            #expect(fault == nil, "seed \(seed): a copy changed")
        }
    }

    /// A part of an older version, or a new outline.
    private func other(
        _ items: Range<Int>,
        _ kept: [Version],
        _ current: OutlineModel,
        _ random: inout SeededNumbers
    ) -> Version {
        guard let older = kept.randomElement(using: &random), random.isTrue(oneIn: 2) else {
            // An outline of items that `current` lacks, so that it can be inserted there; some are
            // expanded.
            var version: Version = (SectionSnapshot(), OutlineModel())
            let absent = items.filter { current.index($0) == nil }.shuffled(using: &random).prefix(
                4
            )
            for (number, item) in absent.enumerated() {
                let parent = number == 0 ? nil : absent.prefix(number).randomElement(using: &random)
                for operation in [OutlineOperation.append([item], to: parent), .expand([item])]
                where operation != .expand([item]) || random.isTrue(oneIn: 2) {
                    _ = version.model.apply(operation, [])
                    try? version.outline.apply(operation, [])
                }
            }
            return version
        }
        let item = random.next(below: items.count)
        let isWhole = random.isTrue(oneIn: 2)
        let part: Version = (
            older.outline.snapshot(of: item, includingParent: isWhole),
            older.model.part(item, includingParent: isWhole)
        )
        let fault = part.model.difference(from: part.outline, querying: items)
        #expect(fault == nil, "the part below \(item)")
        return part
    }

    @Test func applyingAnOutlineGivesTheSectionItsVisibleItems() throws {
        var random = SeededNumbers(seed: 5)
        var outline = SectionSnapshot<Int>()
        var snapshot = try CollectionSnapshot(["a": [90, 3], "b": [91, 4, 92]])
        for step in 0..<Effort.number(3000, usually: 300) {
            let operation = random.outlineOperation(0..<30)
            try? outline.apply(operation, [SectionSnapshot(), SectionSnapshot()])
            let others = try snapshot.itemIdentifiers(inSection: "b")
            try snapshot.apply(outline, toSection: "a")
            let visible = outline.visibleItems
            #expect(try snapshot.itemIdentifiers(inSection: "a") == visible, "step \(step)")
            #expect(
                try snapshot.itemIdentifiers(inSection: "b")
                    == others.filter { !visible.contains($0) }
            )
            if random.isTrue(oneIn: 10) {
                try snapshot.appendItems([random.next(below: 30)], toSection: "b")
            }
        }
    }

    @Test func deepOutlinesNeedNoRecursion() throws {
        let depth = Effort.number(20_000, usually: 2000)
        var outline = try SectionSnapshot([0])
        for item in 1..<depth { try outline.append([item], to: item - 1) }
        try outline.expand(0..<depth)
        #expect(outline.visibleItems.count == depth)
        #expect(outline.level(of: depth - 1) == depth - 1)
        #expect(outline.snapshot(of: 0).count == depth - 1)
        try outline.delete([1])
        #expect(outline.items == [0])
    }
}

extension SeededNumbers {
    fileprivate mutating func outlineOperation(_ items: Range<Int>) -> OutlineOperation {
        func some(_ most: Int) -> [Int] {
            var list = Array(items.shuffled(using: &self).prefix(next(below: most + 1)))
            if isTrue(oneIn: 20), let first = list.first { list.append(first) }
            return list
        }
        let item = next(below: items.count)
        let isAfter = isTrue(oneIn: 2)
        switch next(below: 16) {
        case 0, 1: return .append(some(3), to: nil)
        case 2, 3, 4, 5: return .append(some(3), to: item)
        case 6, 7: return .insert(some(2), item, isAfter: isAfter)
        case 8: return .insertOutline(next(below: 2), item, isAfter: isAfter)
        case 9, 10: return .delete(some(2))
        case 11: return isTrue(oneIn: 10) ? .deleteAll : .delete(some(1))
        case 12: return .replaceChildren(item, next(below: 2))
        case 13, 14: return .expand(some(3))
        default: return .collapse(some(2))
        }
    }
}
