import Foundation
import TestSupport
import Testing

@testable import CollectionElements

@Suite("Elements", .endsHangs)
struct CollectionElementTests {
    private func element(
        _ text: String = "text",
        range: SizeRange = .width(10),
        book: NodeBook = NodeBook(),
        surroundings: ElementSurroundings = ElementSurroundings(Traits())
    ) -> CollectionElement {
        ProvidedElement(
            model: text,
            provider: { try book.makeNode(text) },
            terms: ElementTerms(sizeRange: range, surroundings: surroundings)
        )
    }

    // MARK: States

    @Test
    func preparingGoesFromPendingToMeasuredOnce() {
        let book = NodeBook()
        let element = element(book: book)
        #expect(element.state.text == "pending")
        #expect(element.nodeIfAllocated == nil && element.content.size == nil)
        guard case .measured = element.prepare(element.content) else {
            Issue.record("the element must be measured")
            return
        }
        #expect(element.state.text == "measured")
        #expect(element.content.size == Size(width: 10, height: 1))
        guard case .alreadyPrepared = element.prepare(element.content) else {
            Issue.record("a content is prepared once")
            return
        }
        #expect(book.measurements.count == 1)
    }

    @Test
    func whatIsRemovedOrCancelledIsSkipped() async {
        let (removed, cancelled) = (element(), element())
        removed.markRemoved()
        _ = removed.prepare(removed.content)
        _ = cancelled.prepare(cancelled.content, isCancelled: { true })
        for element in [removed, cancelled] {
            #expect(element.state.text == "skipped")
            #expect(element.nodeIfAllocated == nil)
            #expect(element.content.size == Size(width: 10, height: 0))
            #expect(!element.content.hasProvider, "what it captured is released")
        }
        await #expect(throws: ElementError.removedBeforeAllocation) { try await removed.node }
    }

    @Test
    func whatIsRemovedOrCancelledWhileItsNodeIsMadeIsNotMeasured() throws {
        let book = NodeBook()
        let isCancelled = Lock(false)
        let (removed, cancelled) = (element("removed", book: book), element(book: book))
        book.onMake { text in
            if text == "removed" {
                removed.markRemoved()
            } else {
                isCancelled.withLock { $0 = true }
            }
        }
        for element in [removed, cancelled] {
            _ = element.prepare(element.content) { isCancelled.withLock { $0 } }
            #expect(element.state.text == "skipped")
        }
        let laidOut = element("removed", book: book)
        book.onMake { _ in laidOut.markRemoved() }
        #expect(try laidOut.measure(laidOut.content, in: .width(4)) == Size(width: 10, height: 0))
        #expect(book.made.count == 3 && book.measurements.count == 0)
    }

    @Test
    func aThrowingProviderFailsTheElementForGood() async {
        let book = NodeBook()
        book.onMake { _ in throw TestFailure("provider") }
        let element = element(book: book)
        guard case .failed = element.prepare(element.content) else {
            Issue.record("the element must fail")
            return
        }
        #expect(element.state.text == "failed")
        await #expect(throws: TestFailure("provider")) { try await element.node }
        #expect(throws: TestFailure("provider")) { try element.waitForNode() }
        #expect(book.made.count == 1)
    }

    @Test
    func anAskedForNodeThatFailsFailsTheElement() async {
        let book = NodeBook()
        book.onMake { _ in throw TestFailure("provider") }
        let element = element(book: book)
        await #expect(throws: TestFailure("provider")) { try await element.node }
        #expect(element.state.text == "failed")
        await #expect(throws: TestFailure("provider")) { try await element.node }
        #expect(book.made.count == 1)
    }

    // MARK: Providers

    @Test
    func theProviderRunsOnceAndIsReleased() async throws {
        final class Captured: Sendable {}
        weak var captured: Captured?
        let element: CollectionElement
        do {
            let object = Captured()
            captured = object
            element = ProvidedElement(
                model: nil,
                provider: {
                    withExtendedLifetime(object) { TextNode("a", book: NodeBook()) }
                },
                terms: ElementTerms(
                    sizeRange: .unconstrained,
                    surroundings: ElementSurroundings(Traits())
                )
            )
        }
        #expect(captured != nil)
        let node = try await element.node
        #expect(captured == nil)
        #expect(try await element.node === node)
        #expect(try element.waitForNode() === node)
    }

    @Test
    func aNodeMadeBeforeItIsMeasuredIsTheOneThatIsMeasured() async throws {
        let book = NodeBook()
        let element = element(book: book)
        let node = try await element.node
        #expect(element.state.text == "pending")
        _ = element.prepare(element.content)
        #expect(element.nodeIfAllocated === node)
        #expect(book.made.count == 1 && book.measurements.count == 1)
    }

    /// On demand comes the node of the newest revision; it is there when earlier ones are shown.
    @Test
    func aNodeMadeAheadOfItsTurnShowsItsOwnRevisionInTheEnd() throws {
        let book = NodeBook()
        let element = element("first", book: book)
        let revisions = ["second", "third"].map { text in
            ElementContent(
                revising: element,
                model: text,
                sizeRange: .width(10),
                provider: { try book.makeNode(text) }
            )
        }
        revisions.forEach(element.accept)
        let node = try #require(try element.waitForNode() as? TextNode)
        #expect(node.text == "third")
        for content in [element.firstContent] + revisions { _ = element.prepare(content) }
        var shown: [String] = []
        for content in revisions {
            element.show(content, isReconfigured: true)
            shown.append((element.nodeIfAllocated as? TextNode)?.text ?? "-")
        }
        #expect(shown == ["second", "third"])
        #expect(element.nodeIfAllocated === node && book.made.count == 1)
    }

    // MARK: Claims

    /// However many ask, the node is made once and everybody gets that one.
    @Test
    func theNodeIsClaimedOnceHoweverManyAsk() async throws {
        for _ in 0..<50 {
            let book = NodeBook()
            let element = element(book: book)
            let nodes = Journal<ObjectIdentifier>()
            for asker in 0..<3 {
                Thread.detachNewThread {
                    if asker == 0 { _ = element.prepare(element.content) }
                    if let node = try? element.waitForNode() {
                        nodes.append(ObjectIdentifier(node))
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { nodes.append(ObjectIdentifier(try await element.node)) }
                }
                try await group.waitForAll()
            }
            let distinct = await Set(nodes.values(count: 6))
            guard distinct.count == 1, book.made.count == 1, book.measurements.count == 1 else {
                Issue.record("\(distinct.count) nodes, \(book.made.count) made")
                return
            }
        }
    }

    @Test
    func whoComesLateWaitsForTheOneWhoIsAtIt() async throws {
        let gate = Gate()
        defer { gate.open() }
        let book = NodeBook()
        book.onMake { _ in gate.pass() }
        let element = element(book: book)
        Thread.detachNewThread { _ = element.prepare(element.content) }
        await gate.reached()
        #expect(element.nodeIfAllocated == nil)
        #expect(element.state.text == "allocating")
        let late = Task { try await ObjectIdentifier(element.node) }
        let blocked = Journal<ObjectIdentifier?>()
        Thread.detachNewThread {
            blocked.append((try? element.waitForNode()).map { ObjectIdentifier($0) })
        }
        gate.open()
        let node = try await late.value
        #expect(await blocked.values(count: 1) == [node])
        #expect(book.made.count == 1)
    }

    @Test
    func aNodeIsAvailableWhileItIsMeasured() async throws {
        let gate = Gate()
        defer { gate.open() }
        let book = NodeBook()
        book.onMeasure { _, _ in
            gate.pass()
            return nil
        }
        let element = element(book: book)
        Thread.detachNewThread { _ = element.prepare(element.content) }
        await gate.reached()
        #expect(element.nodeIfAllocated != nil)
        #expect(try await element.node === element.nodeIfAllocated)
    }

    // MARK: Measuring

    @Test
    func aLayoutsRangesAreAnsweredFromMemory() throws {
        let book = NodeBook()
        let element = element("twelve chars", book: book)
        #expect(try element.measure(element.content, in: .width(4)).height == 3)
        #expect(try element.measure(element.content, in: .width(4)).height == 3)
        #expect(book.measurements.count == 1)
        #expect(try element.measure(element.content, in: .width(6)).height == 2)
        #expect(book.measurements.count == 2 && book.made.count == 1)
    }

    @Test
    func traitsAreHandedOverBeforeMeasuringAndWhenTheyChange() throws {
        let surroundings = ElementSurroundings(Traits(textScale: 2))
        let element = element(surroundings: surroundings)
        _ = element.prepare(element.content)
        let node = try #require(element.nodeIfAllocated as? TextNode)
        #expect(node.traits.textScale == 2)
        #expect(element.isMeasuredWithCurrentTraits(element.content))
        #expect(surroundings.traits.replace(with: Traits(textScale: 3)))
        #expect(!surroundings.traits.replace(with: Traits(textScale: 3)))
        #expect(!element.isMeasuredWithCurrentTraits(element.content))
        element.refreshTraits()
        #expect(node.traits.textScale == 3)
    }

    @Test
    func aModelOfAnotherTypeIsNotAcceptedInPlace() {
        let element = element()
        _ = element.prepare(element.content)
        #expect(element.acceptsInPlace("text"))
        #expect(!element.acceptsInPlace(7))
        #expect(!self.element().acceptsInPlace("text"), "without a node")
    }
}
