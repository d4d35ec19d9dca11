import TestSupport
import Testing

@testable import CollectionLayouts

/// A stack of sections, compared with an array of them.
@Suite("Stacks of sections")
struct SectionStackTests {
    private struct Block: LaidOutSection, Equatable {
        let name: Int
        let extent: Double
        var overhang = 0.0
        var itemCount: Int { 0 }
    }

    private func block(_ name: Int, _ random: inout SeededNumbers) -> Block {
        Block(
            name: name,
            extent: Double(random.next(below: 5)),
            overhang: random.chance(0.1) ? Double(random.next(below: 7)) : 0
        )
    }

    private func blocks(_ stack: SectionStack<Block>) -> [Block] {
        (0..<stack.count).compactMap { stack.element(at: $0) }
    }

    private func drawn(_ count: Int, _ random: inout SeededNumbers) -> SectionStack<Block> {
        let counts = (0..<count).map { _ in random.next(below: 4) }
        return SectionStack(counts) { section, itemCount in
            #expect(itemCount == counts[section])
            return block(section, &random)
        }
    }

    @Test(arguments: 0..<40)
    func sectionsThatMayReachIntoAnIntervalAreVisitedInOrder(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let stack = drawn(random.next(below: 300), &random)
        let model = blocks(stack)
        let origin = Double(random.next(below: 3))
        var starts: [Double] = []
        var end = 0.0
        for block in model {
            starts.append(end)
            end += block.extent
        }
        #expect(stack.extent == end)
        #expect(model.indices.allSatisfy { stack.start(of: $0) == starts[$0] })
        let overhang = model.map(\.overhang).max() ?? 0
        for _ in 0..<40 {
            let low = Double(random.next(below: Int(end) + 20)) - 10
            let interval = low...(low + Double(random.next(below: 30)))
            var found: [Int] = []
            stack.visit(interval, from: origin) { index, section, start in
                found.append(index)
                #expect(section == model[index] && start == origin + starts[index])
            }
            let expected = model.indices.filter {
                origin + starts[$0] - overhang <= interval.upperBound
                    && origin + starts[$0] + model[$0].extent + overhang >= interval.lowerBound
            }
            #expect(found == expected, "seed \(seed), \(interval)")
        }
    }

    /// What an update touches is laid out once, in order, given what it was; all else is as it was.
    @Test(arguments: 0..<100)
    func anUpdateTakesAlongWhatItDoesNotTouch(_ seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let stack = drawn(random.next(below: 8), &random)
        let old = blocks(stack)
        let draft = RandomUpdate(from: stack.shape, &random, rate: 0.2)
        let update = try draft.changes.validated(from: stack.shape, to: draft.newShape)
        #expect(stack.precedes(update) == !update.isReloadData)
        guard !update.isReloadData else { return }
        let plan = SectionEditPlan(update)
        var asked: [Int] = []
        let next = stack.applying(update, layingOut: plan.touchedSections) { section, former in
            asked.append(section)
            #expect(former == update.formerSection(of: section).map { old[$0] })
            return Block(name: 1000 + section, extent: 1)
        }
        #expect(asked == asked.sorted() && Set(asked) == Set(plan.touchedSections))
        #expect(next.shape == draft.newShape && next.count == draft.newShape.numberOfSections)
        for (section, block) in blocks(next).enumerated() {
            let former = update.formerSection(of: section).map { old[$0] }
            let isTouched = asked.contains(section)
            #expect(former != nil || isTouched)
            #expect(block == (isTouched ? Block(name: 1000 + section, extent: 1) : former))
        }
        #expect(blocks(stack) == old, "a version that somebody has stays as it is")
        #expect(!next.precedes(update) || draft.newShape == stack.shape)
    }

    @Test func aSectionInThePlaceOfAnotherMayHaveAnotherNumberOfItems() {
        var stack = SectionStack([1, 2]) { section, _ in Block(name: section, extent: 1) }
        stack.replace(at: 1, with: Block(name: 7, extent: 3))
        #expect(stack.extent == 4 && stack.shape == [1, 2])
        stack.replace(at: 0, with: Block(name: 8, extent: 3), itemCount: 5)
        #expect(blocks(stack).map(\.name) == [8, 7] && stack.shape == [5, 2])
        for index in [-1, 2] {
            stack.replace(at: index, with: Block(name: 9, extent: 1), itemCount: 9)
            #expect(stack.extent == 6 && stack.shape == [5, 2])
        }
        let doubled = stack.mapped { Block(name: $0, extent: 2 * $1.extent) }
        #expect(blocks(doubled).map(\.name) == [0, 1] && doubled.extent == 12)
        #expect(doubled.shape == stack.shape && SectionStack<Block>().shape == [])
    }

    // MARK: What is stale

    @Test func whatIsListedFollowsAnUpdate() throws {
        let context = LayoutInvalidationContext()
        context.invalidateItems(at: [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)])
        let headers = [0, 1].map { ItemPath(section: $0, item: 0) }
        context.invalidateSupplementaryElements(ofKind: .header, at: headers)
        context.invalidateDecorationElements(ofKind: .footer, at: [ItemPath(section: 2, item: 0)])
        var stale = LayoutStaleness()
        stale.note(listedBy: context, decorations: true)
        stale.sections = [2]
        #expect(stale.touchedSections == [0, 1, 2] && stale.supplementedSections == [0, 1])
        var changes = HierarchyChangeSet()
        changes.insertSections([0])
        changes.deleteSections([1])
        changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        stale.follow(try changes.validated(from: [3, 1, 1], to: [0, 2, 1]))
        #expect(stale.items == [1: [0]] && stale.supplements == [.header: [1]])
        #expect(stale.sections == [2] && stale.decorations == [2])
        stale.clearLists()
        #expect(stale.touchedSections == [] && !stale.everything && !stale.metrics)
    }
}
