import CollectionChanges
import Testing

@Suite struct HierarchyShapeTests {
    @Test func queriesOutsideTheShapeReturnNil() {
        let shape: HierarchyShape = [2, 0]
        for section in [Int.min, -1, 2, Int.max] {
            #expect(shape.numberOfItems(inSection: section) == nil)
            #expect(!shape.contains(path(section, 0)))
        }
        for item in [Int.min, -1, 2, Int.max] { #expect(!shape.contains(path(0, item))) }
        #expect(shape.contains(path(0, 1)) && !shape.contains(path(1, 0)))
        #expect(shape.numberOfSections == 2 && shape.numberOfItems(inSection: 0) == 2)
    }

    /// Includes counts that no data source should return.
    @Test func theTotalIsTheSumOrNilIfItOverflows() {
        let rows: [([Int], Int?)] = [
            ([3, 4], 7), ([], 0), ([.max, 1], nil), ([.min, -1], nil), ([.max, 0], .max),
            ([.max, -1, 1], .max), ([-2, 5], 3), ([1 << 62, 1 << 62], nil),
            ([1 << 61, 1 << 61], 1 << 62), ([.max, .max, 2], nil),
        ]
        for (counts, total) in rows {
            #expect(HierarchyShape(counts).numberOfItems == total, "\(counts)")
        }
        #expect(HierarchyShape([3]).description == "{ 1 section with item counts: [3] }")
        let long = HierarchyShape(Array(repeating: 1, count: 20)).description
        #expect(long.hasPrefix("{ 20 sections with item counts: [1, 1, "))
        #expect(long.hasSuffix("1, … 4 more] }"))
    }

    @Test func limitsAreInclusiveAndErrorsNameTheSection() {
        let usual = ShapeLimits()
        let rows: [(ShapeLimits, HierarchyShape, HierarchyUpdateError.Code?, Int?)] = [
            (usual, [1, -1], .negativeItemCount, 1), (usual, [.min], .negativeItemCount, 0),
            (usual, [1 << 24], nil, nil), (usual, [1 << 24, 1], .tooManyItems, 1),
            (ShapeLimits(sections: 2, items: 5), [2, 3], nil, nil),
            (ShapeLimits(sections: 2, items: 5), [2, 4], .tooManyItems, 1),
            (ShapeLimits(sections: 2, items: 5), [0, 0, 0], .tooManySections, nil),
            (ShapeLimits(sections: -1), [], .tooManySections, nil),
            (ShapeLimits(sections: .max, items: .max), [.max, 1], .tooManyItems, 1),
            (ShapeLimits(sections: .max, items: .max), [.max, 0], nil, nil),
        ]
        for (limits, shape, code, section) in rows {
            let error = rejection(of: try limits.check(shape))
            #expect(error?.code == code && error?.section == section, "\(shape)")
        }
        #expect(usual.sections == 1 << 24)
    }

    @Test(arguments: ValidationProfile.allCases)
    func shapesAreCheckedBeforeTheRecord(profile: ValidationProfile) {
        let limits = ShapeLimits(sections: 1, items: 3)
        let codes: [HierarchyUpdateError.Code] = [
            .tooManyItems, .tooManySections, .negativeItemCount,
        ]
        let rows: [(HierarchyShape, HierarchyShape)] = [
            ([4], [1]), ([1], [4]), ([1, 1], [1]), ([1], [-1]),
        ]
        for (old, new) in rows {
            let wrong = record("D7.7")
            let error = rejection(
                of: try wrong.validated(from: old, to: new, profile: profile, limits: limits)
            )
            let isRight =
                error.map { codes.contains($0.code) } == true && error?.oldShape == old
                && error?.newShape == new
            #expect(isRight, "\(old) to \(new)")
        }
    }
}
