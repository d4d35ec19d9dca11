import CollectionChanges
import Testing

/// The first line where it depends on the numbers.
@Suite struct ErrorSummaryTests {
    @Test func aMissingPlaceSaysWhatThereIsInItsStead() {
        typealias Operation = HierarchyChangeSet.Operation
        let cases: [(Operation, HierarchyShape, String)] = [
            (.deleteItems([path(0, -1)], .none), [2], "but indexes start at 0"),
            (
                .deleteItems([path(0, 0)], .none), [0],
                "but section 0 has no items before the update"
            ),
            (
                .deleteItems([path(0, 1)], .none), [1],
                "but section 0 has only 1 item before the update"
            ),
            (
                .deleteItems([path(0, 2)], .none), [2],
                "but section 0 has only 2 items before the update"
            ),
            (.deleteSections([-1], .none), [2], "but indexes start at 0"),
            (.deleteSections([0], .none), [], "but there are no sections before the update"),
            (.deleteSections([1], .none), [2], "but there is only 1 section before the update"),
            (
                .deleteSections([2], .none), [2, 2],
                "but there are only 2 sections before the update"
            ),
        ]
        for (operation, shape, text) in cases {
            let error = refusal { () throws(HierarchyUpdateError) in
                try HierarchyChangeSet([operation]).validated(from: shape, to: shape)
            }
            #expect(error?.summary.hasSuffix(", " + text) == true, "\(error?.summary ?? "")")
        }
    }

    /// A caller may know less than the validators do.
    @Test func aFaultWithoutAPlaceHasItsMessageAsSummary() {
        for code: HierarchyUpdateError.Code in [
            .duplicateDeleteItem, .insertAndMoveSection, .deleteItemRange,
        ] {
            #expect(HierarchyUpdateError(code, "what it is").summary == "what it is")
        }
    }

    @Test func aSummaryKeepsItsBeginningAndIsShorterThan100Characters() {
        let letters = String((0..<120).map { Character(UnicodeScalar(UInt8(65 + $0 % 26))) })
        for count in 1...120 {
            let text = String(letters.prefix(count))
            let expected = count < 100 ? text : String(letters.prefix(98)) + "…"
            #expect(HierarchyUpdateError(.init(rawValue: "new"), text).summary == expected)
        }
    }

    @Test(arguments: 15...18)
    func aShapeIsWrittenWithEveryCountUpTo16Sections(_ sections: Int) {
        let shape = HierarchyShape(Array(repeating: 2, count: sections))
        let error = refusal { () throws(HierarchyUpdateError) in
            try HierarchyChangeSet([.deleteSections([99], .none)]).validated(from: shape, to: [])
        }
        let counts = Array(repeating: "2", count: sections).joined(separator: ", ")
        let expected =
            sections <= 16
            ? "Before: { \(sections) sections with item counts: [\(counts)] }"
            : "Before: \(sections) sections with \(sections * 2) items"
        #expect(error?.description.split(separator: "\n").contains { $0 == expected } == true)
    }

    @Test func aSumOfItemsBeyondTheIntegersIsSaidToBe() {
        let error = refusal { () throws(HierarchyUpdateError) in
            try ShapeLimits(sections: 2, items: .max).check([.max, 1])
        }
        let text = "more than \(Int.max)"
        #expect(
            error?.message == "The number of items in all sections must be at most \(Int.max), but"
                + " the sections up to 1 already have \(text)"
        )
        // Cut, for it is longer than a line; what is left of it says the same.
        let whole = "\(Int.max) items are the limit, but the sections up to 1 have \(text)"
        #expect(
            error?.summary == (whole.count < 100 ? whole : whole.prefix(98) + "…")
        )
    }
}
