import Foundation
import Synchronization

/// The result of trying a mutation.
package enum Verdict: Sendable {
    /// A test failed, or a process exceeded its time limit, which a developer would notice.
    case found
    /// No test failed.
    case survived
    /// No test reaches the mutation.
    case notReached
}

/// Tries mutations, each in separate processes, until a test fails.
package struct Campaign: Sendable {
    private let workshop: Workshop
    private let suites: [TestSuite]
    private let suiteLimit: Double
    private let jobs: Int

    /// Builds the copy, and determines which mutations each suite reaches.
    ///
    /// - Parameters:
    ///   - mutations: the mutations to try.
    ///   - suiteLimit: the maximum duration of a suite, in seconds; longer suites are not run.
    ///   - jobs: the number of concurrent processes.
    package init(_ workshop: Workshop, _ mutations: [Mutation], suiteLimit: Double, jobs: Int)
        throws
    {
        var workshop = workshop
        try workshop.build(mutations)
        suites = try workshop.measure(workshop.suites(), jobs: jobs)
        let seconds = Int(suites.reduce(0) { $0 + $1.seconds })
        workshop.report("\(suites.count) suites, \(seconds) s in all")
        self.workshop = workshop
        (self.suiteLimit, self.jobs) = (suiteLimit, jobs)
    }

    /// Tries every mutation that compiles.
    ///
    /// - Returns: the verdicts, by the keys of the mutations.
    package func run() throws -> [String: Verdict] {
        let open = workshop.numbered
        let start = Date()
        let state = Mutex((verdicts: [String: Verdict](), lastReport: start))
        try inParallel(open, jobs: jobs) { entry in
            let verdict = try verdict(on: entry.number, in: entry.mutation.file)
            state.withLock { state in
                state.verdicts[entry.mutation.key] = verdict
                guard Date().timeIntervalSince(state.lastReport) > 30 else { return }
                state.lastReport = Date()
                let done = Double(state.verdicts.count)
                let minutes = Date().timeIntervalSince(start) / 60
                let left = Int(minutes / done * (Double(open.count) - done)) + 1
                workshop.report("\(Int(done)) of \(open.count) tried, about \(left) min to go")
            }
        }
        return state.withLock { $0.verdicts }
    }

    private func verdict(on number: Int, in file: String) throws -> Verdict {
        let module = file.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        // The cheapest suites run first, with a preference for those of the same module.
        func cost(_ suite: TestSuite) -> Double {
            suite.seconds * (suite.module == module + "Tests" ? 0.2 : 1)
        }
        let reaching = suites.filter { $0.seconds <= suiteLimit && $0.reached.contains(number) }
            .sorted { (cost($0), $0.name) < (cost($1), $1.name) }
        for batch in Self.batches(reaching) {
            let seconds = batch.reduce(0) { $0 + $1.seconds }
            for var command in workshop.commands(batch) {
                command.environment["MUTATION"] = String(number)
                // Several times the usual duration. The limit on real time only ends processes that
                // wait forever.
                command.processorSeconds = Int(4 + 4 * seconds)
                command.seconds = 30 + 10 * seconds
                let ending = try command.run { line in
                    // The output has colours, so the sign is not at the start of the line.
                    line.contains("✘") && line.contains("recorded an issue")
                }
                if ending != .exited(0) { return .found }
            }
        }
        return reaching.isEmpty ? .notReached : .survived
    }

    /// Divides suites into batches: short batches first, then longer ones.
    private static func batches(_ suites: [TestSuite]) -> [[TestSuite]] {
        var batches: [[TestSuite]] = []
        var limits = [0.6, 2.5, 10, .infinity][...]
        var batch: [TestSuite] = []
        var seconds = 0.0
        for suite in suites {
            if !batch.isEmpty, seconds + suite.seconds > limits.first ?? .infinity {
                batches.append(batch)
                (batch, seconds) = ([], 0)
                limits.removeFirst()
            }
            batch.append(suite)
            seconds += suite.seconds
        }
        return batch.isEmpty ? batches : batches + [batch]
    }
}
