import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What a caller learns of elements that failed.
@Suite("Failed elements, in results and events", .endsHangs)
struct FailedElementsTests {
    /// Ever so many, of which a result names some and events all.
    @Test(arguments: Substrate.allCases)
    func aResultCountsAllAndNamesTheFirst(_ substrate: Substrate) async throws {
        for count in [0, 1, FailedElements.limit, FailedElements.limit + 1, 100] {
            let texts = (0..<count).map { "bad \($0)" } + ["good"]
            let scene = Scene(substrate, [TextDataSource.Section(texts)])
            scene.nodes.onMake { text in
                if text != "good" { throw TestFailure(text) }
            }
            let failed = try await scene.controller.reloadData().failedElements
            #expect(failed.count == count && failed.isEmpty == (count == 0))
            #expect(failed.first.count == min(count, FailedElements.limit))
            let events = scene.events.events(.elementFailed).compactMap(\.failedElement)
            #expect(Set(events.compactMap(\.dataSourcePath)).count == count)
            for failure in failed.first {
                #expect(events.contains { $0.element === failure.element })
                #expect((failure.error as? TestFailure)?.text == failure.content.model as? String)
            }
            let lines = failed.description.split(separator: "\n")
            #expect(lines.first == "\(count) failed")
            #expect(lines.last == "…" || count <= FailedElements.limit)
            await scene.close()
        }
    }

    /// The data source is ahead of the view: an element has a path in each.
    @Test(arguments: Substrate.allCases)
    func aReconfigurationThatFailsIsFoundInBothSpaces(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        #expect(try await scene.controller.reloadData().failedElements.isEmpty)
        await scene.onMain { _ in scene.view.mode = .onDemand }
        scene.nodes.onMeasure { text, _ in
            if text == "bad" { throw TestFailure("measurement") }
            return nil
        }
        let results = Journal<UpdateResult>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates({ source, changes in
                source.sections[0].items = ["new", "a", "bad"]
                changes.insertItems(at: [ItemPath(0, 0)])
                changes.reconfigureItems(at: [ItemPath(0, 1)])
            }) { results.append($0) }
        }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in scene.view.catchUp() }
        let result = try #require(await results.values(count: 1).first)
        let failure = try #require(result.failedElements.first.first)
        #expect(result.text == "deployed" && result.failedElements.count == 1)
        #expect(failure.dataSourcePath == ItemPath(0, 2) && failure.viewPath == ItemPath(0, 1))
        #expect(failure.submission == result.submission)
        #expect(failure.content.model as? String == "bad")
        #expect(
            "\(failure)".hasPrefix("item 0 - 2 (view: 0 - 1) failed in #2: "),
            "\(failure)"
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedSetHasNone(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        let results = Journal<UpdateResult>()
        await scene.onMain { controller in
            _ = try? controller.assumeIsolated().performBatchUpdates({ $1.deleteSections([4]) }) {
                results.append($0)
            }
        }
        #expect(await results.values(count: 1).first?.failedElements.isEmpty == true)
        await scene.close()
    }

    @Test(arguments: [0, 1, 8, 9, 30])
    func eightAreNamedInTheirOrder(_ count: Int) {
        let terms = ElementTerms(
            sizeRange: .unconstrained,
            surroundings: ElementSurroundings(Traits())
        )
        let element = ProvidedElement(model: nil, provider: nil, terms: terms)
        var failed = FailedElements()
        for number in 0..<count {
            failed.append(
                ElementFailure(
                    submission: SubmissionID(rawValue: 1),
                    content: element.firstContent,
                    dataSourcePath: ItemPath(0, number),
                    viewPath: nil,
                    error: TestFailure()
                )
            )
        }
        let named = (0..<min(8, count)).map { "item 0 - \($0) failed in #1: \(TestFailure())" }
        let lines = ["\(count) failed"] + named + (count > 8 ? ["…"] : [])
        #expect(failed.description == lines.joined(separator: "\n"))
        #expect(failed.count == count && failed.isEmpty == (count == 0))
    }

    @Test func whatIsMissingNamesTheMemberToImplement() {
        #expect(
            MissingModel(path: ItemPath(1, 4)).description
                == "The data source returned no model for item 4 of section 1, which it counts;"
                + " models(at: 4..<5, inSection: 1) must return one"
        )
        #expect(
            MissingSupplementaryNode(kind: .footer, path: ItemPath(2, 0)).description
                == "The data source names the kind 'footer' for section 2 but has no node for number 0"
                + " of it; implement supplementaryNodeProvider(ofKind:at:)"
        )
    }
}
