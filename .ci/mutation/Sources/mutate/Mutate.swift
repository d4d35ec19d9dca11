import ArgumentParser
import Foundation
import Mutations

@main
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds small bugs that no test would notice.",
        subcommands: [Run.self, Bugs.self],
        defaultSubcommand: Run.self
    )

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries mutations, all or a sample.",
            discussion: """
                Every mutation is compiled into one copy of the package and switched on in processes of \
                its own, which run the test suites that reach it. Survivors are printed as differences; \
                .github/CONTRIBUTING.md says how to read one.
                """
        )

        @Option(help: "A folder or file to mutate, from the root; several may be given.")
        var only: [String] = []

        @Option(help: "The package's root.")
        var root = "."

        @Option(help: "A test target to build and run; several may be given. All if none is.")
        var tests: [String] = []

        @Option(help: "How many to try, drawn at random; all if it is not given.")
        var sample: Int?

        @Option(help: "What a sample is drawn from; the same seed draws the same.")
        var seed = UInt64.random(in: 0..<1_000_000)

        @Option(help: "Leave out suites that take longer, in seconds.")
        var suiteLimit = Double.infinity

        @Option(help: "How many processes at a time.")
        var jobs = 2

        @Option(help: "Fail if the score is lower, in percent.")
        var atLeast = 0.0

        func run() throws {
            let rootURL = URL(fileURLWithPath: root).standardizedFileURL
            let workshop = try Workshop(root: rootURL, testTargets: tests) { note($0) }
            var mutations = try workshop.mutations(in: only.isEmpty ? Workshop.everything : only)
            note("\(mutations.count) mutations")
            if let sample {
                note("a sample of \(sample); --sample \(sample) --seed \(seed) draws the same")
                var generator = SplitMix(state: seed)
                mutations = Array(mutations.shuffled(using: &generator).prefix(sample))
            }
            let campaign = try Campaign(workshop, mutations, suiteLimit: suiteLimit, jobs: jobs)
            let score = Score(mutations, try campaign.run())
            for mutation in score.survivors { print(mutation.difference + "\n") }
            print("   score  found   left  unmet")
            for (module, row) in score.modules.sorted(by: { $0.key < $1.key }) {
                print(line(module, row))
            }
            print(line("all", score.total))
            if score.total.percentage < atLeast {
                print("the score is below \(atLeast) %")
                throw ExitCode(1)
            }
        }

        private func line(_ name: String, _ row: Score.Row) -> String {
            let counts = [row.found, row.survived, row.notReached].map { count in
                String(repeating: " ", count: max(0, 6 - "\(count)".count)) + "\(count)"
            }
            return String(format: "%6.1f %% ", row.percentage) + counts.joined(separator: " ")
                + "  " + name
        }
    }
}

/// Says on standard error what is going on.
func note(_ line: String) {
    let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
    FileHandle.standardError.write(Data("\(time) \(line)\n".utf8))
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
