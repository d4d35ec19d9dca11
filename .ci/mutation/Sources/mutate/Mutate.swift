import ArgumentParser
import Foundation
import Mutations

@main
struct Mutate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds small bugs that no test would notice.",
        discussion: """
            Every mutation is compiled into one copy of the package and switched on in processes of its own, \
            which run the test suites that come across it. See ARCHITECTURE.md.
            """,
        subcommands: [Run.self, Report.self, List.self, Check.self],
        defaultSubcommand: Run.self
    )
}

/// What several commands ask for.
struct Scope: ParsableArguments {
    @Option(
        help:
            "A folder or file to mutate, from the package's root; several may be given. All where none is."
    )
    var only: [String] = []

    @Option(help: "The package's root.")
    var root = "."

    var folders: [String] { only.isEmpty ? Workshop.everything : only }
    var rootURL: URL { URL(fileURLWithPath: root).standardizedFileURL }

    func makeWorkshop(testTargets: [String] = []) throws -> Workshop {
        try Workshop(root: rootURL, testTargets: testTargets) { note($0) }
    }

    func makeLog() throws -> VerdictLog {
        try VerdictLog(rootURL.appendingPathComponent(".build-mutation/verdicts.jsonl"))
    }

    func known(_ name: String) throws -> KnownMutations {
        try KnownMutations(rootURL.appendingPathComponent(".ci/mutation/\(name)"))
    }

    func withoutEffect() throws -> KnownMutations { try known("without-effect") }
    func openSurvivors() throws -> KnownMutations { try known("survivors") }
}

/// Says on standard error what is going on.
func note(_ line: String) {
    let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
    FileHandle.standardError.write(Data("\(time) \(line)\n".utf8))
}

func print(_ score: Score, files: Bool) {
    func row(_ name: String, _ row: Score.Row) {
        let figures = [
            String(format: "%6.1f %%", row.percentage), "\(row.found)".leftPadded(6),
            "\(row.survived)".leftPadded(6), "\(row.notReached)".leftPadded(6),
            "\(row.listed)".leftPadded(6),
        ]
        print(figures.joined(separator: " ") + "  " + name)
    }
    print("   score  found   left  unmet listed")
    if files { for file in score.files { row(file.file, file.row) } }
    for module in score.modules { row(module.module, module.row) }
    row("all", score.total)
    if score.untried > 0 { print("\(score.untried) not tried") }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
