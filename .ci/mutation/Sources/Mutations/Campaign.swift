import Foundation

/// How much is done to find a mutation; everything, where nothing else is said.
package struct TrialLimits: Sendable {
    /// How long the suites may take together that one is tried with, in seconds.
    let budget: Double
    /// A suite that takes longer, in seconds, is left out.
    let suite: Double

    package init(budget: Double = .infinity, suite: Double = .infinity) {
        (self.budget, self.suite) = (budget, suite)
    }
}

/// Tries mutations, each in processes of its own, until a test notices.
package struct Campaign: Sendable {
    private var workshop: Workshop
    let log: VerdictLog
    let jobs: Int
    let report: @Sendable (String) -> Void
    private var suites: [TestSuite] = []
    private var fingerprint = ""
    /// The order in which mutations are tried, by key.
    private var places: [String: Int] = [:]

    package init(
        _ workshop: Workshop,
        log: VerdictLog,
        jobs: Int,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.workshop, self.log) = (workshop, log)
        (self.jobs, self.report) = (jobs, report)
    }

    /// Builds the copy and measures which suites reach what.
    ///
    /// - Returns: those that compile.
    package mutating func prepare(_ mutations: [Mutation]) throws -> [Mutation] {
        places = Dictionary(
            uniqueKeysWithValues: mutations.enumerated().map { ($1.key, $0) }
        )
        try workshop.build(mutations)
        suites = try workshop.measuredSuites(jobs: jobs)
        fingerprint = try workshop.fingerprintOfTests()
        let slowest = suites.sorted { $0.seconds > $1.seconds }.prefix(5)
            .map { String(format: "%@ %.1f s", $0.name, $0.seconds) }.joined(separator: ", ")
        let seconds = Int(suites.reduce(0) { $0 + $1.seconds })
        report("\(suites.count) suites, \(seconds) s in all; the slowest: \(slowest)")
        return mutations.filter(workshop.mayCompile)
    }

    /// Tries what has no verdict yet; a survivor of other tests is tried again.
    ///
    /// - Parameters:
    ///   - limits: how much is done to find each.
    ///   - again: whether what has a verdict is tried too.
    ///   - deadline: when to begin nothing more.
    package func run(_ limits: TrialLimits, again: Bool, deadline: Date?) throws {
        try run(limits, deadline: deadline) { mutation in
            guard !again, let verdict = log[mutation.key] else { return true }
            return !verdict.isFound && verdict.tests != tests(limits)
        }
    }

    /// Tries these once more, with every suite that comes across them.
    package func run(again survivors: [Mutation]) throws {
        let keys = Set(survivors.map(\.key))
        try run(TrialLimits(), deadline: nil) { keys.contains($0.key) }
    }

    private func tests(_ limits: TrialLimits) -> String {
        "\(fingerprint)-\(limits.budget)-\(limits.suite)"
    }

    private func run(
        _ limits: TrialLimits,
        deadline: Date?,
        tries: (Mutation) -> Bool
    ) throws {
        let open = workshop.numbered.filter { tries($0.mutation) }
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
            try log.add(verdict(limits, number: entry.number, key: entry.key, file: entry.file))
        }
    }

    private func verdict(
        _ limits: TrialLimits,
        number: Int,
        key: String,
        file: String
    ) throws -> Verdict {
        let tests = tests(limits)
        let module = file.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        // Cheapest first, and those of the same module before others.
        func cost(_ suite: TestSuite) -> Double {
            suite.seconds * (suite.module == module + "Tests" ? 0.2 : 1)
        }
        var left = limits.budget
        let reaching = suites.filter { $0.seconds <= limits.suite && $0.reached.contains(number) }
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
                    // In colour, so that the sign is not the first of the line.
                    guard line.contains("✘"), line.contains("recorded an issue") else {
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
