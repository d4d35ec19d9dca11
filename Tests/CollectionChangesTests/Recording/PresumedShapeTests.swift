import CollectionChanges
import TestSupport
import Testing

/// The shape that follows from a record and a few counts, against a plain model that moves whole
/// sections about.
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

    /// A valid record accounts for every difference, so no section need be named.
    @Test func randomRecordsMatchTheModelAndValidOnesGiveTheNewShape() {
        for seed in UInt64(0)..<Effort.number(2_000, usually: 300) {
            var records = RandomRecords(seed: seed)
            let isValid = seed.isMultiple(of: 2)
            var draw =
                isValid
                ? records.valid(sections: seed.isMultiple(of: 6) ? 80 : 9, items: 3)
                : records.spoilt()
            if seed.isMultiple(of: 5) { draw.changes.reloadData() }
            #expect(difference(draw.changes, draw.old, draw.new) == nil, "seed \(seed)")
            let shape = presumed(draw.changes, draw.old, draw.new).shape
            if isValid { #expect(shape == draw.new, "seed \(seed)") }
        }
    }

    // MARK: What is asked

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129])
    func everySectionCanBeTouchedHoweverManyThereAre(count: Int) {
        let old = HierarchyShape(Array(repeating: 2, count: count))
        let result = presumed(HierarchyChangeSet(), old, old, naming: SectionSet(0..<count))
        #expect(result.asked == Array(0..<count))
    }

    @Test func countsAreSharedWhereNoneDiffers() {
        func address(_ shape: HierarchyShape) -> UnsafePointer<Int>? {
            shape.itemCounts.withUnsafeBufferPointer { $0.baseAddress }
        }
        let old: HierarchyShape = [1, 2, 3]
        let same = presumed(record("R1.0"), old, old, naming: [0, 1, 2])
        #expect(same.asked == [0, 1, 2] && address(same.shape) == address(old))
        #expect(address(presumed(record("R1.0"), old, [1, 9, 3]).shape) != address(old))
    }

    @Test func anyIntegersAreTaken() {
        let all = SectionSet(Int.min...Int.max)
        var thinning = Thinning(7)
        withEveryPairOfExtremeOperations { changes in
            guard thinning.takesNext() else { return }
            let result = presumed(changes, [1, 2], [1, 2], naming: all)
            if result.asked != [0, 1] { Issue.record("\(changes.operations): \(result)") }
        }
        for count in [Int.min, -1, 0, 1] {
            var asked: [Int] = []
            let shape = HierarchyChangeSet().presumedShape(
                from: [.max, -3],
                numberOfSections: count,
                recounting: all
            ) {
                asked.append($0)
                return .min
            }
            #expect(shape.numberOfSections == max(0, count))
            #expect(asked == Array(0..<max(0, count)))
        }
    }
}

private func presumed(
    _ changes: HierarchyChangeSet,
    _ old: HierarchyShape,
    _ new: HierarchyShape,
    naming named: SectionSet = []
) -> (shape: HierarchyShape, asked: [Int]) {
    var asked: [Int] = []
    let shape = changes.presumedShape(
        from: old,
        numberOfSections: new.numberOfSections,
        recounting: named
    ) {
        asked.append($0)
        return new.itemCounts[$0]
    }
    return (shape, asked)
}

/// What a presumed shape is otherwise than the model's; nil where both agree.
private func difference(
    _ changes: HierarchyChangeSet,
    _ old: HierarchyShape,
    _ new: HierarchyShape
) -> String? {
    let model = PresumedShapeModel(changes, from: old, to: new)
    let (shape, asked) = presumed(changes, old, new)
    // With the sections named that differ, the verdict is that of all counts.
    let named = SectionSet(
        new.itemCounts.indices.filter { new.itemCounts[$0] != model.shape.itemCounts[$0] }
    )
    if asked == model.asked, shape == model.shape,
        presumed(changes, old, new, naming: named).shape == new
    {
        return nil
    }
    return "\(old) to \(new), \(changes.operations): \(shape), \(asked), not \(model)"
}

/// What a presumed shape is to be, written down section by section.
private struct PresumedShapeModel {
    var asked: [Int]
    var shape: HierarchyShape

    init(_ changes: HierarchyChangeSet, from old: HierarchyShape, to new: HierarchyShape) {
        guard let origins = Self.origins(changes, old.numberOfSections, new.numberOfSections),
            let touched = Self.touched(changes, origins)
        else {
            asked = Array(new.itemCounts.indices)
            shape = new
            return
        }
        asked = touched.sorted()
        shape = HierarchyShape(
            origins.enumerated().map { section, origin in
                touched.contains(section) ? new.itemCounts[section] : old.itemCounts[origin ?? 0]
            }
        )
    }

    /// For every new section the old one that is there, or nil for an inserted one; nil altogether
    /// where the section operations cannot be right.
    private static func origins(
        _ changes: HierarchyChangeSet,
        _ oldCount: Int,
        _ newCount: Int
    ) -> [Int?]? {
        var leaving: [Int] = []
        var coming: [Int: Int?] = [:]
        for operation in changes.operations {
            switch operation {
            case .deleteSections(let sections, _): leaving += sections
            case .insertSections(let sections, _):
                for section in sections {
                    if coming.updateValue(Int?.none, forKey: section) != nil { return nil }
                }
            case .moveSection(let oldSection, let newSection, _):
                leaving.append(oldSection)
                if coming.updateValue(Int?.some(oldSection), forKey: newSection) != nil {
                    return nil
                }
            case .reloadData: return nil
            default: break
            }
        }
        let survivors = (0..<oldCount).filter { !leaving.contains($0) }
        guard survivors.count == oldCount - leaving.count,
            coming.keys.allSatisfy({ (0..<newCount).contains($0) }),
            survivors.count + coming.count == newCount
        else { return nil }
        var rest = survivors[...]
        return (0..<newCount).map { coming[$0] ?? rest.removeFirst() }
    }

    /// The new sections to ask for; nil where a reloaded one is not there before or after.
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
