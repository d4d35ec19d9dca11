import PipelineTestSupport
import Testing

@testable import git_timelapse

@Suite struct GitLogParserTests {
    private static let id = String(repeating: "1a", count: 20)
    private static let none = String(repeating: "0", count: 40)
    private static let blob = String(repeating: "b2", count: 20)

    private static let sample: [UInt8] = Array(
        [
            id, ":fix\u{1b}[2J", "\n:000000 100644 \(none) \(blob) A", ":odd\nname",
            ":100644 100755 \(blob) \(blob) R087", "old", "new/er",
            ":100644 100644 \(blob) \(blob) C100", "old", "copy",
            ":120000 100644 \(blob) \(blob) T", "link", id, "", id, "last",
            "\n:100644 000000 \(blob) \(none) D", "gone", "",
        ].joined(separator: "\0").utf8
    )

    private static func parse(_ bytes: [UInt8], piece: Int) throws -> [GitCommit] {
        var rest = bytes[...]
        var parser = GitLogParser(
            NULTerminatedReader {
                defer { rest = rest.dropFirst(piece) }
                return rest.isEmpty ? nil : Array(rest.prefix(piece))
            }
        )
        var commits: [GitCommit] = []
        while let commit = try parser.next() { commits.append(commit) }
        return commits
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func spoiledOutputIsReadOrRefused(seed: UInt64) {
        var mutilation = Mutilation(seed: seed)
        var refused = 0
        for _ in 0..<1_000 {
            let spoiled = mutilation.spoil(Self.sample)
            if (try? Self.parse(spoiled, piece: 7)) == nil { refused += 1 }
        }
        #expect(refused > 50, "seed \(seed)")
    }

    @Test func piecesOfAnySizeGiveTheSameCommits() throws {
        let commits = try Self.parse(Self.sample, piece: Self.sample.count)
        let content = FileContent(
            mode: FileMode(rawValue: 0o100644),
            object: try #require(ObjectID(Self.blob))
        )
        let executable = FileContent(mode: FileMode(rawValue: 0o100755), object: content.object)
        #expect(commits.map(\.subject) == [":fix\u{1b}[2J", "", "last"])
        #expect(
            commits.map(\.changes) == [
                [
                    .add(":odd\nname", content), .rename(from: "old", to: "new/er", executable),
                    .add("copy", content), .modify("link", content),
                ],
                [], [.delete("gone")],
            ]
        )
        for piece in 1..<40 { #expect(try Self.parse(Self.sample, piece: piece) == commits) }
    }

    @Test func outputThatEndsTooEarlyIsAnError() throws {
        for length in 1..<Self.sample.count where Self.sample[length - 1] != 0 {
            #expect(throws: GitError.self) {
                try Self.parse(Array(Self.sample.prefix(length)), piece: 64)
            }
        }
    }

    @Test func outputOfAnotherFormatIsAnError() {
        for text in ["commit \(Self.id)\0x\0", "\(Self.id)\0s\0\n:100644 A\0p\0", "\0", "x\0"] {
            #expect(throws: GitError.self) { try Self.parse(Array(text.utf8), piece: 64) }
        }
    }

    @Test(arguments: ["A\0", "A\0d/", "R100\0old\0", "C050\0old\0new/"])
    func pathWithoutANameIsAnError(_ change: String) {
        let text = "\(Self.id)\0s\0\n:0 100644 \(Self.none) \(Self.blob) \(change)\0"
        #expect(throws: GitError.self) { try Self.parse(Array(text.utf8), piece: 64) }
    }

    @Test func objectsKeepAllTheirDigits() throws {
        for length in [40, 64] {
            let digits = String("0123456789abcdef0011223344556677".repeated(2).prefix(length))
            #expect(try #require(ObjectID(digits)).description == digits)
        }
        for digits in ["", "abc", String(repeating: "g", count: 40)] {
            #expect(ObjectID(digits) == nil)
        }
        #expect(ObjectID(Self.none) != ObjectID(String(repeating: "0", count: 64)))
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
