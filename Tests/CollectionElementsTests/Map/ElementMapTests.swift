import TestSupport
import Testing

@testable import CollectionElements

/// Compares maps with plain arrays: elements, contents and places of items and supplementary
/// elements, sections with contexts, counts, iteration, conversion, and the changes between any two
/// kept versions.
@Suite("Element maps")
struct ElementMapTests {
    /// Versions branch from older ones and are released, and labels are used up.
    @Test(arguments: UInt64(1)...UInt64(Effort.number(10, usually: 2)))
    func everyKeptVersionMatchesItsArrays(_ seed: UInt64) throws {
        var history = try MapHistory(seed: seed)
        for step in 0..<100 {
            try history.advance()
            if step % 5 == 4, let fault = try history.fault() {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        #expect(history.hasRelabelledItems && history.hasRelabelledSections)
    }

    /// Moves and reconfigures an item, alone and together, there and back, in every order of three
    /// changes.
    @Test func anItemIsFoundInEveryVersionOfEverySequence() throws {
        var maker = ElementMaker()
        var faults: [String] = []
        func extend(_ versions: [MapPicture], _ element: CollectionElement) throws {
            let newest = versions[versions.count - 1]
            for (age, version) in versions.enumerated() {
                let fault = try version.difference([element]) ?? newest.faultFrom(version)
                if let fault { faults.append("version \(age) of \(versions.count): \(fault)") }
            }
            guard versions.count < 4, let path = newest.map.path(of: element) else { return }
            let counts = newest.shape.itemCounts
            for target in [ItemPath(0, 0), ItemPath(0, 1), ItemPath(1, 0), ItemPath(1, 2)] {
                var after = counts
                after[path.section] -= 1
                after[target.section] += 1
                guard target.item < after[target.section] else { continue }
                let isUpdated = target.item == 1
                let next = try newest.changed(to: after, &maker) {
                    $0.moveItem(at: path, to: target)
                    if isUpdated { $0.reconfigureItems(at: [path]) }
                }
                try extend(versions + [next], element)
            }
            let updated = try newest.changed(to: counts, &maker) { $0.reconfigureItems(at: [path]) }
            try extend(versions + [updated], element)
        }
        let start = try MapPicture().loaded([2, 2], &maker)
        try extend([start], start.sections[0].items[0].element)
        #expect(faults == [])
    }

    /// A change set can be rejected, and its elements inserted elsewhere or the same set applied
    /// again.
    @Test(arguments: [0, 1])
    func aChangeAppliedTwiceGivesTwoCorrectMaps(_ dropped: Int) throws {
        var maker = ElementMaker()
        let base = try MapPicture().loaded([3, 2, 2], &maker)
        var changes = HierarchyChangeSet()
        changes.deleteSections([0])
        changes.moveSection(2, toSection: 0)
        changes.moveItem(at: ItemPath(0, 1), to: ItemPath(1, 1))
        changes.insertSections([1])
        changes.insertItems(at: [ItemPath(2, 2)])
        changes.reconfigureItems(at: [ItemPath(2, 0)])
        let update = try changes.validated(from: base.shape, to: [2, 4, 3])
        let counts: [Int: MapPicture.Counts] = [1: [.header: (0, 2)], 2: [.footer: (0, 1)]]
        let step = base.step(update, &maker, supplementaries: counts)
        _ = base.applying(step)
        var branches = [base.applying(step), base.applying(step)]
        let elements = branches.flatMap { $0.elements.keys } + base.elements.keys
        #expect((branches + [base]).compactMap { $0.difference(elements) } == [])
        // Whichever map is released first, the other still finds its elements.
        branches.remove(at: dropped)
        #expect((branches + [base]).compactMap { $0.difference(elements) } == [])
    }

    // MARK: Queries

    @Test func queriesOutsideTheMapReturnNil() throws {
        var maker = ElementMaker()
        let counts: MapPicture.Counts = [.header: (0, 1)]
        let map = try MapPicture().loaded([1], &maker, supplementaries: [0: counts]).map
        let paths = [
            ItemPath(0, 1), ItemPath(1, 0), ItemPath(-1, 0), ItemPath(0, -1), ItemPath(.max, 0),
            ItemPath(0, .max), ItemPath(.min, .min),
        ]
        for path in paths {
            let isFound =
                map.element(at: path) != nil || map.content(at: path) != nil
                || map.supplementary(ofKind: .header, at: path) != nil
                || map.element(at: ElementPlace(path: path, kind: .header)) != nil
                || map.convert(path, from: map) != nil
            #expect(!isFound, "\(path)")
        }
        #expect(map.supplementary(ofKind: .footer, at: ItemPath(0, 0)) == nil)
        for section in [-1, 1, Int.min, Int.max] {
            let isFound =
                map.numberOfItems(inSection: section) != nil || map.section(at: section) != nil
                || map.context(forSection: section) != nil
                || map.numberOfSupplementaries(ofKind: .header, inSection: section) != 0
                || map.convertSection(section, from: map) != nil
            map.forEachItem(inSection: section) { _ in Issue.record("an item in \(section)") }
            #expect(!isFound, "\(section)")
        }
        let stranger = maker.element()
        #expect(map.place(of: stranger) == nil && map.index(of: maker.section()) == nil)
    }

    @Test func iterationStartsAtAnyPath() throws {
        var maker = ElementMaker()
        let map = try MapPicture().loaded([0, 3, 0, 0, 100, 0], &maker).map
        let paths = map.items.map(\.path)
        for section in [-1, 0, 1, 2, 4, 5, 6, Int.max] {
            for item in [-1, 0, 1, 2, 3, 50, 99, 100, Int.max] {
                let start = ItemPath(section, item)
                #expect(map.items(from: start).map(\.path) == paths.filter { $0 >= start })
            }
        }
    }

    @Test func mapsReportSharedStorageAndCollection() throws {
        var maker = ElementMaker()
        let picture = try MapPicture().loaded([2, 1], &maker)
        let later = picture.map.withGeneration(9)
        #expect(later.isIdentical(to: picture.map) && later.generation == 9)
        let same = later.changes(from: picture.map)
        #expect(same.edits.isEmpty && same.newShape == [2, 1] && !same.isReloadData)
        let other = try MapPicture().loaded([2, 1], &maker)
        #expect(!other.map.isIdentical(to: picture.map))
        let (one, two) = (HeldReclaimer(), HeldReclaimer())
        let map = ElementMap.empty(generation: 0, reclaimer: one)
        #expect(map.emptied(generation: 4).isOfSameCollection(as: map))
        #expect(map.emptied(generation: 4).generation == 4)
        #expect(!map.isOfSameCollection(as: .empty(generation: 0, reclaimer: two)))
    }

    @Test(.endsHangs) func contentsOutOfOrderStopTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            var maker = ElementMaker()
            let header = maker.element(kind: .header)
            let place = ElementPlace(path: ItemPath(section: 0, item: 0), kind: .header)
            _ = try MapPicture().loaded([1], &maker).map.replacingContents(
                [],
                supplementaries: [(place, header.firstContent)],
                generation: 2
            )
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("contents out of order"), "\(text)")
    }

    // MARK: Removal

    /// An element is removed together with the section to which the last accepted change moved it,
    /// even if maps have been released or rejected.
    @Test func anElementIsRemovedWithItsCurrentSection() throws {
        var maker = ElementMaker()
        let counts: [Int: MapPicture.Counts] = [1: [.header: (0, 2)]]
        let start = try MapPicture().loaded([2, 1, 1], &maker, supplementaries: counts)
        let elements = start.sections.flatMap(\.items).map(\.element)
        let headers = (start.sections[1].supplementaries[.header] ?? []).map(\.element)
        var now = try start.moving(ItemPath(0, 0), to: ItemPath(1, 0), &maker)
        elements[0].markMoved(to: now.sections[1].section)
        let rejected = try now.moving(ItemPath(0, 0), to: ItemPath(2, 0), &maker)
        func removed() -> [Bool] { (elements + headers).map(\.isRemoved) }
        elements[3].markRemoved()
        #expect(removed() == [false, false, false, true, false, false])
        now.sections[0].section.markRemoved()
        #expect(removed() == [false, true, false, true, false, false])
        now.sections[1].section.markRemoved()
        #expect(removed() == [true, true, true, true, true, true])
        now = try now.changed(to: [1], &maker) { $0.deleteSections([0, 1]) }
        #expect(now.map.path(of: elements[0]) == nil && elements[0].isRemoved)
        withExtendedLifetime(rejected) {}
    }
}
