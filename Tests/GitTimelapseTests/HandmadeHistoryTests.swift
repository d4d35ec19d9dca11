import SimulatedView
import Testing

@testable import git_timelapse

extension GitSuite {
    /// A history that has everything that can go wrong, checked after every commit.
    @Suite struct HandmadeHistoryTests {
        private static let long = (0..<40).map { "line \($0)\n" }.joined()

        private static let oddNames: [FileName] = [
            "with space", "new\nline", "tab\there", "quo\"te", "back\\slash", "-dash",
            "--option=x", "naïve", "漢字", "e\u{301}", ":colon", "*", "\u{1B}[2J",
            FileName([0xFF, 0xFE, 0x41]), FileName([0x80]), " ", "...",
        ]

        static func stream() -> ImportStream {
            var stream = ImportStream()
            stream.commit(Array("first: \tsubject \u{1B}[31m\n\nbody".utf8))
            stream.write("README", "hello\n")
            stream.write("a/b/c/deep", long)
            stream.write("a/one", "1\n" + long)
            stream.write("a/two", "2\n" + long + long)
            for name in oddNames { stream.write(name, "root \(name)") }
            stream.commit("odd names in an odd directory")
            for name in oddNames {
                for directory in oddNames.prefix(8) {
                    stream.write(directory.appending("dir").appending(name), "\(name)")
                }
            }
            stream.commit("")
            stream.commit([0x6C, 0xE9, 0x20, 0xFF])
            stream.rename("a", "moved/away")
            stream.commit("swap one and two")
            stream.write("moved/away/one", "2\n" + long + long)
            stream.write("moved/away/two", "1\n" + long)
            stream.commit("one across directories and changed, with a new one in its place")
            stream.rename("moved/away/one", "elsewhere/uno")
            stream.write("elsewhere/uno", "2\n" + long + long + "and more\n")
            stream.write("moved/away/one", "quite another text")
            stream.commit("mode, type and submodule")
            stream.write("README", "hello\n", mode: "100755")
            stream.write("link", "README", mode: "120000")
            stream.writeSubmodule("vendor/module", commit: "1")
            stream.write(
                ".gitmodules",
                "[submodule \"m\"]\n\tpath = vendor/module\n\turl = x\n\tignore = all\n"
            )
            stream.commit("submodule moves on, link becomes a file")
            stream.writeSubmodule("vendor/module", commit: "2")
            stream.write("link", "README")
            stream.commit("file becomes directory")
            stream.delete("README")
            stream.write("README/inside", "hello\n")
            let main = stream.commit("directory becomes file")
            stream.delete("README")
            stream.write("README", "hello again\n")
            stream.commit("on a side branch", branch: "side", from: main)
            stream.write("side/file", "side\n")
            stream.copy("elsewhere/uno", "side/copy")
            let side = stream.commit("still there", branch: "side")
            stream.rename("link", "side/link")
            stream.commit("main goes on")
            stream.delete(FileName(oddNames[1].bytes + Array("/dir".utf8)))
            stream.commit("merge", merging: side)
            stream.write("side/file", "side\n")
            stream.copy("elsewhere/uno", "side/copy")
            stream.rename("link", "side/link")
            stream.commit("everything goes")
            stream.delete("")
            stream.commit("and something comes back")
            stream.write("back", "x")
            return stream
        }

        @Test func modelEqualsGitsListingAfterEveryCommit() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let repository = try scratch.open()
            var check = ReplayCheck()
            let commits = try repository.allCommits()
            #expect(try commits.count == repository.commitCount(through: repository.commit()))
            for commit in commits {
                try check.apply(commit)
                let comparison = try TreeComparison(
                    of: check.model.listing,
                    with: repository.listing(of: commit.id)
                )
                #expect(comparison.differences == 0, "\(commit.subject): \(comparison)")
            }
            #expect(check.model.sections.map(\.path) == [.root])
        }

        @Test func listingsAloneAreShownAfterEveryCommit() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let repository = try scratch.open()
            let expected = try repository.allCommits()
            var history = try repository.history(
                through: repository.commit(),
                namingChanges: false
            )
            let replay = Replay(size: Size(width: 20, height: 10), show: nil) {
                try repository.listing(of: $0)
            }
            for commit in expected {
                let listed = try #require(try history.next())
                #expect(listed.id == commit.id && listed.subject == commit.subject)
                #expect(listed.changes.isEmpty)
                try replay.submit(listed) {}
                try replay.waitUntilShown()
                let comparison = try TreeComparison(
                    of: replay.shownListing,
                    with: repository.listing(of: commit.id)
                )
                #expect(comparison.differences == 0, "\(commit.subject): \(comparison)")
            }
            #expect(try history.next() == nil)
            var summary = Summary()
            replay.finish(&summary)
            #expect(summary.changeSets == expected.count)
        }

        @Test func changesAreToldAsGitTellsThem() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let commits = try scratch.open().allCommits()
            func changes(_ subject: String) throws -> [FileChange] {
                try #require(commits.first { $0.subject == subject }).changes
            }
            #expect(commits.count == 14)
            #expect(commits[0].subject == "first: \tsubject \u{1B}[31m")
            #expect(commits[2].subject.isEmpty)
            #expect(commits[2].changes.isEmpty)
            let renames = commits[3].changes.count {
                if case .rename = $0 { true } else { false }
            }
            #expect(renames == 3)
            #expect(commits[3].changes.count == 3)
            let replaced = try changes(
                "one across directories and changed, with a new one in its place"
            )
            #expect(replaced.count == 2)
            #expect(try changes("submodule moves on, link becomes a file").count == 2)
            #expect(try changes("merge").count == 3)
            let names = Set(
                commits[0].changes.map { change -> FileName in
                    if case .add(let path, _) = change { path } else { "" }
                }
            )
            #expect(names.isSuperset(of: Self.oddNames))
        }

        @Test func settingsOfTheRepositoryChangeNothing() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let expected = try scratch.open().allCommits()
            let settings = [
                "diff.renames=false", "diff.renames=copies", "diff.renameLimit=1",
                "diff.ignoreSubmodules=all", "diff.relative=true", "diff.noprefix=true",
                "diff.external=false", "diff.submodule=log", "diff.orderFile=/dev/full",
                "log.showSignature=true", "log.diffMerges=off", "log.follow=true",
                "log.decorate=full", "log.mailmap=true", "core.quotepath=true", "core.abbrev=4",
                "core.pager=false", "color.ui=always", "format.pretty=raw",
                "i18n.logOutputEncoding=UTF-16", "diff.algorithm=patience", "log.abbrevCommit=true",
                "notes.displayRef=*", "pager.log=true", "log.date=human",
            ]
            for setting in settings {
                let (key, value) = (
                    setting.split(separator: "=")[0], setting.split(separator: "=")[1]
                )
                try scratch.run(["config", "--replace-all", String(key), String(value)])
                #expect(try scratch.open().allCommits() == expected, "\(setting)")
            }
        }

        @Test func replacedObjectsAreShownAsTheyAre() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let expected = try scratch.open().allCommits()
            try scratch.run(["replace", "\(expected[5].id)", "\(expected[0].id)"])
            #expect(try scratch.open().allCommits() == expected)
        }

        @Test func replayEndsWithTheRevisionThatIsAskedFor() throws {
            let scratch = try ScratchRepository(Self.stream())
            defer { scratch.remove() }
            let repository = try scratch.open()
            let all = try repository.allCommits()
            for revision in ["HEAD~4", "main~4", ":/directory becomes", all[9].id.abbreviated] {
                let last = try repository.commit(named: revision)
                #expect(last == all[9].id, "\(revision)")
                var history = try repository.history(through: last)
                var count = 0
                while try history.next() != nil { count += 1 }
                #expect(count == 10)
            }
        }

        @Test func historyThatIsDroppedEarlyEndsGit() throws {
            var stream = ImportStream()
            for number in 0..<3_000 {
                stream.commit(String(repeating: "long subject ", count: 50) + "\(number)")
                stream.write("f", "\(number)")
            }
            let scratch = try ScratchRepository(stream)
            defer { scratch.remove() }
            let repository = try scratch.open()
            for reads in [0, 1, 2] {
                var history = try repository.history(through: repository.commit())
                for _ in 0..<reads { #expect(try history.next() != nil) }
                history.stop()
                #expect(throws: Never.self) { history.stop() }
            }
        }
    }
}
