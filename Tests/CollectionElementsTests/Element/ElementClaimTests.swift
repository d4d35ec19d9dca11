import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CollectionElements

/// Threads and tasks that use one element at the same time: all of them proceed, and no waiter is
/// forgotten.
@Suite("Claims on the node of an element", .endsHangs)
struct ElementClaimTests {
    private func element(_ book: NodeBook, releasesNodes: Bool = false) -> CollectionElement {
        ProvidedElement(
            model: "text",
            provider: { try book.makeNode("text") },
            configuration: ElementConfiguration(
                sizeRange: .width(10),
                elementEnvironment: ElementEnvironment(
                    Traits(textScale: 0),
                    releasesNodes: releasesNodes
                )
            )
        )
    }

    /// Every input of a claim in every order, up to a length.
    @Test func oneUserHoldsTheClaimAndWaitersAreNotifiedInOrder() {
        let walked = walk(ClaimRun(), length: Effort.number(7, usually: 6))
        #expect(walked.fault == nil && walked.count > 5_000)
    }

    /// Thousands of uses on real threads while traits change, nodes are released, and providers and
    /// nodes fail: every use ends, no two work at the same time, and the element stays consistent.
    @Test(arguments: [false, true])
    func usesOnManyThreadsAllEndAndLeaveTheElementConsistent(_ releasesNodes: Bool) async {
        let uses = 12
        for round in 0..<UInt64(Effort.number(600, usually: 120)) {
            let (book, atWork, clashes) = (NodeBook(), LiveCount(), LiveCount())
            let mayFail = round % 4 == 3
            @Sendable func work() throws {
                atWork.add(1)
                if atWork.value > 1 { clashes.add(1) }
                defer { atWork.add(-1) }
                if mayFail, round % 8 == 7 || atWork.value > 1 { throw TestFailure() }
            }
            book.onMake { _ in try work() }
            book.onMeasure { _, _ in
                try work()
                return nil
            }
            let element = element(book, releasesNodes: releasesNodes)
            let (ended, notified) = (Journal<Void>(), Journal<Int>())
            let traits = element.elementEnvironment.traits
            for number in 0..<uses {
                Thread.detachNewThread {
                    var random = SeededNumbers(seed: round * 100 + UInt64(number))
                    for _ in 0..<4 {
                        switch random.next(below: 8) {
                        case 0: _ = element.prepare(element.content)
                        case 1: _ = element.allocate(element.content)
                        case 2:
                            let range = SizeRange.width(Double(1 + random.next(below: 6)))
                            _ = try? element.measure(element.content, in: range)
                        case 3: _ = element.releaseNode(showing: element.content)
                        case 4:
                            _ = traits.replace(
                                with: Traits(textScale: Double(random.next(below: 9)))
                            )
                            element.refreshTraits()
                        case 5: element.notifyWhenUnclaimed { notified.append(number) }
                        case 6 where number == 0 && round % 5 == 4: element.markRemoved()
                        default: _ = try? element.waitForNode()
                        }
                    }
                    element.notifyWhenUnclaimed { ended.append(()) }
                }
            }
            async let first = try? element.node
            async let second = try? element.node
            _ = await (first, second)
            await ended.values(count: uses)
            element.refreshTraits()
            let isFree = element.body.withLock { $0.node.claimRequested() }
            element.endClaim()
            let node = element.nodeIfAllocated as? TextNode
            let hasCurrentTraits = node.map { $0.traits == traits.current } ?? true
            let isPending = element.content.isPending
            let hasSize = element.content.size != nil || isPending
            let isMadeOnce = releasesNodes || mayFail || book.made.count <= 1
            guard isFree, clashes.value == 0, hasCurrentTraits, hasSize, isMadeOnce,
                ended.count == uses
            else {
                let text =
                    "free \(isFree), \(clashes.value) clashes, traits \(hasCurrentTraits), \(element.state)"
                Issue.record("round \(round): \(text), \(book.made.count) nodes")
                return
            }
        }
    }

    /// Both tasks share one thread.
    @Test func aTaskThatWaitsForTheNodeDoesNotBlockItsThread() async throws {
        let (gate, book) = (Gate(), NodeBook())
        defer { gate.open() }
        book.onMake { _ in gate.pass() }
        let element = element(book)
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

    /// An element that is removed or cancelled while its node is made is not measured, and waiters
    /// receive an error.
    @Test func anElementRemovedWhileItsNodeIsMadeIsNotMeasured() async throws {
        let (book, isCancelled) = (NodeBook(), LiveCount())
        let elements = (0..<3).map { _ in element(book) }
        for (number, element) in elements.enumerated() {
            book.onMake { _ in
                if number == 0 { isCancelled.add(1) } else { element.markRemoved() }
            }
            if number == 2 {
                let size = try element.measure(element.content, in: .width(4))
                #expect(size == Size(width: 10, height: 0))
            } else {
                _ = element.prepare(element.content) { isCancelled.value == 1 }
            }
            isCancelled.add(-isCancelled.value)
        }
        #expect(elements.map(\.state.text) == ["skipped", "skipped", "skipped"])
        #expect(book.made.count == 3 && book.measurements.count == 0)
        let removed = element(book)
        removed.markRemoved()
        await #expect(throws: ElementError.removedBeforeAllocation) { try await removed.node }
    }
}

private struct ClaimRun: MachineRun {
    enum Input: CaseIterable {
        case workerArrives, nodeIsRequested, removedNodeIsRequested, waiterArrives, nodeIsMade
        case claimEnds
    }

    var node = ElementNode()
    var isHeld = false
    var (isMade, waiting, called) = (false, 0, 0)
    var failure: String?
    let calls = Journal<Int>()

    mutating func take(_ input: Input) -> Bool {
        switch input {
        case .workerArrives:
            if node.claimRequested() == isHeld { failure = "wrong number of holders" }
            isHeld = true
        case .nodeIsRequested, .removedNodeIsRequested:
            requestNode(isRemoved: input == .removedNodeIsRequested)
        case .waiterArrives:
            let (calls, number) = (calls, waiting + called)
            guard node.endAwaited({ calls.append(number) }) else {
                if isHeld { failure = "missed the end of the claim" }
                return true
            }
            if !isHeld { failure = "waits without a holder" }
            waiting += 1
        case .nodeIsMade:
            guard isHeld, !isMade else { return false }
            isMade = true
            node.made(NodeWithTraits(node: RecordingNode("a"), traitsGeneration: 0))
        case .claimEnds:
            guard isHeld else { return false }
            isHeld = false
            end()
        }
        return true
    }

    private mutating func requestNode(isRemoved: Bool) {
        switch (node.nodeRequested(isRemoved: isRemoved), isMade, isHeld) {
        case (.give, true, _), (.wait, false, true): break
        case (.giveUp, false, false) where isRemoved: break
        case (.make, false, false) where !isRemoved: isHeld = true
        case (let request, _, _): failure = "\(request)"
        }
    }

    private mutating func end() {
        let waiters = node.claimEnded()
        if waiters.count != waiting { failure = "a waiter is forgotten" }
        let before = calls.count
        for waiter in waiters { waiter() }
        let numbers = calls.values.dropFirst(before)
        if Array(numbers) != Array(called..<called + waiting) { failure = "wrong order" }
        (called, waiting) = (called + waiting, 0)
    }

    var fault: String? {
        if let failure { return failure }
        return switch (node.claim, isHeld, waiting) {
        case (.free, false, 0), (.held, true, 0): nil
        case (.awaited(let waiters), true, waiting): waiters.count == waiting ? nil : "lost waiter"
        default: "\(node.claim)"
        }
    }
}
