import Foundation
import PipelineTestSupport
import Testing

/// The programs that share the promises of `ProgramPromiseTests`.
let programs = [
    "changeset-lint", "git-timelapse", "layout-gallery", "pipeline-benchmarks", "pipeline-simulate",
]

func program(_ name: String) throws -> BuiltProgram {
    try #require(BuiltProgram(name), "\(name) is not in the folder of the tests")
}

/// Runs a program of this package to its end.
func run(
    _ name: String,
    _ arguments: [String] = [],
    in folder: URL? = nil,
    input: String? = nil,
    environment: [String: String] = [:]
) throws -> BuiltProgram.Result {
    try program(name).run(arguments, in: folder, input: input, environment: environment)
}

/// Calls `body` with a new folder, which is removed afterwards.
func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension URL {
    /// Writes a file into this folder, and returns its path.
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }
}

/// The root of the package.
let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The failed rows of a table; each table expects once that there are none.
struct Faults {
    private(set) var rows: [String] = []
    var isEmpty: Bool { rows.isEmpty }
    var text: String { rows.joined(separator: "\n") }

    mutating func check(_ isRight: Bool, _ row: @autoclosure () -> String) {
        if !isRight { rows.append(row()) }
    }

    /// Records a run unless it ended with code 2, nothing on standard output, and this one line on
    /// standard error.
    mutating func checkRefusal(
        _ result: BuiltProgram.Result,
        by program: String,
        _ message: String,
        output: String = ""
    ) {
        check(
            result.code == 2 && result.output == output
                && result.errors == "\(program): \(message)\n",
            "expected: \(message)\nfound \(result)"
        )
    }
}

extension String {
    var lines: [String] { split(separator: "\n").map(String.init) }

    func object() throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(utf8))
        return try #require(value as? [String: Any], "\(self) is not an object")
    }
}
