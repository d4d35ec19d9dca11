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
            abstract: "Tries all mutations, or a sample.",
            discussion: """
                All mutations are compiled into one copy of the package. Each is switched on in separate \
                processes, which run the test suites that reach it. Survivors are printed as differences; \
                .github/CONTRIBUTING.md explains how to read them.
                """
        )

        @Option(help: "A folder or file to mutate, relative to the root; repeatable.")
        var only: [String] = []

        @Option(help: "The root of the package.")
        var root = "."

        @Option(help: "A test target to build and run; repeatable. All targets by default.")
        var tests: [String] = []

        @Option(help: "The number of mutations in a random sample. All mutations by default.")
        var sample: Int?

        @Option(help: "The seed of the sample; the same seed draws the same sample.")
        var seed = UInt64.random(in: 0..<1_000_000)

        @Option(help: "The maximum duration of a suite, in seconds; longer suites are not run.")
        var suiteLimit = Double.infinity

        @Option(help: "The number of concurrent processes.")
        var jobs = 2

        @Option(help: "The minimum score, in percent; a lower score fails.")
        var atLeast = 0.0

        func run() throws {
            let rootURL = URL(fileURLWithPath: root).standardizedFileURL
            let workshop = try Workshop(root: rootURL, testTargets: tests) { note($0) }
            var mutations = try workshop.mutations(in: only.isEmpty ? Workshop.everything : only)
            note("\(mutations.count) mutations")
            if let sample {
                note("a sample of \(sample); --sample \(sample) --seed \(seed) repeats it")
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
            String(
                format: "%6.1f %%  %6d %6d %6d  ",
                row.percentage,
                row.found,
                row.survived,
                row.notReached
            ) + name
        }
    }
}

/// Prints a progress message on standard error.
func note(_ line: String) {
    let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
    FileHandle.standardError.write(Data("\(time) \(line)\n".utf8))
}

/// A small generator with the same numbers on every platform.
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
