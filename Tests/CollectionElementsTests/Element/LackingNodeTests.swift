import TestSupport
import Testing

@testable import CollectionElements

@Suite("Contents whose node may not be there yet")
struct LackingNodeTests {
    /// What the element came with, a later content that may bring another node, or one that never does.
    enum Kind { case first, replacing, keeping }

    enum Moment: CaseIterable {
        case pending, asked, measuring, measured, failed, skipped, released
    }

    private struct Answer {
        let state: String
        let mayLackItsNode: Bool

        init(_ content: ElementContent) {
            state = content.state.text
            mayLackItsNode = content.mayLackItsNode
        }
    }

    private func answer(_ kind: Kind, _ moment: Moment) -> Answer {
        let book = NodeBook()
        let provider: NodeProvider = { try book.makeNode("text") }
        let element = ProvidedElement(
            model: "text",
            provider: provider,
            terms: ElementTerms(
                sizeRange: .width(10),
                surroundings: ElementSurroundings(Traits(), releasesNodes: true)
            )
        )
        var content = element.firstContent
        if kind != .first {
            _ = element.prepare(content)
            content = ElementContent(
                revising: element,
                model: "next",
                sizeRange: .width(10),
                provider: provider,
                keepsNode: kind == .keeping
            )
            element.accept(content)
        }
        let answers = Journal<Answer>()
        book.onMeasure { [content] _, _ in
            if moment == .measuring { answers.append(Answer(content)) }
            if moment == .failed { throw TestFailure() }
            return nil
        }
        switch moment {
        case .pending: break
        case .asked: _ = content.noteAsked()
        case .measuring, .measured, .failed: _ = element.prepare(content)
        case .skipped: _ = element.prepare(content, isCancelled: { true })
        case .released:
            _ = element.prepare(content)
            _ = element.releaseNode(showing: content)
        }
        return answers.values.first ?? Answer(content)
    }

    /// The moments at which such a content may lack its node.
    private func moments(_ kind: Kind) -> [Moment] {
        let answers = Moment.allCases.map { (moment: $0, answer: answer(kind, $0)) }
        #expect(
            answers.map(\.answer.state) == [
                "pending", "pending", "allocating", "measured", "failed", "skipped", "pending",
            ]
        )
        return answers.filter(\.answer.mayLackItsNode).map(\.moment)
    }

    /// Its own provider makes the only node that there is.
    @Test func whatTheElementCameWithNeverLacksItsNode() { #expect(moments(.first) == []) }

    @Test func whatMayBringAnotherNodeMayLackItUntilItIsMeasured() {
        #expect(moments(.replacing) == [.pending, .asked, .measuring, .failed, .skipped])
    }

    /// Until it is begun, the node that there is shows its model.
    @Test func whatKeepsItsNodeMayLackItOnceItIsBegunUntilItIsMeasured() {
        #expect(moments(.keeping) == [.measuring, .failed, .skipped])
    }
}
