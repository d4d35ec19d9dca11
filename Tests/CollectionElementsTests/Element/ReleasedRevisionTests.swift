import PipelineTestSupport
import Testing

@testable import CollectionElements

@Suite("Revisions whose node is released")
struct ReleasedRevisionTests {
    private let book = NodeBook()

    private func element() -> CollectionElement {
        let book = book
        return ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            terms: ElementTerms(
                sizeRange: .width(10),
                surroundings: ElementSurroundings(Traits(), releasesNodes: true)
            )
        )
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
            keptProvider: provider
        )
    }

    private func show(_ content: ElementContent) {
        content.element.accept(content)
        _ = content.element.prepare(content)
        content.element.show(content, isReconfigured: true)
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
