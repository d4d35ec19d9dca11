import ArgumentParser
import Foundation
import Mutations

extension Mutate {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries mutations, all or a sample, and goes on where it was interrupted."
        )

        @OptionGroup var scope: Scope

        @Option(help: "A test target to build and run; several may be given. All where none is.")
        var tests: [String] = []

        @Option(help: "How many to try, drawn at random; all where it is not given.")
        var sample: Int?

        @Option(help: "What a sample is drawn from; the same seed draws the same.")
        var seed: UInt64?

        @Option(help: "Begin nothing more after so many seconds of trying.")
        var seconds: Double?

        @Option(help: "Leave out suites that take longer, in seconds.")
        var suiteLimit = Double.infinity

        @Option(
            help:
                "Try each with suites that take so many seconds together, nearest and cheapest first."
        )
        var budget = Double.infinity

        @Option(help: "How many processes at a time.")
        var jobs = 3

        @Flag(help: "Try also what has a verdict.")
        var again = false

        @Option(
            help:
                "Fail where the score is lower, in percent; where it is not given, a sample fails on any survivor that is not listed."
        )
        var atLeast: Double?

        func run() throws {
            let workshop = try scope.makeWorkshop(testTargets: tests)
            let log = try scope.makeLog()
            let withoutEffect = try scope.withoutEffect()
            let open = try scope.openSurvivors()
            var mutations = try workshop.mutations(in: scope.folders)
            note("\(mutations.count) mutations")
            if let sample {
                let seed = seed ?? UInt64.random(in: 0..<1_000_000)
                note("a sample of \(sample); --sample \(sample) --seed \(seed) draws the same")
                mutations.removeAll { withoutEffect.contains($0) || open.contains($0) }
                mutations = drawn(sample, of: mutations, seed: seed)
            }
            var campaign = Campaign(workshop, log: log, jobs: jobs) { note($0) }
            mutations = try campaign.prepare(mutations)
            try campaign.run(
                TrialLimits(budget: budget, suite: suiteLimit),
                again: again || sample != nil,
                deadline: seconds.map { Date.now.addingTimeInterval($0) }
            )
            var score = Score(mutations, log, withoutEffect: withoutEffect)
            if sample != nil, budget < .infinity || suiteLimit < .infinity {
                // What was left out may find what nothing else found.
                try campaign.run(again: score.survivors)
                score = Score(mutations, log, withoutEffect: withoutEffect)
            }
            let unknown = score.survivors.filter { !open.contains($0) }
            for mutation in unknown { print(mutation.difference + "\n") }
            for mutation in score.listedButFound {
                print("listed as without effect, and found:\n\(mutation.difference)\n")
            }
            print(score, files: sample == nil)
            guard score.listedButFound.isEmpty else { throw ExitCode(1) }
            if sample != nil, atLeast == nil, !unknown.isEmpty {
                print("\(unknown.count) mutations survive that are not listed")
                throw ExitCode(1)
            }
            if let atLeast, score.total.percentage < atLeast {
                print("the score is below \(atLeast) %")
                throw ExitCode(1)
            }
        }

        private func drawn(_ count: Int, of mutations: [Mutation], seed: UInt64) -> [Mutation] {
            var generator = SplitMix(state: seed)
            // Tried as drawn, so that a deadline leaves out any of them.
            return Array(mutations.shuffled(using: &generator).prefix(count))
        }
    }

    /// Prints what earlier runs found.
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the score of what was tried, and every survivor as a difference."
        )

        @OptionGroup var scope: Scope

        @Flag(help: "Print survivors as entries for a list, without their reasons.")
        var listed = false

        func run() throws {
            let workshop = try scope.makeWorkshop()
            let withoutEffect = try scope.withoutEffect()
            let mutations = try workshop.mutations(in: scope.folders).filter(workshop.mayCompile)
            let score = Score(mutations, try scope.makeLog(), withoutEffect: withoutEffect)
            if listed {
                for entry in Set(score.survivors.map(\.listed)).sorted() { print(entry + "\n") }
                return
            }
            for mutation in score.survivors { print(mutation.difference + "\n") }
            print(score, files: true)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints every mutation as a difference."
        )

        @OptionGroup var scope: Scope

        func run() throws {
            let workshop = try scope.makeWorkshop()
            let mutations = try workshop.mutations(in: scope.folders).filter(workshop.mayCompile)
            for mutation in mutations { print(mutation.difference + "\n") }
            print("\(mutations.count) mutations")
        }
    }

    /// Reads the lists and compares them with the sources, without building anything.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks that every listed mutation is one of the sources'."
        )

        @OptionGroup var scope: Scope

        func run() throws {
            let workshop = try scope.makeWorkshop()
            let mutations = try workshop.mutations(in: Workshop.everything)
            let entries = Set(mutations.map(\.entry))
            let (withoutEffect, open) = (try scope.withoutEffect(), try scope.openSurvivors())
            let stale = [withoutEffect, open].flatMap(\.reasons.keys).filter {
                !entries.contains($0)
            }
            for entry in stale.sorted(by: { ($0.file, $0.declaration) < ($1.file, $1.declaration) })
            {
                print("\(entry.file): \(entry.declaration)")
                for line in entry.original { print("- \(line)") }
                for line in entry.mutated { print("+ \(line)") }
            }
            let listed = mutations.filter { withoutEffect.contains($0) }.count
            print(
                "\(mutations.count) mutations, \(listed) without effect, \(stale.count) entries stale"
            )
            if !stale.isEmpty { throw ExitCode(1) }
        }
    }
}

/// Small, and the same everywhere.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
