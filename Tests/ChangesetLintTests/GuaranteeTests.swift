import CollectionPipeline
import Testing

@testable import changeset_lint

/// What is checked of a pipeline, where it would be broken.
@Suite struct GuaranteeTests {
    /// Maps of elements that nobody has measured.
    private static func makeMap(_ counts: [Int]) throws -> ElementMap {
        let empty = ElementMap.empty(generation: 0)
        let update = ValidatedChangeSet.reloadingData(
            from: empty.shape,
            to: HierarchyShape(counts)
        )
        let terms = ElementTerms(
            sizeRange: .unconstrained,
            surroundings: ElementSurroundings(Traits())
        )
        var change = ElementMapChange()
        change.freshSections = counts.enumerated().map { index, count in
            let elements: [CollectionElement] = (0..<count).map { _ in
                ProvidedElement(model: nil, provider: nil, terms: terms)
            }
            return .init(
                section: CollectionSection(id: index, context: nil),
                elements: elements
            )
        }
        return empty.applying(update, change, generation: 1)
    }

    @Test func everyPlaceOfAnItemIsCompared() {
        let path = ItemPath(section: 1, item: 2)
        let places = [nil, path, ItemPath(section: 0, item: 0)]
        for isMeasured in [false, true] {
            for pathByIdentity in places {
                for oldPath in places {
                    for oldPathByIdentity in places {
                        let origin = ItemOrigin(
                            path: path,
                            isMeasured: isMeasured,
                            pathByIdentity: pathByIdentity,
                            oldPath: oldPath,
                            oldPathByIdentity: oldPathByIdentity
                        )
                        var expected: [String] = []
                        if !isMeasured {
                            expected += ["the item at 1 - 2 was deployed without being measured"]
                        }
                        if pathByIdentity != path {
                            expected += ["the item at 1 - 2 is not found by its identity"]
                        }
                        if oldPathByIdentity != nil && oldPathByIdentity != oldPath {
                            expected += ["Identity Kept: the item at 1 - 2 is mapped wrongly"]
                        }
                        #expect(origin.faults == expected)
                    }
                }
            }
        }
    }

    @Test func everythingThatARejectionChangesIsNamed() throws {
        let (before, other) = (try Self.makeMap([2]), try Self.makeMap([2]))
        // The same content, published again.
        let maps = [before, other, before.withGeneration(before.generation + 1)]
        func expected(_ what: String) -> String {
            "Whole Or Nothing: \(what) although the set was refused"
        }
        for (pendingIndex, pending) in maps.enumerated() {
            for (visibleIndex, visible) in maps.enumerated() {
                for (shownIndex, shown) in [before, other, nil].enumerated() {
                    for asks in [[], ["b0.0"]] {
                        let guarantees = RejectionGuarantees(
                            before: before,
                            pendingMap: pending,
                            visibleMap: visible,
                            shownMap: shown,
                            asks: asks
                        )
                        var faults: [String] = []
                        if pendingIndex > 0 { faults += [expected("the pending map changed")] }
                        if visibleIndex > 0 { faults += [expected("the visible map changed")] }
                        if shownIndex > 0 { faults += [expected("the view was updated")] }
                        if !asks.isEmpty { faults += [expected("content was asked for")] }
                        #expect(guarantees.faults == faults)
                    }
                }
            }
        }
    }

    private static let wrongShape =
        "Consistent Snapshot: the map has the shape "
        + "{ 1 section with item counts: [2] }"

    @Test func everythingThatADeploymentBreaksIsNamedInOrder() throws {
        let (before, other) = (try Self.makeMap([2]), try Self.makeMap([2]))
        let changes = HierarchyChangeSet([
            .insertItems([ItemPath(section: 0, item: 0)], .none)
        ])
        let update = try changes.validated(from: [2], to: [3])
        let acceptance = Examination.Acceptance(update: update, asks: [], sections: [], map: [])
        let guarantees = AcceptanceGuarantees(
            acceptance: acceptance,
            before: ElementNames(of: before),
            updatedMap: other,
            pendingMap: other,
            visibleMap: before
        )
        #expect(
            guarantees.faults == [
                "Consistent Snapshot: the view was updated from another map",
                "Consistent Snapshot: the visible map is not the pending one", Self.wrongShape,
                "Consistent Snapshot: applying the edits gives another map",
                "the data source was asked in another order than that of the edits",
                "the item at 0 - 0 was deployed without being measured",
                "Identity Kept: the item at 0 - 0 is mapped wrongly",
                "the item at 0 - 1 was deployed without being measured",
                "Identity Kept: the item at 0 - 1 is mapped wrongly",
            ]
        )
    }

    @Test func namesAreThoseOfTheFirstMapAndAQuestionMarkOfWhatNobodyNamed() throws {
        let (before, other) = (try Self.makeMap([2, 0, 1]), try Self.makeMap([1, 2]))
        let names = ElementNames(of: before)
        let own = names.names(in: before)
        #expect(own.sections == ["s0", "s1", "s2"])
        #expect(own.map == [["o0.0", "o0.1"], [], ["o2.0"]])
        let others = names.names(in: other)
        #expect(others.sections == ["?", "?"])
        #expect(others.map == [["?"], ["?", "?"]])
    }
}
