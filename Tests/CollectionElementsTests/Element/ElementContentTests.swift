import Foundation
import TestSupport
import Testing

@testable import CollectionElements

@Suite("What is known of a content", .endsHangs)
struct ElementContentTests {
    private func element(_ book: NodeBook, _ range: SizeRange = .width(10)) -> CollectionElement {
        ProvidedElement(
            model: "twelve chars",
            provider: { try book.makeNode("twelve chars") },
            terms: ElementTerms(
                sizeRange: range,
                surroundings: ElementSurroundings(Traits())
            )
        )
    }

    /// Before, while and after it is prepared, seen from outside.
    @Test func theSizeToLayOutWithIsTheEstimateUntilItIsMeasured() {
        let book = NodeBook()
        let range = SizeRange(
            minimum: Size(width: 3, height: 4),
            maximum: Size(width: 10, height: .infinity)
        )
        let element = element(book, range)
        let seen = Journal<(state: String, size: Size?, layoutSize: Size)>()
        func look() {
            let content = element.content
            seen.append((content.state.text, content.size, content.layoutSize))
        }
        book.onMeasure { _, _ in
            let content = element.content
            seen.append((content.state.text, content.size, content.layoutSize))
            return Size(width: 10, height: 20)
        }
        look()
        _ = element.prepare(element.content)
        look()
        element.markRemoved()
        _ = element.prepare(element.content)
        look()
        let measured = Size(width: 10, height: 20)
        #expect(
            seen.values.map(\.state) == ["pending", "allocating", "measured", "measured"],
            "what is prepared stays so"
        )
        #expect(seen.values.map(\.size) == [nil, nil, measured, measured])
        #expect(
            seen.values.map(\.layoutSize) == [range.minimum, range.minimum, measured, measured]
        )
    }

    /// Of a reconfigured element the estimate is what it was before.
    @Test func aRevisionIsEstimatedByWhatItWasBefore() {
        let book = NodeBook()
        let element = element(book)
        _ = element.prepare(element.content)
        let revision = ElementContent(
            revising: element,
            model: "other",
            sizeRange: .width(10),
            provider: nil,
            previousSize: element.content.size
        )
        #expect(revision.size == nil && revision.layoutSize == Size(width: 10, height: 2))
    }

    /// The first range for good, and of the others the last four.
    @Test func aLayoutsMemoryIsTheFirstRangeAndTheLastFourOthers() throws {
        let book = NodeBook()
        let element = element(book)
        func measure(_ width: Double) throws -> Int {
            let before = book.measurements.count
            _ = try element.measure(element.content, in: .width(width))
            return book.measurements.count - before
        }
        for width in 1...6 { #expect(try measure(Double(width)) == 1) }
        for width in [1, 3, 4, 5, 6, 1] { #expect(try measure(Double(width)) == 0, "\(width)") }
        #expect(try measure(2) == 1, "forgotten")
        #expect(try measure(3) == 1, "for the one before")
        #expect(try measure(1) == 0)
    }

    /// As where a layout never measures it: then nobody takes the provider away.
    @Test(arguments: [false, true])
    func whatIsMeasuredAgainAndNeverPreparedDoesNotKeepItsElement(_ isRevised: Bool) {
        weak var lost: CollectionElement?
        do {
            let element = element(NodeBook())
            func revise(_ provider: NodeProvider?) -> ElementContent {
                ElementContent(
                    revising: element,
                    model: "b",
                    sizeRange: .width(10),
                    provider: provider
                )
            }
            let failed = isRevised ? revise(nil) : element.firstContent
            element.accept(revise(failed.rethrowingProvider))
            lost = element
        }
        #expect(lost == nil)
    }

    /// What is measured again while the content before is being prepared fails as that does.
    @Test func aRethrowingProviderThrowsWhatTheContentFailedWith() {
        let element = element(NodeBook())
        let provider = element.firstContent.rethrowingProvider
        #expect(throws: ElementError.removedBeforeAllocation) { try provider() }
        element.firstContent.fail(TestFailure("late"))
        #expect(throws: TestFailure("late")) { try provider() }
    }

    @Test(arguments: ["measured", "skipped", "failed"])
    func whatAProviderCapturedGoesHoweverItEnds(_ state: String) {
        final class Captured: Sendable {}
        weak var captured: Captured?
        let element: CollectionElement
        do {
            let object = Captured()
            captured = object
            element = ProvidedElement(
                model: nil,
                provider: {
                    try withExtendedLifetime(object) {
                        if state == "failed" { throw TestFailure() }
                        return TextNode("a", book: NodeBook())
                    }
                },
                terms: ElementTerms(
                    sizeRange: .unconstrained,
                    surroundings: ElementSurroundings(Traits())
                )
            )
        }
        #expect(captured != nil)
        if state == "skipped" { element.markRemoved() }
        _ = element.prepare(element.content)
        #expect(element.state.text == state)
        #expect(captured == nil)
    }

    /// On whichever thread that is.
    @Test func waitingForANodeMakesItOnThisThreadIfNobodyHasBegun() async throws {
        let maker = Journal<UInt>()
        let element = ProvidedElement(
            model: nil,
            provider: {
                maker.append(UInt(pthread_self()))
                return TextNode("a", book: NodeBook())
            },
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        let waiter = Journal<UInt>()
        Thread.detachNewThread {
            _ = try? element.waitForNode()
            waiter.append(UInt(pthread_self()))
        }
        let thread = await waiter.values(count: 1)
        #expect(maker.values == thread)
    }

    @Test func aContextIsCalledByItsTypeUnlessItSaysOtherwise() {
        final class Plain: SectionContext {}
        final class Named: SectionContext {
            var debugName: String { "mine" }
        }
        #expect(Plain().debugName == "Plain" && Named().debugName == "mine")
    }
}
