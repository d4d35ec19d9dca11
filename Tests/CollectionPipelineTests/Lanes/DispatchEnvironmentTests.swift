import Foundation
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Workers and lanes on Dispatch", .endsHangs)
struct DispatchEnvironmentTests {
    @Test func theSharedWorkersAreAsManyAsTheProcessors() {
        let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        #expect(DispatchEnvironment().workerCount == max(1, processors))
        #expect(DispatchEnvironment(workerCount: 0).workerCount == 1)
        #expect(DispatchEnvironment(workerCount: -7).workerCount == 1)
    }

    @Test func aWorkerOfOneEnvironmentIsOneToAll() async {
        let (mine, other) = (DispatchEnvironment(workerCount: 1), DispatchEnvironment())
        let lane = EmulatedMainLane()
        let seen = Journal<[Bool]>()
        mine.fork(
            parts: 1,
            joinOn: lane,
            body: { _ in seen.append([mine.isCurrentWorker, other.isCurrentWorker]) },
            join: { seen.append([mine.isCurrentWorker, other.isCurrentWorker]) }
        )
        #expect(await seen.values(count: 2) == [[true, true], [false, false]])
    }

    @Test(.holdsWorker)
    func workersOfItsOwnDoNotCompeteWithThoseOfOthers() async {
        let (held, free) = (
            DispatchEnvironment(workerCount: 1), DispatchEnvironment(workerCount: 1)
        )
        let lane = EmulatedMainLane()
        let gate = Gate()
        defer { gate.open() }
        let joined = Journal<String>()
        held.fork(parts: 1, joinOn: lane, body: { _ in gate.pass() }) { joined.append("held") }
        await gate.reached()
        free.fork(parts: 5, joinOn: lane, body: { _ in }) { joined.append("free") }
        #expect(await joined.values(count: 1) == ["free"])
        gate.open()
        await joined.values(count: 2)
    }

    /// Blocked main lanes leave threads for what they wait for, and busy workers leave some for both.
    @Test func mainLanesEditingLanesAndWorkersDrawOnThreePools() {
        #expect(LaneClass.main.qos != LaneClass.editing.qos)
        #expect(![LaneClass.main.qos, LaneClass.editing.qos].contains(.default))
    }

    /// Jobs and workers that come and go in any order: every part is given once, never to more workers
    /// at a time than there may be, and no worker stays when there is nothing to do.
    @Test(arguments: UInt64(1)...200)
    func everyPartIsGivenOnceToNoMoreWorkersThanThereMayBe(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let width = 1 + random.next(below: 4)
        var schedule = WorkerPool.Schedule()
        var (workers, jobs) = (0, 0)
        var left: [ObjectIdentifier: Set<Int>] = [:]
        var kept: [WorkerPool.Job] = []
        while jobs < 12 || workers > 0 {
            if jobs < 12, workers == 0 || random.next(below: 4) == 0 {
                let parts = 1 + random.next(below: 6)
                let job = WorkerPool.Job(parts: parts, body: { _ in }, completion: {})
                kept.append(job)
                left[ObjectIdentifier(job)] = Set(0..<parts)
                jobs += 1
                workers += schedule.add(job, width: width)
                #expect(workers <= width, "seed \(seed)")
                #expect(workers > 0, "seed \(seed): nobody works")
            } else if let (job, part) = schedule.nextPart() {
                let isNew = left[ObjectIdentifier(job)]?.remove(part) != nil
                #expect(isNew, "seed \(seed): part \(part) again")
            } else {
                workers -= 1
            }
        }
        let isAnyLeft = left.values.contains { !$0.isEmpty }
        #expect(!isAnyLeft, "seed \(seed)")
    }
}
