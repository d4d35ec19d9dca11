import CollectionChanges
import Testing

@Suite struct HierarchyShapeTests {
    @Test func queriesAnswerNilBeyondTheShape() {
        let shape: HierarchyShape = [2, 0]
        #expect(shape.numberOfSections == 2)
        #expect(shape.numberOfItems(inSection: 0) == 2)
        for section in [Int.min, -1, 2, Int.max] {
            #expect(shape.numberOfItems(inSection: section) == nil)
            #expect(!shape.contains(ItemPath(section: section, item: 0)))
        }
        for item in [Int.min, -1, 2, Int.max] {
            #expect(!shape.contains(ItemPath(section: 0, item: item)))
        }
        #expect(shape.contains(ItemPath(section: 0, item: 1)))
        #expect(!shape.contains(ItemPath(section: 1, item: 0)))
    }

    @Test func totalIsNilWhereItOverflows() {
        #expect(HierarchyShape([3, 4]).numberOfItems == 7)
        #expect(HierarchyShape.empty.numberOfItems == 0)
        #expect(HierarchyShape([.max, 1]).numberOfItems == nil)
        #expect(HierarchyShape([.min, -1]).numberOfItems == nil)
    }

    @Test func longShapesAreDescribedInShort() {
        #expect(HierarchyShape([3]).description == "{ 1 section with item counts: [3] }")
        let long = HierarchyShape(Array(repeating: 1, count: 20)).description
        #expect(long.hasPrefix("{ 20 sections with item counts: [1, 1, "))
        #expect(long.hasSuffix("1, … 4 more] }"))
    }
}

@Suite struct ShapeLimitsTests {
    @Test func negativeCountIsRejected() {
        let error = fault(ShapeLimits(), [1, -1])
        #expect(error?.code == .negativeItemCount)
        #expect(error?.section == 1)
        #expect(fault(ShapeLimits(), [.min])?.code == .negativeItemCount)
    }

    @Test func sumThatOverflowsIsRejected() {
        let error = fault(ShapeLimits(sections: .max, items: .max), [.max, 1])
        #expect(error?.code == .tooManyItems)
        #expect(error?.section == 1)
        #expect(error?.message.contains("more than \(Int.max)") == true)
        #expect(fault(ShapeLimits(sections: .max, items: .max), [.max, 0]) == nil)
    }

    @Test func limitsAreInclusive() {
        let limits = ShapeLimits(sections: 2, items: 5)
        #expect(fault(limits, [2, 3]) == nil)
        let error = fault(limits, [2, 4])
        #expect(error?.code == .tooManyItems)
        #expect(error?.message.contains("the sections up to 1 already have 6") == true)
        #expect(fault(limits, [0, 0, 0])?.code == .tooManySections)
        #expect(fault(ShapeLimits(sections: -1), [])?.code == .tooManySections)
        #expect(fault(ShapeLimits(), [1 << 24]) == nil)
        #expect(fault(ShapeLimits(), [1 << 24, 1])?.code == .tooManyItems)
    }

    @Test(arguments: ValidationProfile.allCases)
    func bothShapesAreJudgedBeforeAnythingElse(profile: ValidationProfile) {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(section: 7, item: 7)])
        let limits = ShapeLimits(sections: 1, items: 3)
        for (old, new) in [([4], [1]), ([1], [4]), ([1, 1], [1]), ([1], [-1])] {
            do {
                _ = try changes.validated(
                    from: HierarchyShape(old),
                    to: HierarchyShape(new),
                    profile: profile,
                    limits: limits
                )
                Issue.record("accepted \(old) to \(new)")
            } catch {
                let codes: [HierarchyUpdateError.Code] = [
                    .tooManyItems, .tooManySections, .negativeItemCount,
                ]
                #expect(codes.contains(error.code))
                #expect(error.oldShape?.itemCounts == old && error.newShape?.itemCounts == new)
            }
        }
    }

    private func fault(_ limits: ShapeLimits, _ shape: HierarchyShape) -> HierarchyUpdateError? {
        refusal { () throws(HierarchyUpdateError) in try limits.check(shape) }
    }
}
