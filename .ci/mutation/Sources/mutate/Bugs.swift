import ArgumentParser
import Foundation
import Mutations
import Synchronization

extension Mutate {
    /// Shows that the simulator can fail.
    struct Bugs: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Searches for every deliberate bug with the simulator."
        )

        @Option(help: "The root of the package.")
        var root = "."

        @Option(help: "The list of bugs, relative to the root.")
        var list = "Examples/pipeline-simulate/DeliberateBugs.txt"

        @Option(help: "A bug to search for; repeatable. All bugs by default.")
        var only: [String] = []

        @Option(help: "The number of seeds to search for each bug.")
        var seeds = 100_000

        @Option(help: "The number of seeds to search for each bug of clusters.")
        var clusterSeeds = 16_000

        @Option(help: "The first seed for bugs of clusters.")
        var clusterFrom = 13_000

        @Option(help: "The number of seeds to search for each bug of tables.")
        var tableSeeds = 20_000

        @Option(help: "The number of concurrent processes.")
        var jobs = 2

        func run() throws {
            let root = URL(fileURLWithPath: root).standardizedFileURL
            let text = try String(contentsOf: root.appendingPathComponent(list), encoding: .utf8)
            let bugs = try DeliberateBug.parse(text, path: list)
            let unknown = Set(only).subtracting(bugs.map(\.name))
            guard unknown.isEmpty, seeds > 0, clusterSeeds > 0, tableSeeds > 0, jobs > 0
            else {
                throw ValidationError(
                    "expected known bugs and positive numbers; unknown bugs: \(unknown.sorted())"
                )
            }
            let workshop = try Workshop(root: root, copy: "bugs") { note($0) }
            note("\(bugs.count) bugs; building a copy with all of them")
            try workshop.build(bugs)
            let hunt = BugHunt(
                workshop,
                seeds: [
                    .pipelines: 0..<seeds, .clusters: clusterFrom..<(clusterFrom + clusterSeeds),
                    .tables: 0..<tableSeeds,
                ]
            )
            for mode in [DeliberateBug.Mode.pipelines, .tables] {
                if let evidence = try hunt.evidence(of: 0, in: mode) {
                    print("without any bug: \(evidence)")
                    throw ExitCode(1)
                }
            }
            let sought = bugs.indices.filter { only.isEmpty || only.contains(bugs[$0].name) }
            let missed = Mutex<[String]>([])
            try inParallel(sought, jobs: jobs) { index in
                let (name, mode) = (bugs[index].name, bugs[index].mode)
                let evidence = try hunt.evidence(of: index + 1, in: mode)
                print("\(name): \(evidence ?? "MISSED")")
                if evidence == nil { missed.withLock { $0.append(name) } }
            }
            let names = missed.withLock { $0.sorted() }
            print("\(sought.count - names.count) of \(sought.count) deliberate bugs were found.")
            if !names.isEmpty {
                print("missed: \(names.joined(separator: ", "))")
                throw ExitCode(1)
            }
        }
    }
}
