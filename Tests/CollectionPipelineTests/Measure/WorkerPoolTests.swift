import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Workers take turns between jobs", .endsHangs)
struct WorkerPoolTests {
    /// Hands out everything, with the last job added after some parts; the numbers of the jobs, in the order in
    /// which they got their parts.
    private func turns(_ sizes: [Int], lastComesAfter delay: Int) -> [Int] {
        var schedule = WorkerPool.Schedule()
        let jobs = sizes.map { WorkerPool.Job(parts: $0, body: { _ in }, completion: {}) }
        for job in jobs.dropLast() { _ = schedule.add(job, width: 1) }
        var turns: [Int] = []
        func take() {
            guard let (job, part) = schedule.nextPart() else { return }
            let number = jobs.firstIndex { $0 === job } ?? -1
            #expect(part == turns.count { $0 == number }, "parts come in order")
            turns.append(number)
        }
        while turns.count < min(delay, sizes.dropLast().reduce(0, +)) { take() }
        if let last = jobs.last { _ = schedule.add(last, width: 1) }
        while turns.count < sizes.reduce(0, +) { take() }
        #expect(schedule.nextPart() == nil)
        return turns
    }

    /// Every number of parts of up to three jobs, and every moment at which the last may come.
    @Test func nobodyGetsTwoPartsWhileAnotherWaitsForOne() {
        for sizes in (1...3).flatMap({ Self.lists(of: $0, upTo: 4) }) {
            for delay in 0...sizes.dropLast().reduce(0, +) {
                let turns = turns(sizes, lastComesAfter: delay)
                for waiting in sizes.indices {
                    // From when it came, and from each of its turns, to its next.
                    var start = waiting == sizes.count - 1 ? delay : 0
                    for end in turns.indices where turns[end] == waiting && end >= start {
                        let between = turns[start..<end]
                        #expect(Set(between).count == between.count, "\(sizes) gave \(turns)")
                        start = end + 1
                    }
                }
            }
        }
    }

    /// First come, first served.
    @Test func jobsThatComeTogetherTakeTurnsInTheOrderInWhichTheyCame() {
        for sizes in (1...3).flatMap({ Self.lists(of: $0, upTo: 4) }) {
            var (left, expected) = (sizes, [Int]())
            while left.contains(where: { $0 > 0 }) {
                for job in left.indices where left[job] > 0 {
                    expected.append(job)
                    left[job] -= 1
                }
            }
            #expect(turns(sizes, lastComesAfter: 0) == expected)
        }
    }

    @Test(arguments: [-1, 0, 1, 7])
    func aPoolHasAWorkerWhateverIsAskedFor(_ width: Int) async {
        let (pool, log) = (WorkerPool(width: width), Journal<Int>())
        #expect(pool.width == max(1, width))
        pool.run(parts: 3) { _ in
        } completion: {
            log.append(3)
        }
        #expect(await log.values(count: 1) == [3])
    }

    private static func lists(of count: Int, upTo limit: Int) -> [[Int]] {
        count == 0
            ? [[]]
            : lists(of: count - 1, upTo: limit).flatMap { list in
                (1...limit).map { list + [$0] }
            }
    }

    @Test(.holdsWorker)
    func aSmallJobDoesNotWaitForTheEndOfALargeOne() async {
        let (pool, gate, log) = (WorkerPool(width: 1), Gate(), Journal<String>())
        pool.run(parts: 100) { part in
            if part == 0 { gate.pass() }
            log.append("large")
        } completion: {
        }
        await gate.reached()
        pool.run(parts: 1) { _ in
            log.append("small")
        } completion: {
        }
        gate.open()
        let parts = await log.values(count: 101)
        #expect(parts.firstIndex(of: "small") ?? 100 <= 2)
    }
}
