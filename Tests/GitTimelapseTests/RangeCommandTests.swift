import Foundation
import PipelineTestSupport
import Testing

@testable import git_timelapse

/// Whole runs with `--range`, with a program in git's place.
@Suite(.serialized, .endsHangs) struct RangeCommandTests {
    private static let id = String(repeating: "1a", count: 20)
    private static let blob = String(repeating: "b2", count: 20)
    private static let none = String(repeating: "0", count: 40)
    private static let paths = (10..<70).map { "f\($0)" }

    /// Three commits, of which the first brings sixty files.
    private static func git() throws -> PlayedGit {
        let changes = paths.map { ":000000 100644 \(none) \(blob) A\0\($0)\0" }.joined()
        let rest = "\(id)\0two\0\(id)\0three\0"
        return try PlayedGit(
            """
            case "$*" in
            *--git-dir*) echo .git; echo false;;
            *--verify*) echo \(id);;
            *--count*) echo 3;;
            *ls-tree*) exec /bin/cat "$here/listing";;
            *--no-patch*) exec /bin/cat "$here/subjects";;
            *) exec /bin/cat "$here/log";;
            esac
            """,
            files: [
                "log": Array("\(id)\0one\0\n\(changes)\(rest)".utf8),
                "subjects": Array("\(id)\0one\0\(rest)".utf8),
                "listing": Array(paths.map { "100644 blob \(blob)\t\($0)\0" }.joined().utf8),
            ]
        )
    }

    /// Directories have a line above their files, but not where trees are compared.
    @Test(arguments: [([], 37), (["--diff"], 38)])
    func whatIsNearHasANodeAfterThreeRowsDownTheList(words: [String], nodes: Int) throws {
        let git = try Self.git()
        defer { git.remove() }
        let file = git.directory.appendingPathComponent("output")
        let descriptor = open(file.path, O_CREAT | O_RDWR, 0o600)
        defer { close(descriptor) }
        let options = ["/", "--range", "--json", "--verify", "--width=35", "--height=10"]
        let command = TimelapseCommand(
            arguments: try Arguments(parsing: options + words),
            output: OutputChannel(descriptor: descriptor),
            errors: OutputChannel(descriptor: -1),
            environment: git.environment
        )
        #expect(try command.run() == .success)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#","items":60,"#))
        #expect(text.contains(#","nodesAllocated":\#(nodes),"differences":0}"#), "\(text)")
    }
}
