import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// An application's actor on the controller's lane, which calls synchronous members directly.
private actor Board {
    private let lane: EmulatedMainLane
    private let controller: DataController<TextDataSource>

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    init(lane: EmulatedMainLane, controller: DataController<TextDataSource>) {
        self.lane = lane
        self.controller = controller
    }

    func add(_ text: String) throws -> Bool {
        try controller.assumeIsolated().performBatchUpdates { $0.append(text, &$1) }
        lane.assertIsolated()
        return lane.isCurrent
    }
}

/// Lanes and workers on Dispatch; `LaneContractTests` checks the promises of every lane.
@Suite("Lanes", .endsHangs)
struct LaneTests {
    @Test func anActorOnTheEmulatedMainLaneMayCallSynchronousMembers() async throws {
        let lane = EmulatedMainLane(label: "board")
        let controller = DataController(dataSource: TextDataSource([["a"]]), lane: lane)
        try await controller.reloadData()
        let board = Board(lane: lane, controller: controller)
        #expect(try await board.add("b"))
        #expect(try await board.add("c"))
        await controller.settle()
        #expect(controller.visibleMap.texts == [["a", "b", "c"]])
        #expect(!lane.isCurrent)
        await controller.close()
    }

    @Test func theMainQueueLaneIsTheMainQueue() async throws {
        let lane = MainQueueLane.shared
        #expect(lane.label == "main")
        let controller = DataController(dataSource: TextDataSource([["a"]]), lane: lane)
        try await controller.reloadData()
        let texts = await lane.run {
            MainActor.preconditionIsolated()
            return controller.assumeIsolated().dataSource.sections.map(\.items)
        }
        #expect(texts == [["a"]])
        let isCurrent = await MainActor.run {
            MainQueueLane.shared.isCurrent && controller.assumeIsolated().isSynchronized
        }
        #expect(isCurrent)
        await controller.close()
    }

    /// An environment has its own workers, or shares those of the default environment, and never
    /// uses more at the same time.
    @Test(.holdsWorker)
    func ownWorkersDoNotCompeteWithOthers() async {
        let (held, free) = (
            DispatchEnvironment(workerCount: 2), DispatchEnvironment(workerCount: 1)
        )
        let (lane, gate, joined) = (EmulatedMainLane(), Gate(), Journal<String>())
        defer { gate.open() }
        for _ in 0..<3 {
            held.fork(parts: 4, joinOn: lane, body: { _ in gate.pass() }) { joined.append("held") }
        }
        await gate.reached(by: 2)
        let seen = Journal<Bool>()
        free.fork(
            parts: 5,
            joinOn: lane,
            body: { _ in seen.append(free.isCurrentWorker && held.isCurrentWorker) },
            join: {
                seen.append(!free.isCurrentWorker)
                joined.append("free")
            }
        )
        #expect(await joined.values(count: 1) == ["free"])
        #expect(gate.arrivalCount == 2 && seen.values == Array(repeating: true, count: 6))
        gate.open()
        await joined.values(count: 4)
        #expect(gate.arrivalCount == 12)
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        #expect(DispatchEnvironment().workerCount == max(1, processors))
        #expect(DispatchEnvironment(workerCount: -7).workerCount == 1)
    }

    // MARK: Durations

    @Test(arguments: Substrate.allCases)
    func negativeDelaysAreZeroAndEndlessOnesBlockNothing(_ substrate: Substrate) async {
        let (stage, fired) = (substrate.makeStage(), Journal<Duration>())
        let negative = [
            Duration(attoseconds: .min), .seconds(Int64.min), Duration(attoseconds: -1),
        ]
        for delay in [Duration.seconds(Int64.max), Duration(attoseconds: .max)] {
            stage.environment.schedule(after: delay, on: stage.lane) {}
        }
        for delay in negative {
            stage.environment.schedule(after: delay, on: stage.lane) { fired.append(delay) }
        }
        #expect(await fired.values(count: 3).sorted() == negative.sorted())
    }

    /// The result is the smallest number of nanoseconds that is long enough; tested around whole
    /// nanoseconds and at both ends.
    @Test func durationsAreRoundedUpToNanoseconds() {
        let (nanosecond, most): (Int128, Int128) = (1_000_000_000, Int128(Int.max))
        let wholes = [-most, -2, -1, 0, 1, 2, 59, most - 1, most, most + 1, 2 * most]
        let rests = [-nanosecond + 1, -1, 0, 1, nanosecond / 2, nanosecond - 1]
        let all = wholes.flatMap { whole in rests.map { whole * nanosecond + $0 } }
        for attoseconds in [.min, .min + 1, .max - 1, .max] + all {
            let clamped = Duration(attoseconds: attoseconds).nanosecondsClamped
            let end = Int128(clamped) * nanosecond
            let isLongEnough = attoseconds <= end || clamped == .max
            let isLeast = attoseconds > end - nanosecond || clamped == 0
            #expect(isLongEnough && isLeast, "\(attoseconds): \(clamped)")
        }
    }

    // MARK: Cancellation

    /// A handler runs once, when the box is cancelled or immediately if it already is; it never
    /// runs after it was forgotten or the caller was admitted, and is released then.
    @Test func cancellationHandlersRunAtMostOnceInAnyOrder() {
        enum Step: CaseIterable { case cancel, onCancel, forget, markAdmitted }
        final class Thing: Sendable {}
        func fault(_ steps: [Step]) -> String? {
            let (box, called) = (CancellationBox(), Journal<Int>())
            var expected: [Int] = []
            var (isCancelled, isIn, waiting) = (false, false, Int?.none)
            weak var held: Thing?
            for (number, step) in steps.enumerated() {
                switch step {
                case .cancel:
                    box.cancel()
                    isCancelled = true
                    if let waiting { expected.append(waiting) }
                    waiting = nil
                case .onCancel:
                    let thing = Thing()
                    held = thing
                    box.onCancel { withExtendedLifetime(thing) { called.append(number) } }
                    guard !isIn else { break }
                    if isCancelled { expected.append(number) } else { waiting = number }
                case .forget:
                    box.forget()
                    waiting = nil
                case .markAdmitted:
                    box.markAdmitted()
                    (isIn, waiting) = (true, nil)
                }
                let isRight = called.values == expected && box.isCancelled == isCancelled
                if !isRight || box.wasAdmitted != isIn || (held == nil) != (waiting == nil) {
                    return "\(steps.prefix(number + 1)): \(called.values)"
                }
            }
            guard steps.count < 5 else { return nil }
            return Step.allCases.lazy.compactMap { fault(steps + [$0]) }.first
        }
        #expect(fault([]) == nil)
    }
}
