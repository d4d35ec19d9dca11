import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline

@Suite("Making the elements of new items", .endsHangs)
struct ItemMakingTests {
    private func terms(_ map: ElementMap) -> [[ObjectIdentifier]] {
        map.elements.map { $0.map { ObjectIdentifier($0.terms) } }
    }

    /// Whatever the last range was, each element has its own; neighbours with the same share their terms.
    @Test(arguments: Substrate.allCases)
    func neighboursOnTheSameTermsShareThem(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a1", "b1", "c2", "d2", "e2"], ["f2", "g3", "h", "i"]])
        await scene.withModel { source in
            source.sizeRange = { text in
                text.last?.wholeNumberValue.map { SizeRange.width(Double($0)) }
            }
        }
        try await scene.controller.reloadData()
        let terms = terms(scene.controller.visibleMap)
        #expect(terms[0][0] == terms[0][1])
        #expect(Set([terms[0][2], terms[0][3], terms[0][4], terms[1][0]]).count == 1)
        #expect(terms[1][2] == terms[1][3])
        #expect(Set(terms.joined()).count == 4)
        let ranges = scene.controller.visibleMap.elements.joined().map(\.terms.sizeRange)
        let widths: [Double] = [1, 1, 2, 2, 2, 2, 3, 10, 10]
        #expect(ranges == widths.map { SizeRange.width($0) })
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func runsOfModelsOnTheSameTermsShareThem(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["a", "b"], ["c"], ["d", "e"], ["f"]])
        await onMain(scene.controller) { controller in
            controller.assumeIsolated().dataSource.sizeRange = { $1 < 2 ? .width(4) : nil }
        }
        try await scene.controller.reloadData()
        let terms = terms(scene.controller.visibleMap)
        #expect(Set(terms[0] + terms[1]).count == 1)
        #expect(Set(terms[2] + terms[3]).count == 1)
        #expect(Set(terms.joined()).count == 2)
        let ranges = scene.controller.visibleMap.elements.map { $0.map(\.terms.sizeRange) }
        let (own, views) = (SizeRange.width(4), SizeRange.width(10))
        #expect(ranges == [[own, own], [own], [views, views], [views]])
        await scene.controller.close()
    }

    /// For every number of models but the right one; what is beyond one too many is not even looked at.
    @Test(arguments: Substrate.allCases)
    func aWrongNumberOfModelsIsNamedWithTheItemsThatItIsFor(_ substrate: Substrate) async throws {
        let scene = ModelScene(substrate, [["x"], ["a", "b", "c", "d"]])
        for count in [0, 1, 2, 3, 5, 6, 100] {
            await onMain(scene.controller) { controller in
                controller.assumeIsolated().dataSource.falseModels = { _, section in
                    section == 1 ? AnySequence(repeatElement("false", count: count)) : nil
                }
            }
            let error = await #expect(throws: UpdateError.self) {
                try await scene.controller.reloadData()
            }
            let found = count > 4 ? "more than 4" : "\(count)"
            #expect(
                error?.message
                    == "The data source gave \(found) models for the 4 items from 0 on in section 1"
            )
        }
        await scene.controller.close()
    }

    @Test func noMoreElementsAreMadeThanAskedFor() {
        let source = ModelFeed([], NodeBook(), Journal())
        let terms = _ModelTerms(
            ModelTerms<String>(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits()),
                makeNode: source.makeNode
            )
        )
        for count in 0...4 {
            for limit in 0...5 {
                var elements: [CollectionElement] = []
                source._makeElements(
                    of: AnySequence(repeatElement("a", count: count)),
                    atMost: limit,
                    on: terms,
                    into: &elements
                )
                #expect(elements.count == min(count, limit))
            }
        }
    }

    /// A layout delegate measures what it likes, so nothing is to be measured beside it.
    @Test(arguments: Substrate.allCases)
    func nothingIsCountedAsToBeMeasuredWhereALayoutDelegateDecides(
        _ substrate: Substrate
    ) async throws {
        final class Nothing: LayoutDelegate {
            func layoutContext(for map: ElementMap) -> any Sendable { 0 }
            func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
                -> any Sendable
            { 0 }
        }
        for delegate in [Nothing(), nil] {
            let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
            try await scene.controller.reloadData()
            let counts = scene.events.events.filter {
                [.accepted, .measuringStarted, .measuringFinished].contains($0.kind)
            }
            let expected = delegate == nil ? 2 : 0
            #expect(counts.map(\.elementCount) == [expected, expected, expected])
            #expect(scene.nodes.measurements.count == expected)
            await scene.close()
        }
    }
}
