import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Workers take turns between jobs", .endsHangs)
struct WorkerPoolTests {
    /// Hands out everything, with the last job added after some parts; the numbers of the jobs, in the order in
    /// which they got their parts, or nil where there were too many or too few workers.
    private func turns(_ sizes: [Int], lastComesAfter delay: Int, width: Int) -> [Int]? {
        var schedule = WorkerPool.Schedule()
        let jobs = sizes.map { WorkerPool.Job(parts: $0, body: { _ in }, completion: {}) }
        let others = sizes.dropLast().reduce(0, +)
        var (turns, workers, isRight) = ([Int](), 0, true)
        func add(_ job: WorkerPool.Job) {
            workers += schedule.add(job, width: width)
            isRight = isRight && (1...width).contains(workers)
        }
        func take() {
            guard let (job, part) = schedule.nextPart() else { return workers -= 1 }
            let number = jobs.firstIndex { $0 === job } ?? -1
            isRight = isRight && part == turns.count { $0 == number }
            turns.append(number)
        }
        for job in jobs.dropLast() { add(job) }
        while turns.count < min(delay, others) { take() }
        // The workers have gone by then.
        while delay > others, workers > 0 { take() }
        if let last = jobs.last { add(last) }
        while workers > 0 { take() }
        return isRight && turns.count == sizes.reduce(0, +) ? turns : nil
    }

    /// Every number of parts of up to three jobs, and every moment at which the last may come.
    @Test(arguments: 1...3)
    func nobodyGetsTwoPartsWhileAnotherWaitsForOneAndEveryPartIsGivenOnce(_ width: Int) {
        for sizes in (1...3).flatMap({ Self.lists(of: $0, upTo: 4) }) {
            let others = sizes.dropLast().reduce(0, +)
            for delay in 0...(others + 1) {
                guard let turns = turns(sizes, lastComesAfter: delay, width: width) else {
                    Issue.record("\(sizes), the last after \(delay): workers or parts")
                    return
                }
                for waiting in sizes.indices {
                    // From when it came, and from each of its turns, to its next.
                    var start = waiting == sizes.count - 1 ? min(delay, others) : 0
                    for end in turns.indices where turns[end] == waiting && end >= start {
                        let between = turns[start..<end]
                        if Set(between).count < between.count {
                            Issue.record("\(sizes) gave \(turns)")
                        }
                        start = end + 1
                    }
                }
            }
        }
    }

    private static func lists(of count: Int, upTo limit: Int) -> [[Int]] {
        count == 0
            ? [[]]
            : lists(of: count - 1, upTo: limit).flatMap { list in
                (1...limit).map { list + [$0] }
            }
    }
}
