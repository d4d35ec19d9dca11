import CollectionChanges
import TestSupport
import Testing

/// Compares the shape that follows from a record and a few counts with a plain model that moves
/// whole sections.
@Suite struct PresumedShapeTests {
    @Test(arguments: everyShape(sections: 3, itemsEach: 1, items: 1))
    func everySmallRecordMatchesTheModel(old: HierarchyShape) {
        var fault: String?
        for new in everyShape(sections: 3, itemsEach: 1, items: 1) {
            withEveryConsistentRecord(from: old, to: new) {
                fault = fault ?? difference($0, old, new)
            }
            for beyond in [false, true] where old.numberOfSections + new.numberOfSections < 4 {
                let operations = elementaryOperations(from: old, to: new, beyond: beyond)
                withEveryRecord(of: operations, upTo: beyond ? 2 : 3) {
                    fault = fault ?? difference($0, old, new)
                }
            }
        }
        #expect(fault == nil)
    }

    /// A valid record accounts for every difference, so no section needs to be named.
    @Test func randomRecordsMatchTheModelAndValidOnesGiveTheNewShape() {
        for seed in UInt64(0)..<Effort.number(2_000, usually: 300) {
            var records = RandomRecords(seed: seed)
            let isValid = seed.isMultiple(of: 2)
            var draw =
                isValid
                ? records.valid(sections: seed.isMultiple(of: 6) ? 80 : 9, items: 3)
                : records.mutated()
            if seed.isMultiple(of: 5) { draw.changes.reloadData() }
            #expect(difference(draw.changes, draw.old, draw.new) == nil, "seed \(seed)")
            let shape = presumed(draw.changes, draw.old, draw.new).shape
            if isValid { #expect(shape == draw.new, "seed \(seed)") }
        }
    }

    // MARK: Queries

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129])
    func everySectionCanBeQueriedInAnyCount(count: Int) {
        let old = HierarchyShape(Array(repeating: 2, count: count))
        let result = presumed(HierarchyChangeSet(), old, old, naming: SectionSet(0..<count))
        #expect(result.queried == Array(0..<count))
    }

    @Test func equalCountsShareTheirMemory() {
        func address(_ shape: HierarchyShape) -> UnsafePointer<Int>? {
            shape.itemCounts.withUnsafeBufferPointer { $0.baseAddress }
        }
        let old: HierarchyShape = [1, 2, 3]
        let same = presumed(record("R1.0"), old, old, naming: [0, 1, 2])
        #expect(same.queried == [0, 1, 2] && address(same.shape) == address(old))
        #expect(address(presumed(record("R1.0"), old, [1, 9, 3]).shape) != address(old))
    }

    @Test func anyIntegersAreAccepted() {
        let all = SectionSet(Int.min...Int.max)
        var thinning = Thinning(7)
        withEveryPairOfExtremeOperations { changes in
            guard thinning.takesNext() else { return }
            let result = presumed(changes, [1, 2], [1, 2], naming: all)
            if result.queried != [0, 1] { Issue.record("\(changes.operations): \(result)") }
        }
        for count in [Int.min, -1, 0, 1] {
            var queried: [Int] = []
            let shape = HierarchyChangeSet().presumedShape(
                from: [.max, -3],
                numberOfSections: count,
                recounting: all
            ) {
                queried.append($0)
                return .min
            }
            #expect(shape.numberOfSections == max(0, count))
            #expect(queried == Array(0..<max(0, count)))
        }
    }
}

private func presumed(
    _ changes: HierarchyChangeSet,
    _ old: HierarchyShape,
    _ new: HierarchyShape,
    naming named: SectionSet = []
) -> (shape: HierarchyShape, queried: [Int]) {
    var queried: [Int] = []
    let shape = changes.presumedShape(
        from: old,
        numberOfSections: new.numberOfSections,
        recounting: named
    ) {
        queried.append($0)
        return new.itemCounts[$0]
    }
    return (shape, queried)
}

/// Returns the difference between a presumed shape and the model's, or `nil`.
private func difference(
    _ changes: HierarchyChangeSet,
    _ old: HierarchyShape,
    _ new: HierarchyShape
) -> String? {
    let model = PresumedShapeModel(changes, from: old, to: new)
    let (shape, queried) = presumed(changes, old, new)
    // With the differing sections named, the shape is that of all counts.
    let named = SectionSet(
        new.itemCounts.indices.filter { new.itemCounts[$0] != model.shape.itemCounts[$0] }
    )
    if queried == model.queried, shape == model.shape,
        presumed(changes, old, new, naming: named).shape == new
    {
        return nil
    }
    return "\(old) to \(new), \(changes.operations): \(shape), \(queried), expected \(model)"
}

/// The expected presumed shape, computed section by section.
private struct PresumedShapeModel {
    var queried: [Int]
    var shape: HierarchyShape

    init(_ changes: HierarchyChangeSet, from old: HierarchyShape, to new: HierarchyShape) {
        guard let origins = Self.origins(changes, old.numberOfSections, new.numberOfSections),
            let touched = Self.touched(changes, origins)
        else {
            queried = Array(new.itemCounts.indices)
            shape = new
            return
        }
        queried = touched.sorted()
        shape = HierarchyShape(
            origins.enumerated().map { section, origin in
                touched.contains(section) ? new.itemCounts[section] : old.itemCounts[origin ?? 0]
            }
        )
    }

    /// Returns the old section of every new section, or `nil` for an inserted one; `nil` as a whole
    /// if the section operations are invalid.
    private static func origins(
        _ changes: HierarchyChangeSet,
        _ oldCount: Int,
        _ newCount: Int
    ) -> [Int?]? {
        var leaving: [Int] = []
        var arriving: [Int: Int?] = [:]
        for operation in changes.operations {
            switch operation {
            case .deleteSections(let sections, _): leaving += sections
            case .insertSections(let sections, _):
                for section in sections {
                    if arriving.updateValue(Int?.none, forKey: section) != nil { return nil }
                }
            case .moveSection(let oldSection, let newSection, _):
                leaving.append(oldSection)
                if arriving.updateValue(Int?.some(oldSection), forKey: newSection) != nil {
                    return nil
                }
            case .reloadData: return nil
            default: break
            }
        }
        let survivors = (0..<oldCount).filter { !leaving.contains($0) }
        guard survivors.count == oldCount - leaving.count,
            arriving.keys.allSatisfy({ (0..<newCount).contains($0) }),
            survivors.count + arriving.count == newCount
        else { return nil }
        var rest = survivors[...]
        return (0..<newCount).map { arriving[$0] ?? rest.removeFirst() }
    }

    /// Returns the new sections to query; `nil` if a reloaded section does not exist before or
    /// after.
    private static func touched(_ changes: HierarchyChangeSet, _ origins: [Int?]) -> Set<Int>? {
        var touched: Set<Int> = []
        func touch(old path: ItemPath) {
            if let section = origins.firstIndex(of: path.section) { touched.insert(section) }
        }
        func touch(new path: ItemPath) {
            if origins.indices.contains(path.section) { touched.insert(path.section) }
        }
        for operation in changes.operations {
            switch operation {
            case .deleteItems(let paths, _), .reloadItems(let paths, _),
                .reconfigureItems(let paths, _):
                paths.forEach(touch(old:))
            case .insertItems(let paths, _): paths.forEach(touch(new:))
            case .moveItem(let oldPath, let newPath, _):
                touch(old: oldPath)
                touch(new: newPath)
            case .insertSections(let sections, _): touched.formUnion(sections)
            case .reloadSections(let sections, _):
                for section in sections {
                    guard let newSection = origins.firstIndex(of: section) else { return nil }
                    touched.insert(newSection)
                }
            default: break
            }
        }
        return touched
    }
}
