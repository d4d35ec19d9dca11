import CollectionElements
import Foundation
import PipelineTestSupport
import Testing

/// The numbered promises of `Lane`'s documentation, on every substrate: one step in the simulator
/// must also be one piece of work on Dispatch.
@Suite("The contract of lanes", .endsHangs)
struct LaneContractTests {
    /// Counts without a lock: if the lane does not exclude overlaps, ThreadSanitizer reports a
    /// race.
    private final class Unguarded: @unchecked Sendable {  // guarded by the lane only
        var isBusy = false
        var values: [Int] = []
        var overlaps = 0

        func append(_ value: Int) {
            if isBusy { overlaps += 1 }
            isBusy = true
            values.append(value)
            isBusy = false
        }
    }

    @Test("1 and 3: serial, in order, and each work sees the effects of the previous one")
    func workIsMutuallyExclusiveAndInOrder() async {
        for substrate in Substrate.allCases {
            let stage = substrate.makeStage()
            for lane in [stage.lane, stage.environment.makeLane(label: "editing")] {
                let unguarded = Unguarded()
                await withTaskGroup(of: Void.self) { group in
                    for client in 0..<4 {
                        group.addTask {
                            for number in 0..<50 {
                                lane.enqueue { unguarded.append(client * 1000 + number) }
                            }
                        }
                    }
                }
                let (values, overlaps) = await lane.run { (unguarded.values, unguarded.overlaps) }
                #expect(overlaps == 0)
                #expect(values.count == 200)
                for client in 0..<4 {
                    let own = values.filter { $0 / 1000 == client }.map { $0 % 1000 }
                    #expect(own == Array(0..<50), "\(substrate)")
                }
            }
        }
    }

    @Test("2: work never starts before enqueue returns", arguments: Substrate.allCases)
    func enqueueNeverRunsTheWorkInline(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let other = stage.environment.makeLane(label: "other")
        let inline = Journal<Bool>()
        let enqueueing = Lock<[UInt: Int]>([:])
        // On this thread and still inside the call: another thread may run the work early.
        @Sendable func enqueue(on lane: any Lane) {
            let thread = UInt(pthread_self())
            enqueueing.withLock { $0[thread, default: 0] += 1 }
            lane.enqueue {
                let here = UInt(pthread_self())
                inline.append(enqueueing.withLock { $0[here, default: 0] > 0 })
            }
            enqueueing.withLock { $0[thread, default: 0] -= 1 }
        }
        enqueue(on: stage.lane)
        stage.lane.enqueue {
            enqueue(on: stage.lane)
            enqueue(on: other)
        }
        stage.environment.fork(
            parts: 3,
            joinOn: other,
            body: { _ in enqueue(on: stage.lane) },
            join: { enqueue(on: other) }
        )
        #expect(await inline.values(count: 7) == Array(repeating: false, count: 7))
    }

    @Test("4: all enqueued work runs", arguments: Substrate.allCases)
    func allEnqueuedWorkRuns(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let lanes = (0..<3).map { stage.environment.makeLane(label: "lane \($0)") }
        let ran = Journal<Int>()
        // Each step enqueues the next one on another lane.
        @Sendable func step(_ number: Int) {
            ran.append(number)
            guard number < 100 else { return }
            lanes[number % 3].enqueue { step(number + 1) }
        }
        stage.lane.enqueue { step(0) }
        #expect(await ran.values(count: 101) == Array(0...100))
    }

    @Test("5: isCurrent is true only inside the lane's work", arguments: Substrate.allCases)
    func isCurrentIsTrueOnlyInsideTheLanesWork(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let lanes = [
            stage.lane, stage.environment.makeLane(label: "one"),
            stage.environment.makeLane(label: "two"),
        ]
        for (index, lane) in lanes.enumerated() {
            let (own, isWorker) = await lane.run {
                (lanes.map(\.isCurrent), stage.environment.isCurrentWorker)
            }
            #expect(own == lanes.indices.map { $0 == index })
            #expect(!isWorker)
            #expect(!lane.isCurrent)
        }
        let seen = Journal<[Bool]>()
        stage.environment.fork(
            parts: 4,
            joinOn: lanes[1],
            body: { _ in
                seen.append(lanes.map(\.isCurrent) + [stage.environment.isCurrentWorker])
            },
            join: { seen.append(lanes.map(\.isCurrent) + [stage.environment.isCurrentWorker]) }
        )
        let values = await seen.values(count: 5)
        #expect(values.dropLast() == Array(repeating: [false, false, false, true], count: 4)[...])
        #expect(values.last == [false, true, false, false])
    }

    @Test(arguments: Substrate.allCases)
    func everyPartOfAForkRunsBeforeItsJoin(_ substrate: Substrate) async {
        let stage = substrate.makeStage(workerCount: 3)
        for parts in [1, 2, 5, 40] {
            let joined = Journal<[Int]>()
            // One slot per part, without a lock: the join must see all writes.
            let slots = Slots(parts)
            stage.environment.fork(
                parts: parts,
                joinOn: stage.lane,
                body: { slots[$0] += $0 + 1 },
                join: { joined.append((0..<parts).map { slots[$0] }) }
            )
            #expect(await joined.values(count: 1) == [Array(1...parts)])
        }
    }

    @Test(arguments: Substrate.allCases)
    func forksMayBeginInPartsAndJoins(_ substrate: Substrate) async {
        let stage = substrate.makeStage(workerCount: 2)
        let (ran, joined) = (Journal<Int>(), Journal<Int>())
        @Sendable func fork(_ depth: Int) {
            stage.environment.fork(
                parts: 2,
                joinOn: stage.lane,
                body: { part in
                    ran.append(depth)
                    if depth > 0, part == 0 { fork(depth - 1) }
                },
                join: { joined.append(depth) }
            )
        }
        fork(4)
        #expect(await joined.values(count: 5).sorted() == [0, 1, 2, 3, 4])
        #expect(ran.count == 10)
    }

    @Test(arguments: Substrate.allCases)
    func timersAreNeverEarlyAndRunOnTheirLane(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let fired = Journal<(delay: Duration, isLate: Bool, isOnLane: Bool)>()
        let delays: [Duration] = [
            .milliseconds(3), .zero, Duration(attoseconds: 1), .microseconds(500), .milliseconds(3),
        ]
        for delay in delays {
            let start = stage.environment.now
            stage.environment.schedule(after: delay, on: stage.lane) {
                let now = stage.environment.now
                fired.append((delay, now >= start + delay, stage.lane.isCurrent))
            }
        }
        let values = await fired.values(count: delays.count)
        #expect(values.map(\.delay).sorted() == delays.sorted())
        let areRight = values.allSatisfy { $0.isLate && $0.isOnLane }
        #expect(areRight)
    }

    @Test(arguments: Substrate.allCases)
    func timeNeverGoesBack(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let times = Journal<Duration>()
        for number in 0..<20 {
            let lane = number % 2 == 0 ? stage.lane : stage.environment.makeLane(label: "other")
            stage.environment.schedule(after: .microseconds(1), on: lane) {}
            await lane.run { times.append(stage.environment.now) }
        }
        #expect(times.values == times.values.sorted())
    }

    @Test(arguments: Substrate.allCases)
    func everyWaitTakesOneSignal(_ substrate: Substrate) async {
        let stage = substrate.makeStage()
        let other = stage.environment.makeLane(label: "other")
        let signal = stage.environment.makeSignal()
        let waited = Journal<String>()
        // An earlier signal lets a later wait return immediately.
        signal.signal()
        await stage.lane.run { signal.wait() }
        // A lane waits for another lane.
        stage.lane.enqueue {
            other.enqueue { signal.signal() }
            signal.wait()
            waited.append("a lane")
        }
        await waited.values(count: 1)
        // A thread without a lane waits for a lane; then a lane waits for a thread.
        Thread.detachNewThread {
            signal.wait()
            waited.append("a thread")
        }
        other.enqueue { signal.signal() }
        await waited.values(count: 2)
        stage.lane.enqueue {
            signal.wait()
            waited.append("a lane")
        }
        Thread.detachNewThread { signal.signal() }
        #expect(await waited.values(count: 3) == ["a lane", "a thread", "a lane"])
    }
}

/// Words written without a lock, one per part of a fork.
private final class Slots: @unchecked Sendable {  // each part writes its own word
    private let words: UnsafeMutablePointer<Int>

    init(_ count: Int) {
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
    }

    deinit { words.deallocate() }

    subscript(index: Int) -> Int {
        get { words[index] }
        set { words[index] = newValue }
    }
}
