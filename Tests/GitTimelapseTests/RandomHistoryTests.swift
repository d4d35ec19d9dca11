import PipelineTestSupport
import Testing

@testable import git_timelapse

extension GitSuite {
    @Suite struct RandomHistoryTests {
        @Test(arguments: 0..<Effort.number(12, usually: 4))
        func randomHistoriesEndAsGitListsThem(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            var stream = ImportStream()
            var files: Set<FileName> = []
            for number in 0..<80 {
                stream.commit("commit \(number)")
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    Self.edit(&stream, &files, &random)
                }
            }
            let scratch = try ScratchRepository(stream)
            defer { scratch.remove() }
            let repository = try scratch.open()
            var check = ReplayCheck()
            for (number, commit) in try repository.allCommits().enumerated() {
                try check.apply(commit)
                // Asking git each time would take longer than all the rest.
                guard number % 20 == 19 else { continue }
                let listing = try repository.listing(of: commit.id)
                let comparison = TreeComparison(of: check.model.listing, with: listing)
                #expect(comparison.differences == 0, "\(comparison)")
            }
            #expect(check.model.fileCount == files.count)
        }

        private static func edit(
            _ stream: inout ImportStream,
            _ files: inout Set<FileName>,
            _ random: inout SeededGenerator
        ) {
            let existing = files.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), existing) {
            case (0, let path?):
                stream.delete(path)
                files.remove(path)
            case (1, let path?):
                // A directory as a whole, if it has one.
                let directory = path.splitIntoDirectoryAndName().directory
                guard directory != .root else { return }
                stream.delete(directory)
                files = files.filter { !$0.isInside(directory) }
            case (2...4, let path?):
                let target = randomPath(&random)
                guard target != path, !target.isInside(path), !path.isInside(target) else { return }
                stream.rename(path, target)
                files.remove(path)
                replace(target, &files)
            default:
                let path =
                    existing.flatMap { random.isTrue(oneIn: 2) ? $0 : nil }
                    ?? randomPath(&random)
                let mode = ["100644", "100644", "100755", "120000"].randomElement(using: &random)!
                let base = Int.random(in: 0..<4, using: &random)
                let lines = (0..<20).map { "text \(base) \($0)\n" }.joined()
                stream.write(path, lines + "\(random.next() % 5)\n", mode: mode)
                replace(path, &files)
            }
        }

        /// As git does it: no file is in the way of a path, nor under it.
        private static func replace(_ path: FileName, _ files: inout Set<FileName>) {
            files = files.filter { !$0.isInside(path) && !path.isInside($0) }
            files.insert(path)
        }

        private static func randomPath(_ random: inout SeededGenerator) -> FileName {
            let words: [FileName] = ["a", "b", "a b", "-", "é", FileName([0xFE]), "x\ny"]
            var path = words.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                path = path.appending(words.randomElement(using: &random)!)
            }
            return path
        }
    }
}

extension FileName {
    fileprivate func isInside(_ directory: FileName) -> Bool {
        bytes.starts(with: directory.bytes + [UInt8(ascii: "/")])
    }
}
