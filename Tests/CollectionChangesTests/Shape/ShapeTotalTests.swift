import Testing

@testable import CollectionChanges

@Suite struct ShapeTotalTests {
    @Test func totalIsKeptUnlessACountIsAbsurd() {
        #expect(HierarchyShape([]).plainTotal == 0)
        #expect(HierarchyShape([0, 0]).plainTotal == 0)
        #expect(HierarchyShape([3, 4]).plainTotal == 7)
        #expect(HierarchyShape([.max]).plainTotal == .max)
        #expect(HierarchyShape([-1, 3]).plainTotal == nil)
        #expect(HierarchyShape([.max, 0]).plainTotal == nil)
    }

    @Test func totalOfAbsurdCountsIsTheirSumWhereItIsAnInteger() {
        #expect(HierarchyShape([-1, 3]).numberOfItems == 2)
        #expect(HierarchyShape([.max, 0]).numberOfItems == .max)
        #expect(HierarchyShape([.max, -1, 1]).numberOfItems == .max)
        #expect(HierarchyShape([.max, 1, -1]).numberOfItems == nil)
    }

    @Test func shapesHashByTheirCounts() {
        let shapes = everyShape(sections: 3, itemsEach: 3, items: 9)
        #expect(Set(shapes.map(\.hashValue)).count > shapes.count / 2)
        for shape in shapes {
            #expect(shape.hashValue == HierarchyShape(shape.itemCounts).hashValue)
        }
    }
}
