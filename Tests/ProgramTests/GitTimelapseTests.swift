import Foundation
import PipelineTestSupport
import Testing

/// `git-timelapse` with repositories that git has made.
@Suite(.endsHangs) struct GitTimelapseTests {
    private static let long = (0..<40).map { "line \($0)\n" }.joined()

    private static let oddNames: [GitPath] = [
        "with space", "new\nline", "tab\there", "quo\"te", "back\\slash", "-dash", "--option=x",
        "naïve", "漢字", "e\u{301}", ":colon", "*", "\u{1B}[2J", GitPath([0xFF, 0xFE, 0x41]),
        GitPath([0x80]), " ", "...",
    ]

    /// A history with everything that can go wrong.
    static func handmade() -> History {
        var history = History()
        history.commit(Array("first: \tsubject \u{1B}[31m\n\nbody".utf8))
        history.write("README", "hello\n")
        history.write("a/b/c/deep", long)
        history.write("a/one", "1\n" + long)
        history.write("a/two", "2\n" + long + long)
        for name in oddNames { history.write(name, "root \(name)") }
        history.commit("odd names in an odd directory")
        for name in oddNames {
            for directory in oddNames.prefix(8) {
                history.write(
                    GitPath(directory.bytes + Array("dir".utf8)).appending(name),
                    "\(name)"
                )
            }
        }
        history.commit("")
        history.commit([0x6C, 0xE9, 0x20, 0xFF])
        history.rename("a", "moved/away")
        history.commit("swap one and two")
        history.write("moved/away/one", "2\n" + long + long)
        history.write("moved/away/two", "1\n" + long)
        history.commit("one across directories and changed, with a new one in its place")
        history.rename("moved/away/one", "elsewhere/uno")
        history.write("elsewhere/uno", "2\n" + long + long + "and more\n")
        history.write("moved/away/one", "quite another text")
        history.commit("mode, type and submodule")
        history.write("README", "hello\n", mode: "100755")
        history.write("link", "README", mode: "120000")
        history.write("binary", "\0\u{1}\0")
        history.writeSubmodule("vendor/module", commit: "1")
        history.write(
            ".gitmodules",
            "[submodule \"m\"]\n\tpath = vendor/module\n\turl = x\n\tignore = all\n"
        )
        history.commit("submodule moves on, link becomes a file")
        history.writeSubmodule("vendor/module", commit: "2")
        history.write("link", "README")
        history.write("binary", "\0\u{2}\0")
        history.commit("file becomes directory")
        history.delete("README")
        history.write("README/inside", "hello\n")
        let main = history.commit("directory becomes file")
        history.delete("README")
        history.write("README", "hello again\n")
        history.commit("on a side branch", branch: "side", from: main)
        history.write("side/file", "side\n")
        history.copy("elsewhere/uno", "side/copy")
        let side = history.commit("still there", branch: "side")
        history.rename("link", "side/link")
        history.commit("main goes on")
        history.delete(GitPath(oddNames[1].bytes + Array("dir".utf8)))
        history.commit("merge", merging: side)
        history.write("side/file", "side\n")
        history.copy("elsewhere/uno", "side/copy")
        history.rename("link", "side/link")
        history.commit("everything goes")
        history.delete("")
        history.commit("and something comes back")
        history.write("back", "x")
        return history
    }

    /// The counts of a summary that do not depend on timing.
    private func counts(_ output: String) throws -> [String: Int] {
        let keys: Set = ["commits", "changeSets", "edits", "sections", "items", "differences"]
        return try output.object().filter { keys.contains($0.key) }.compactMapValues { $0 as? Int }
    }

    /// Checks that no mode finds differences, and that the counts are right.
    private func verify(
        _ repository: Repository,
        until commit: String,
        _ modes: [[String]],
        _ faults: inout Faults,
        _ isRight: (_ counts: [String: Int], _ isReplay: Bool) -> Bool
    ) throws {
        for mode in modes {
            let result = try repository.timelapse(mode + ["--until", commit, "--verify", "--json"])
            guard result.code == 0, result.errors.isEmpty else {
                faults.check(false, "\(mode) \(commit): \(result)")
                continue
            }
            let counts = try counts(result.output)
            faults.check(
                counts["differences"] == 0 && isRight(counts, mode != ["--diff"]),
                "\(mode) \(commit): \(result.output)"
            )
        }
    }

    /// The number of edits for a commit according to git: a directory is a section, which includes
    /// its files except for those that move; a rename is a move and a reconfiguration.
    private func edits(
        _ repository: Repository,
        _ commit: String,
        _ parent: String?,
        _ before: Set<GitPath?>,
        _ after: Set<GitPath?>
    ) throws -> Int {
        let range = parent.map { [$0, commit] } ?? ["--root", "--no-commit-id", commit]
        var fields = try repository.fields(
            ["diff-tree", "-r", "-z", "--name-status", "-M50%", "--ignore-submodules=none"] + range
        )[...]
        var count = before.symmetricDifference(after).count
        while let status = fields.popFirst(), let path = fields.popFirst() {
            switch status.bytes.first {
            case UInt8(ascii: "A"): count += before.contains(path.directory) ? 1 : 0
            case UInt8(ascii: "D"): count += after.contains(path.directory) ? 1 : 0
            case UInt8(ascii: "R"):
                fields.removeFirst()
                count += 3
            default: count += 1
            }
        }
        return count
    }

    @Test func everyCommitMatchesGitsListing() throws {
        try inFolder { folder in
            let repository = try Repository(Self.handmade(), in: folder)
            let commits = try repository.commits()
            #expect(commits.count == 14)
            var faults = Faults()
            var directories: Set<GitPath?> = []
            var edits = 0
            for (index, commit) in commits.enumerated() {
                let listed = try repository.fields(["ls-tree", "-r", "-z", "--name-only", commit])
                let sections = Set(listed.map(\.directory))
                edits += try self.edits(
                    repository,
                    commit,
                    index > 0 ? commits[index - 1] : nil,
                    directories,
                    sections
                )
                directories = sections
                try verify(repository, until: commit, [[], ["--diff"], ["--range"]], &faults) {
                    $0["commits"] == index + 1 && $0["items"] == listed.count
                        && $0["sections"] == sections.count && (!$1 || $0["edits"] == edits)
                }
            }
            #expect(faults.isEmpty, "\(faults.text)")
        }
    }

    @Test(arguments: 0..<Effort.number(12, usually: 3) as Range<UInt64>)
    func randomHistoriesMatchGitsListing(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var history = History()
        var files: Set<GitPath> = []
        var itemCounts: [Int] = []
        for number in 0..<60 {
            history.commit("commit \(number)")
            for _ in 0..<random.next(below: 7) { Self.edit(&history, &files, &random) }
            itemCounts.append(files.count)
        }
        try inFolder { folder in
            let repository = try Repository(history, in: folder)
            var faults = Faults()
            for (index, commit) in try repository.commits().enumerated() where index % 15 == 14 {
                try verify(repository, until: commit, [[], ["--diff"]], &faults) {
                    counts,
                    _ in counts["items"] == itemCounts[index]
                }
            }
            #expect(faults.isEmpty, "seed \(seed)\n\(faults.text)")
        }
    }

    private static func edit(
        _ history: inout History,
        _ files: inout Set<GitPath>,
        _ random: inout SeededNumbers
    ) {
        let words: [GitPath] = ["a", "b", "a b", "-", "é", GitPath([0xFE]), "x\ny"]
        var path = words[random.next(below: 7)]
        for _ in 0..<random.next(below: 3) { path = path.appending(words[random.next(below: 7)]) }
        let existing = files.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        let old = existing.isEmpty ? nil : existing[random.next(below: existing.count)]
        switch (random.next(below: 10), old) {
        case (0, let old?):
            // Deletes a whole directory if the file has one.
            let gone = old.directory ?? old
            history.delete(gone)
            files = files.filter { $0 != gone && !$0.isInside(gone) }
            return
        case (1...3, let old?):
            guard path != old, !path.isInside(old), !old.isInside(path) else { return }
            history.rename(old, path)
            files.remove(old)
        default:
            if let old, random.isTrue(oneIn: 2) { path = old }
            let mode = ["100644", "100644", "100755", "120000"][random.next(below: 4)]
            let base = random.next(below: 4)
            let lines = (0..<20).map { "text \(base) \($0)\n" }.joined()
            history.write(path, lines + "\(random.next(below: 5))\n", mode: mode)
        }
        // A file replaces files in the way of its path and below it.
        files = files.filter { !$0.isInside(path) && !path.isInside($0) }
        files.insert(path)
    }

    @Test func settingsAndReplacedObjectsChangeNothing() throws {
        try inFolder { folder in
            let repository = try Repository(Self.handmade(), in: folder)
            let expected = try counts(repository.timelapse(["--verify", "--json"]).output)
            #expect(expected.count == 6 && expected["differences"] == 0)
            for setting in [
                "diff.renames=false", "diff.renameLimit=1", "diff.ignoreSubmodules=all",
                "diff.relative=true", "diff.noprefix=true", "diff.external=false",
                "diff.submodule=log", "diff.orderFile=/dev/full", "log.showSignature=true",
                "log.diffMerges=off", "log.follow=true", "log.decorate=full", "log.mailmap=true",
                "core.quotepath=true", "core.abbrev=4", "core.pager=false", "color.ui=always",
                "format.pretty=raw", "i18n.logOutputEncoding=UTF-16", "log.abbrevCommit=true",
                "notes.displayRef=*", "pager.log=true", "log.date=human",
            ] {
                let parts = setting.components(separatedBy: "=")
                try repository.git(["config", "--replace-all", parts[0], parts[1]])
            }
            let commits = try repository.commits()
            try repository.git(["replace", commits[5], commits[0]])
            let plain = try repository.timelapse(["--verify", "--json"])
            #expect(plain.code == 0 && plain.errors.isEmpty, "\(plain)")
            #expect(try counts(plain.output) == expected)
            // Nor do environment variables.
            let result = try run(
                "git-timelapse",
                ["--verify", "--json", repository.path],
                environment: [
                    "GIT_DIR": "/x", "GIT_TRACE": "1", "LANGUAGE": "de",
                    "GIT_EXTERNAL_DIFF": "false",
                ].merging(Repository.environment) { $1 }
            )
            #expect(result.code == 0 && result.errors.isEmpty, "\(result)")
            #expect(try counts(result.output) == expected)
        }
    }

    @Test func aReplayEndsAtTheRequestedRevisionWithASummary() throws {
        try inFolder { folder in
            let repository = try Repository(Self.handmade(), in: folder)
            let id = try repository.commits()[9]
            for revision in ["HEAD~4", "main~4", ":/directory becomes", String(id.prefix(7))] {
                let text = try repository.timelapse(["--quiet", "--until=\(revision)"])
                #expect(text.code == 0 && text.errors.isEmpty, "\(text)")
                #expect(text.output.hasPrefix("commits         10\nchange sets     10\n"))
                #expect(
                    text.output.lines.allSatisfy { $0.count <= 80 }
                        && !text.output.contains("\u{1B}")
                )
                // Details are indented.
                #expect(text.output.lines.filter { !$0.hasPrefix(" ") }.count == 11)
            }
            let keys: Set = [
                "commits", "changeSets", "edits", "sections", "items", "nodesMeasured", "seconds",
                "changeSetsPerSecond", "latencyMilliseconds", "mainLaneSeconds",
                "mainLaneLongestStallMilliseconds",
            ]
            // Git finds the repository from a folder inside it.
            let objects = URL(fileURLWithPath: repository.path + "/objects")
            let json = try run(
                "git-timelapse",
                ["--json"],
                in: objects,
                environment: Repository.environment
            )
            #expect(json.output.lines.count == 1)
            let summary = try json.output.object()
            #expect(Set(summary.keys) == keys)
            let latency = try #require(summary["latencyMilliseconds"] as? [String: Double])
            #expect(Set(latency.keys) == ["p50", "p99", "max"])
            #expect(0 < latency["p50"]! && latency["p50"]! <= latency["max"]!)
        }
    }

    // MARK: Bad input

    @Test func badRepositoriesAndRevisionsAreReportedInOneLine() throws {
        try inFolder { folder in
            let empty = try Repository(in: folder, "empty")
            var history = History()
            history.commit("one")
            history.write("f", "x")
            let one = try Repository(history, in: folder, "one")
            let headless = try Repository(history, in: folder, "headless")
            try headless.git(["symbolic-ref", "HEAD", "refs/heads/other"])
            try FileManager.default.createDirectory(
                at: folder.appending(path: "plain"),
                withIntermediateDirectories: true
            )
            let plain = folder.path + "/plain"
            let hint = "; see git-timelapse --help"
            var rows: [([String], String)] = [
                ([plain], "\(plain) is not in a git repository"),
                (["/none\u{1B}"], "/none\\u{1b} does not exist"),
                (["/dev/null"], "/dev/null is not a directory"),
                ([empty.path], "\(empty.path) has no commits"),
                (["--until=main", empty.path], "'main' names no commit of \(empty.path)"),
                (
                    [headless.path],
                    "HEAD of \(headless.path) has no commits; name a revision with --until"
                ),
                (["-v\u{1B}"], "unknown option -v\\u{1b}\(hint)"),
                (["--until"], "--until needs a value\(hint)"),
                (["--until="], "--until needs a revision\(hint)"),
                (["--verify=yes"], "--verify takes no value\(hint)"),
                (["--width", "1"], "--width must be a number from 2 to 1000, not '1'\(hint)"),
                (["--width", "x"], "--width must be a number from 2 to 1000, not 'x'\(hint)"),
                (["--height=0"], "--height must be a number from 1 to 1000, not '0'\(hint)"),
                (
                    ["--range", "--width=15"],
                    "--range needs a --width of at least 16, not 15\(hint)"
                ),
                (["--trace="], "--trace needs a file\(hint)"),
                (["a", "b"], "expected one repository, but found 2\(hint)"),
                ([""], "the repository's path is empty\(hint)"),
            ]
            for revision in [
                "none", "-x", "--all", "--help", "main..main", "main^{tree}", "main:f", "HEAD~9",
                "main main", "@{9999}",
            ] {
                rows.append(
                    (
                        ["--until", revision, one.path],
                        "'\(revision)' names no commit of \(one.path)"
                    )
                )
            }
            var faults = Faults()
            for (arguments, message) in rows {
                let result = try run(
                    "git-timelapse",
                    arguments,
                    environment: Repository.environment
                )
                faults.checkRefusal(result, by: "git-timelapse", message)
            }
            for path in ["", "/nonexistent", "relative:.", "/etc"] {
                let result = try run("git-timelapse", [one.path], environment: ["PATH": path])
                faults.checkRefusal(
                    result,
                    by: "git-timelapse",
                    "git is not installed, or not in PATH"
                )
            }
            #expect(faults.isEmpty, "\(faults.text)")
            let named = try headless.timelapse(["--until", "main", "--verify"])
            #expect(named.code == 0 && named.errors.isEmpty)
        }
    }

    @Test func aShallowRepositoryIsReplayedWithAWarning() throws {
        try inFolder { folder in
            let whole = try Repository(Self.handmade(), in: folder)
            try whole.git(["clone", "-q", "--bare", "--depth=3", "file://\(whole.path)", "shallow"])
            let path = whole.path + "/shallow"
            let warning = "the repository is shallow; its first commit contains all earlier changes"
            for (words, errors) in [([], "git-timelapse: \(warning)\n"), (["--quiet"], "")] {
                let result = try run(
                    "git-timelapse",
                    words + ["--verify", path],
                    environment: Repository.environment
                )
                #expect(result.code == 0 && result.errors == errors)
                #expect(result.output.hasPrefix("commits         3\n"))
                #expect(result.output.hasSuffix("\ndifferences     0\n"))
            }
        }
    }

    @Test func aDamagedHistoryIsReportedWithGitsOwnError() throws {
        try inFolder { folder in
            var history = History()
            for number in 0..<20 {
                history.commit("commit \(number)")
                history.write(GitPath("f\(number)".utf8), "x\(number)")
            }
            let repository = try Repository(history, in: folder)
            // Uses loose objects, so that one can be removed.
            let manager = FileManager.default
            let packs = repository.url.appending(path: "objects/pack")
            for name in try manager.contentsOfDirectory(atPath: packs.path)
            where name.hasSuffix(".pack") {
                let pack = try Data(contentsOf: packs.appending(path: name))
                try manager.removeItem(at: packs.appending(path: name))
                try repository.git(["unpack-objects", "-q"], input: Array(pack))
            }
            let tree = try repository.git(["rev-parse", "\(repository.commits()[9])^{tree}"])
            let digits = String(decoding: tree.prefix(40), as: UTF8.self)
            let object = "objects/\(digits.prefix(2))/\(digits.dropFirst(2))"
            try manager.removeItem(at: repository.url.appending(path: object))
            let result = try repository.timelapse([])
            #expect(result.code == 2 && result.output.isEmpty)
            #expect(result.errors.hasPrefix("git-timelapse: git: "))
            #expect(result.errors.lines.count == 1)
        }
    }

    // MARK: Traces

    @Test(arguments: [[], ["--diff"], ["--range", "--width", "20"]])
    func everyChangeSetOfAReplayIsInItsTrace(words: [String]) throws {
        try inFolder { folder in
            var history = History()
            for number in 0..<40 {
                history.commit("commit \(number)")
                history.write("file", "\(number)")
                if number > 0 { history.rename("file", "other") }
                history.write("file", "\(number + 1)")
            }
            let repository = try Repository(history, in: folder)
            let file = folder.path + "/trace.json"
            let result = try repository.timelapse(words + ["--verify", "--quiet", "--trace", file])
            #expect(result.code == 0 && result.errors.isEmpty)
            let trace = try StrictTrace(Array(Data(contentsOf: URL(fileURLWithPath: file))))
            #expect(trace.processNames == [1: "git-timelapse"])
            let shown = trace.spans.filter { $0.arguments["end"] == "deployed" }
            #expect(shown.count >= 40 && trace.flows.count == shown.count)
            #expect(trace.spans.allSatisfy { $0.arguments["end"] != "unfinished" })
            #expect(trace.threadNames.values.contains("worker 1"))
            #expect(trace.counters["git-timelapse: backlog"] != nil)
            let hasRanges = trace.counters["git-timelapse: items in ranges"] != nil
            #expect(hasRanges == words.contains("--range"))
            for (path, isRun) in [
                ("/nowhere/trace.json", false), ("/", false), ("/dev/full", true),
            ] {
                let refused = try repository.timelapse(["--quiet", "--trace=\(path)"])
                #expect(refused.code == 2 && refused.output.isEmpty)
                let start = "git-timelapse: cannot write the trace to \(path): "
                #expect(refused.errors.hasPrefix(start) && refused.errors.lines.count == 1)
                #expect(!isRun || refused.errors.contains("No space left"))
            }
        }
    }
}
