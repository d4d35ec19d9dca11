import Foundation

/// Tries mutations, each in processes of its own, until a test notices.
package struct Campaign: Sendable {
    private var workshop: Workshop
    let log: VerdictLog
    let jobs: Int
    /// How long the suites may take together that a mutation is tried with, in seconds.
    let budget: Double
    let report: @Sendable (String) -> Void
    private var suites: [TestSuite] = []
    private var tests = ""
    /// The order in which mutations are tried, by key.
    private var places: [String: Int] = [:]

    package init(
        _ workshop: Workshop,
        log: VerdictLog,
        jobs: Int,
        budget: Double,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.workshop, self.log) = (workshop, log)
        (self.jobs, self.budget, self.report) = (jobs, budget, report)
    }

    /// Builds the copy and measures which suites reach what.
    ///
    /// - Parameter limit: a suite that takes longer, in seconds, is left out.
    package mutating func prepare(_ mutations: [Mutation], limit: Double?) throws {
        places = Dictionary(
            uniqueKeysWithValues: mutations.enumerated().map { ($1.key, $0) }
        )
        try workshop.build(mutations)
        suites = try workshop.measuredSuites(jobs: jobs)
        if let limit { suites.removeAll { $0.seconds > limit } }
        tests = try "\(workshop.fingerprintOfTests())-\(budget)"
        let slowest = suites.sorted { $0.seconds > $1.seconds }.prefix(5)
            .map { String(format: "%@ %.1f s", $0.name, $0.seconds) }.joined(separator: ", ")
        let seconds = Int(suites.reduce(0) { $0 + $1.seconds })
        report("\(suites.count) suites, \(seconds) s in all; the slowest: \(slowest)")
    }

    /// Tries what has no verdict yet; a survivor of other tests is tried again.
    ///
    /// - Parameter deadline: when to begin nothing more.
    package func run(again: Bool, deadline: Date?) throws {
        let open = workshop.numbered.filter { entry in
            guard !again, let verdict = log[entry.mutation.key] else { return true }
            return !verdict.isFound && verdict.tests != tests
        }
        .sorted { places[$0.mutation.key] ?? 0 < places[$1.mutation.key] ?? 0 }
        report("\(open.count) mutations to try, \(workshop.numbered.count - open.count) known")
        let start = Date()
        var lastReport = start
        try inParallel(
            open.map { (number: $0.number, key: $0.mutation.key, file: $0.mutation.file) },
            jobs: jobs,
            progress: { done in
                guard Date().timeIntervalSince(lastReport) > 30, done > 0 else { return }
                lastReport = Date()
                let left =
                    lastReport.timeIntervalSince(start) / Double(done)
                    * Double(open.count - done)
                report("\(done) of \(open.count) tried, about \(Int(left / 60) + 1) min to go")
            },
            until: { deadline.map { Date() > $0 } ?? false }
        ) { [self] entry in
            try log.add(verdict(number: entry.number, key: entry.key, file: entry.file))
        }
    }

    private func verdict(number: Int, key: String, file: String) throws -> Verdict {
        let module = file.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        // Cheapest first, and those of the same module before others.
        func cost(_ suite: TestSuite) -> Double {
            suite.seconds * (suite.module == module + "Tests" ? 0.2 : 1)
        }
        var left = budget
        let reaching = suites.filter { $0.reached.contains(number) }
            .sorted { (cost($0), $0.name) < (cost($1), $1.name) }
            .prefix { suite in
                defer { left -= suite.seconds }
                return left > 0
            }
        for batch in Self.batches(Array(reaching)) {
            let seconds = batch.reduce(0) { $0 + $1.seconds }
            for var command in workshop.commands(batch) {
                command.environment["MUTATION"] = String(number)
                // Several times what it takes. The clock decides only about what is neither busy nor idle.
                command.processorSeconds = Int(4 + 4 * seconds)
                command.idleSeconds = 6
                command.seconds = 120 + 20 * seconds
                var finder = ""
                let ending = try command.run { line in
                    guard line.hasPrefix("✘"), line.contains("recorded an issue") else {
                        return false
                    }
                    finder = line
                    return true
                }
                let outcome: Verdict.Outcome = ending == .tookTooLong ? .tookTooLong : .found
                guard ending == .exited(0) else {
                    let names = finder.isEmpty ? batch.map(\.name) : [finder]
                    return Verdict(key: key, outcome: outcome, suites: names, tests: tests)
                }
            }
        }
        return Verdict(
            key: key,
            outcome: reaching.isEmpty ? .notReached : .survived,
            suites: reaching.map(\.name),
            tests: tests
        )
    }

    /// Some suites at a time: few seconds first, then more.
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

extension Workshop {
    /// Differs where any file of the tests differs.
    func fingerprintOfTests() throws -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(testTargets.joined().utf8.count)
        for path in try allFiles().sorted() where path.hasPrefix("Tests/") {
            let bytes = try Data(contentsOf: root.appendingPathComponent(path))
            for byte in Array(path.utf8) + Array(bytes) {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        return String(hash, radix: 36)
    }
}
