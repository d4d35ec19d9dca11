import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CollectionElements

@Suite("Claims on the node of an element", .endsHangs)
struct ElementClaimTests {
    /// What may use a node.
    enum Use: String, CaseIterable, Sendable {
        case prepare, allocate, measure, ask

        func run(_ element: CollectionElement) {
            switch self {
            case .prepare: _ = element.prepare(element.content)
            case .allocate: _ = element.allocate(element.content)
            case .measure: _ = try? element.measure(element.content, in: .width(7))
            case .ask: _ = try? element.waitForNode()
            }
        }
    }

    /// Tells of every wait.
    private struct NotingSignal: PipelineSignal {
        let events: Journal<String>
        private let semaphore = SemaphoreSignal()

        init(_ events: Journal<String>) { self.events = events }

        func signal() { semaphore.signal() }

        func wait() {
            events.append("waits")
            semaphore.wait()
        }
    }

    private func element(_ book: NodeBook, _ events: Journal<String>) -> CollectionElement {
        let surroundings = ElementSurroundings(Traits()) { NotingSignal(events) }
        return ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            terms: ElementTerms(sizeRange: .width(10), surroundings: surroundings)
        )
    }

    /// The first stops at a gate, and only when the second waits does it go on.
    private func uses(
        _ first: Use,
        _ second: Use,
        of element: CollectionElement,
        _ events: Journal<String>,
        _ gate: Gate
    ) async -> [String] {
        let done = Journal<Void>()
        func begin(_ use: Use) {
            Thread.detachNewThread {
                use.run(element)
                done.append(())
            }
        }
        begin(first)
        await events.values(count: 1)
        begin(second)
        let seen = await events.values(count: 2)
        gate.open()
        await done.values(count: 2)
        return Array(seen.prefix(2))
    }

    @Test(arguments: Use.allCases, Use.allCases)
    func whoComesWhileTheNodeIsMadeWaits(_ first: Use, _ second: Use) async {
        let (gate, events, book) = (Gate(), Journal<String>(), NodeBook())
        defer { gate.open() }
        book.onMake { _ in
            events.append("makes")
            gate.pass()
        }
        let element = element(book, events)
        #expect(await uses(first, second, of: element, events, gate) == ["makes", "waits"])
        #expect(book.made.count == 1)
    }

    @Test(arguments: [Use.prepare, .measure], [Use.prepare, .measure, .allocate])
    func whoComesWhileTheNodeMeasuresWaits(_ first: Use, _ second: Use) async {
        let (gate, events, book) = (Gate(), Journal<String>(), NodeBook())
        defer { gate.open() }
        book.onMeasure { _, _ in
            events.append("measures")
            gate.pass()
            return nil
        }
        let element = element(book, events)
        #expect(await uses(first, second, of: element, events, gate) == ["measures", "waits"])
    }

    /// Both tasks have the same thread only.
    @Test func aTaskThatWaitsForTheNodeLeavesItsThreadToOthers() async throws {
        let (gate, book) = (Gate(), NodeBook())
        defer { gate.open() }
        book.onMake { _ in gate.pass() }
        let element = element(book, Journal())
        Thread.detachNewThread { _ = element.prepare(element.content) }
        await gate.reached()
        let executor = OneThread()
        let waiting = Task(executorPreference: executor) {
            try await ObjectIdentifier(element.node)
        }
        let other = Task(executorPreference: executor) { 7 }
        #expect(await other.value == 7)
        gate.open()
        let node = try await waiting.value
        #expect(element.nodeIfAllocated.map { ObjectIdentifier($0) } == node)
    }

    private final class OneThread: TaskExecutor {
        private let queue = DispatchQueue(label: "one thread")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    // MARK: Notices

    /// Whoever asks while the element is claimed, here from within, is told when the claim ends, in
    /// the order of asking, and once.
    @Test(arguments: Use.allCases)
    func theEndOfAClaimIsToldOnceAndInOrder(_ use: Use) {
        let (events, book) = (Journal<String>(), NodeBook())
        let element = element(book, events)
        element.notifyWhenUnclaimed { events.append("idle") }
        book.onMake { _ in
            element.notifyWhenUnclaimed { events.append("first") }
            element.notifyWhenUnclaimed { events.append("second") }
            events.append("makes")
        }
        use.run(element)
        book.onMake(nil)
        #expect(events.values == ["idle", "makes", "first", "second"])
        for use in Use.allCases { use.run(element) }
        #expect(events.count == 4)
    }

    // MARK: What there is no node for

    @Test func noNodeIsMadeForWhatIsRemoved() async {
        let book = NodeBook()
        let element = element(book, Journal())
        element.markRemoved()
        await #expect(throws: ElementError.removedBeforeAllocation) { try await element.node }
        #expect(throws: ElementError.removedBeforeAllocation) { try element.waitForNode() }
        guard case .alreadyPrepared = element.allocate(element.content) else {
            Issue.record("nothing is allocated for what is removed")
            return
        }
        #expect(book.made.count == 0 && element.state.text == "pending")
    }

    @Test func anAllocationThatFailsFailsTheElementOnce() throws {
        let book = NodeBook()
        book.onMake { text in throw TestFailure(text) }
        let element = element(book, Journal())
        for _ in 0..<2 {
            guard case .failed(let error) = element.allocate(element.content) else {
                Issue.record("the allocation must fail")
                return
            }
            #expect(error as? TestFailure == TestFailure("text"))
        }
        #expect(element.state.text == "failed" && book.made.count == 1)
        #expect(throws: TestFailure("text")) {
            try element.measure(element.content, in: .width(3))
        }
        #expect(throws: TestFailure("text")) { try element.waitForNode() }
    }

    @Test func anAllocationMakesTheNodeAndMeasuresNothing() {
        let book = NodeBook()
        let element = element(book, Journal())
        _ = element.allocate(element.content)
        #expect(book.made.count == 1 && book.measurements.count == 0)
        #expect(element.state.text == "pending" && element.nodeIfAllocated != nil)
    }

    @Test func aSignalIsWaitedFor() async throws {
        let signal = SemaphoreSignal()
        let events = Journal<String>()
        Thread.detachNewThread {
            signal.wait()
            events.append("waited")
        }
        try await Task.sleep(for: .milliseconds(50))
        events.append("signals")
        signal.signal()
        #expect(await events.values(count: 2) == ["signals", "waited"])
    }
}
