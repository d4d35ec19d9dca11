import TestSupport
import Testing

@testable import CollectionElements

@Suite("Nodes that are released", .endsHangs)
struct ReleasedNodeTests {
    private let book = NodeBook()

    enum Kind: CaseIterable { case provided, model }

    private func element(
        _ kind: Kind = .provided,
        releasesNodes: Bool = true
    ) -> CollectionElement {
        let surroundings = ElementSurroundings(Traits(), releasesNodes: releasesNodes)
        let range = SizeRange.width(10)
        let book = book
        switch kind {
        case .provided:
            return ProvidedElement(
                model: "text",
                provider: { try book.makeNode("text") },
                terms: ElementTerms(sizeRange: range, surroundings: surroundings)
            )
        case .model:
            return ModelElement(
                "text",
                terms: ModelTerms(sizeRange: range, surroundings: surroundings) {
                    try book.makeNode($0)
                }
            )
        }
    }

    private func revision(
        of element: CollectionElement,
        _ text: String,
        replacesNode: Bool
    ) -> ElementContent {
        let book = book
        let provider: NodeProvider = { try book.makeNode(text) }
        return ElementContent(
            revising: element,
            model: text,
            sizeRange: .width(10),
            provider: replacesNode ? provider : nil,
            keptProvider: provider,
            previousSize: element.content.size
        )
    }

    private func show(_ content: ElementContent) {
        content.element.accept(content)
        _ = content.element.prepare(content)
        content.element.show(content, isReconfigured: true)
    }

    @Test(arguments: Kind.allCases)
    func theSizeStaysAndAnotherNodeIsMadeAndMeasured(_ kind: Kind) throws {
        let element = element(kind)
        _ = element.prepare(element.content)
        let (first, size) = (try #require(element.nodeIfAllocated), element.content.size)
        #expect(element.releaseNode())
        #expect(element.nodeIfAllocated == nil && element.content.size == size)
        #expect(element.state.text == "pending" && element.content.isReleased)
        #expect(element.content.measuredRange == .width(10))
        guard case .measured = element.prepare(element.content) else {
            Issue.record("what was released is prepared again")
            return
        }
        #expect(element.nodeIfAllocated !== first && element.content.size == size)
        #expect(element.state.text == "measured" && !element.content.isReleased)
        #expect(book.measurements.count == 2)
        #expect(element.releaseNode() && element.nodeIfAllocated == nil, "as often as need be")
    }

    @Test(arguments: Kind.allCases)
    func whoAsksForTheNodeGetsAnother(_ kind: Kind) async throws {
        let element = element(kind)
        _ = element.prepare(element.content)
        _ = element.releaseNode()
        let node = try await element.node
        #expect(try element.waitForNode() === node)
        _ = element.prepare(element.content)
        #expect(element.nodeIfAllocated === node)
    }

    @Test(arguments: Kind.allCases)
    func whereNodesAreNotReleasedItStays(_ kind: Kind) {
        let element = element(kind, releasesNodes: false)
        #expect(element.content.keptProvider == nil && element.content.hasProvider)
        _ = element.prepare(element.content)
        #expect(element.releaseNode() && element.nodeIfAllocated != nil)
        #expect(element.state.text == "measured" && element.content.keptProvider == nil)
        #expect(!element.content.hasProvider)
    }

    @Test func whatHasNoNodeHasNothingToRelease() {
        let element = element()
        #expect(element.releaseNode())
        #expect(element.state.text == "pending" && !element.content.isReleased)
    }

    /// As where everything was to be measured again, and most of it was put off.
    @Test func aNodeThatIsMeasuredOnDemandIsReleasedUnlessSomebodyAsked() throws {
        let element = element()
        let node = try element.waitForNode()
        #expect(element.releaseNode() && element.nodeIfAllocated == nil)
        #expect(element.state.text == "pending" && !element.content.isReleased)
        #expect(element.content.size == nil)
        let other = try element.waitForNode()
        #expect(other !== node && element.content.noteAsked())
        #expect(!element.releaseNode() && element.nodeIfAllocated === other)
        guard case .measured = element.prepare(element.content) else {
            Issue.record("it is measured as any other")
            return
        }
        #expect(element.nodeIfAllocated === other && book.measurements.count == 1)
    }

    @Test func whatFailedKeepsItsNode() throws {
        let element = element()
        _ = element.prepare(element.content)
        let failing = ElementContent(
            revising: element,
            model: "text",
            // No size lies within it.
            sizeRange: .width(.nan),
            provider: nil
        )
        element.accept(failing)
        _ = element.prepare(failing)
        #expect(element.state.text == "failed")
        #expect(element.releaseNode() && element.nodeIfAllocated != nil)
        // Nobody is at work on it after that, so that whoever comes next need not wait.
        try #require(element.releaseNode() && element.nodeIfAllocated != nil)
        show(revision(of: element, "other", replacesNode: false))
        #expect(element.state.text == "measured")
    }

    @Test func aNodeThatSomebodyIsAtWorkOnIsNotReleased() {
        let element = element()
        _ = element.prepare(element.content)
        element.whileClaimed { #expect(!element.releaseNode()) }
        #expect(element.nodeIfAllocated != nil)
        #expect(element.releaseNode())
    }

    @Test(arguments: [true, false])
    func aNodeStaysWhileAContentIsOnItsWay(_ replacesNode: Bool) {
        let element = element()
        _ = element.prepare(element.content)
        let next = revision(of: element, "next", replacesNode: replacesNode)
        let shown = element.content
        element.accept(next)
        #expect(!element.releaseNode(showing: shown), "it is yet to be measured")
        _ = element.prepare(next)
        #expect(!element.releaseNode(showing: shown), "it is yet to be shown")
        element.show(next, isReconfigured: true)
        #expect(element.releaseNode() && element.nodeIfAllocated == nil)
        #expect(next.isReleased && next.size == Size(width: 10, height: 1))
        #expect(!next.mayLackItsNode, "it shows its model")
    }

    @Test(arguments: [true, false])
    func aRevisionIsMadeAgainOfItsOwnModel(_ replacesNode: Bool) async throws {
        let element = element()
        _ = element.prepare(element.content)
        let next = revision(of: element, "next", replacesNode: replacesNode)
        element.accept(next)
        _ = element.prepare(next)
        element.show(next, isReconfigured: true)
        _ = element.releaseNode()
        let node = try await element.node
        #expect((node as? TextNode)?.text == "next")
        _ = element.prepare(next)
        #expect(element.nodeIfAllocated === node && element.state.text == "measured")
        #expect(element.releaseNode(), "it is like any other")
    }

    @Test func whatIsRemovedMeanwhileKeepsTheSizeThatItHad() {
        let element = element()
        _ = element.prepare(element.content)
        let size = element.content.size
        _ = element.releaseNode()
        element.markRemoved()
        guard case .skipped = element.prepare(element.content) else {
            Issue.record("nobody needs it any more")
            return
        }
        #expect(element.content.size == size && element.nodeIfAllocated == nil)
        #expect(element.state.text == "pending")
    }

    /// Nothing comes before its content any more, so it never has to go back to that one's model, which it
    /// could not.
    @Test(arguments: [true, false])
    func aNodeThatIsMadeAgainTakesLaterModels(_ replacesNode: Bool) throws {
        let element = element()
        _ = element.prepare(element.content)
        let next = revision(of: element, "next", replacesNode: replacesNode)
        show(next)
        #expect(element.releaseNode(showing: next) && element.nodeIfAllocated == nil)
        let node = try #require(try element.waitForNode() as? TextNode)
        #expect(node.text == "next")
        book.onAccept { $0 != "next" }
        show(revision(of: element, "later", replacesNode: false))
        #expect(element.nodeIfAllocated === node && node.text == "later")
    }

    /// Neither who waits for a size, nor a content on its way, nor who is at work on it keeps a node that
    /// there is not.
    @Test func whereThereIsNoNodeItIsReleasedWhateverIsGoingOn() {
        let element = element()
        let first = element.content
        #expect(first.noteAsked() && element.releaseNode(showing: first))
        #expect(first.isAsked, "it is still to be prepared")
        element.whileClaimed { #expect(element.releaseNode(showing: first)) }
        element.accept(revision(of: element, "next", replacesNode: false))
        #expect(element.releaseNode(showing: first))
    }
}

extension CollectionElement {
    /// Where its newest content is shown.
    fileprivate func releaseNode() -> Bool { releaseNode(showing: content) }
}
