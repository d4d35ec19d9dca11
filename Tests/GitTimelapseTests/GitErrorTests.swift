import Foundation
import Testing

@testable import git_timelapse

extension GitSuite {
    @Suite struct GitErrorTests {
        private func code(_ body: () throws -> Void) -> GitError.Code? {
            do {
                try body()
                return nil
            } catch {
                let gitError = error as? GitError
                #expect(gitError?.message.contains("\n") == false)
                #expect(gitError?.message.isEmpty == false)
                return gitError?.code
            }
        }

        private func oneCommit() throws -> ScratchRepository {
            var stream = ImportStream()
            stream.commit("one")
            stream.write("f", "x")
            return try ScratchRepository(stream)
        }

        @Test func placesThatAreNoRepositoryAreToldApart() throws {
            let git = try ScratchRepository.git.get()
            let scratch = try ScratchRepository()
            defer { scratch.remove() }
            let place = FileManager.default.temporaryDirectory
                .appendingPathComponent("git-timelapse-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            #expect(code { _ = try GitRepository(at: place.path, git: git) } == .notARepository)
            #expect(
                code { _ = try GitRepository(at: place.path + "/none", git: git) } == .pathNotFound
            )
            #expect(
                code { _ = try GitRepository(at: scratch.path + "/HEAD", git: git) }
                    == .notADirectory
            )
        }

        @Test func repositoryWithoutCommitsSaysSo() throws {
            let scratch = try ScratchRepository()
            defer { scratch.remove() }
            #expect(code { _ = try scratch.open().commit() } == .noCommits)
            #expect(code { _ = try scratch.open().commit(named: "main") } == .badRevision)
        }

        @Test func headOfABranchThatDoesNotExistPointsToTheOption() throws {
            let scratch = try oneCommit()
            defer { scratch.remove() }
            try scratch.run(["symbolic-ref", "HEAD", "refs/heads/other"])
            let error = #expect(throws: GitError.self) { try scratch.open().commit() }
            #expect(error?.code == .noCommits)
            #expect(error?.message.hasSuffix("name a revision with --until") == true)
            #expect(throws: Never.self) { try scratch.open().commit(named: "main") }
        }

        @Test(arguments: [
            "none", "", "-x", "--all", "--help", "main..main", "main^{tree}", "main:f", "HEAD~9",
            "main main", "@{9999}",
        ])
        func revisionThatNamesNoCommitIsAnError(revision: String) throws {
            let scratch = try oneCommit()
            defer { scratch.remove() }
            let repository = try scratch.open()
            #expect(code { _ = try repository.commit(named: revision) } == .badRevision)
        }

        @Test func missingGitIsAnError() {
            for path in ["", "/nonexistent", "relative:.", "/etc"] {
                #expect(code { _ = try GitExecutable.find(in: ["PATH": path]) } == .gitNotFound)
            }
            #expect(code { _ = try GitExecutable.find(in: [:]) } == .gitNotFound)
        }

        @Test func surroundingsThatPointElsewhereAreLeftOut() throws {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let environment = try GitExecutable.find(in: [
                "PATH": path, "GIT_DIR": "/x", "GIT_TRACE": "1", "GIT_CONFIG_COUNT": "0",
                "LANGUAGE": "de", "LC_ALL": "de_DE", "OTHER": "kept",
            ]).environment
            #expect(
                environment == [
                    "PATH": path, "OTHER": "kept", "LC_ALL": "C", "GIT_CONFIG_COUNT": "0",
                    "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
                ]
            )
        }

        @Test func damageInMidHistoryIsGitsOwnErrorAfterTheCommitsBefore() throws {
            var stream = ImportStream()
            for number in 0..<20 {
                stream.commit("commit \(number)")
                stream.write(FileName("f\(number)".utf8), "x\(number)")
            }
            let scratch = try ScratchRepository(stream)
            defer { scratch.remove() }
            // As loose objects, of which one can be taken away.
            let packs = scratch.directory.appendingPathComponent("objects/pack")
            for name in try FileManager.default.contentsOfDirectory(atPath: packs.path)
            where name.hasSuffix(".pack") {
                let moved = scratch.directory.appendingPathComponent("moved.pack")
                try FileManager.default.moveItem(
                    at: packs.appendingPathComponent(name),
                    to: moved
                )
                try scratch.run(["unpack-objects", "-q"], input: Array(Data(contentsOf: moved)))
            }
            let repository = try scratch.open()
            let commits = try repository.allCommits()
            #expect(commits.count == 20)
            try scratch.removeTree(of: commits[9].id)
            var history = try repository.history(through: commits[19].id)
            var read = 0
            let error = #expect(throws: GitError.self) {
                while try history.next() != nil { read += 1 }
            }
            #expect(error?.code == .gitFailed)
            #expect(error?.message.hasPrefix("git: ") == true)
            #expect(read < 20)
        }

        @Test func shallowRepositoryStartsWithEverythingThatWasCutOff() throws {
            let scratch = try ScratchRepository(HandmadeHistoryTests.stream())
            defer { scratch.remove() }
            #expect(try !scratch.open().isShallow)
            try scratch.run([
                "clone", "--quiet", "--bare", "--depth=3", "file://\(scratch.path)", "shallow",
            ])
            let git = try ScratchRepository.git.get()
            let shallow = try GitRepository(at: scratch.path + "/shallow", git: git)
            #expect(shallow.isShallow)
            var check = ReplayCheck()
            for commit in try shallow.allCommits() {
                try check.apply(commit)
                let listing = try shallow.listing(of: commit.id)
                #expect(TreeComparison(of: check.model.listing, with: listing).differences == 0)
            }
        }
    }
}

extension ScratchRepository {
    fileprivate func removeTree(of commit: ObjectID) throws {
        let git = try ScratchRepository.git.get()
        let answer = try GitCommand(["rev-parse", "\(commit)^{tree}"], in: path, git: git).readAll()
        let digits = String(decoding: answer.prefix(40), as: UTF8.self)
        let name = "objects/\(digits.prefix(2))/\(digits.dropFirst(2))"
        try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
    }
}
