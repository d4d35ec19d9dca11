@testable import git_timelapse

/// Writes what `git fast-import` reads, with fixed people and dates.
struct ImportStream {
    private(set) var bytes: [UInt8] = []
    private var commitCount = 0

    /// Starts a commit on `branch`, on top of what the branch has, and gives its mark.
    @discardableResult
    mutating func commit(
        _ message: [UInt8],
        branch: String = "main",
        from parent: Int? = nil,
        merging merged: Int? = nil
    ) -> Int {
        commitCount += 1
        line("commit refs/heads/\(branch)")
        line("mark :\(commitCount)")
        line("author A <a@example.org> \(1_000_000_000 + commitCount) +0000")
        line("committer C <c@example.org> \(1_000_000_000 + commitCount) +0000")
        data(message)
        if let parent { line("from :\(parent)") }
        if let merged { line("merge :\(merged)") }
        return commitCount
    }

    @discardableResult
    mutating func commit(
        _ message: String,
        branch: String = "main",
        from parent: Int? = nil,
        merging merged: Int? = nil
    ) -> Int {
        commit(Array(message.utf8), branch: branch, from: parent, merging: merged)
    }

    mutating func write(_ path: FileName, _ text: String, mode: String = "100644") {
        line("M \(mode) inline \(quoted(path))")
        data(Array(text.utf8))
    }

    mutating func writeSubmodule(_ path: FileName, commit digit: Character) {
        line("M 160000 \(String(repeating: digit, count: 40)) \(quoted(path))")
    }

    mutating func delete(_ path: FileName) { line("D \(quoted(path))") }

    mutating func rename(_ source: FileName, _ target: FileName) {
        line("R \(quoted(source)) \(quoted(target))")
    }

    mutating func copy(_ source: FileName, _ target: FileName) {
        line("C \(quoted(source)) \(quoted(target))")
    }

    private mutating func line(_ text: String) { bytes += Array((text + "\n").utf8) }

    private mutating func data(_ content: [UInt8]) {
        line("data \(content.count)")
        bytes += content
        line("")
    }

    private func quoted(_ path: FileName) -> String {
        let escaped = path.bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "\"" + escaped.joined() + "\""
    }
}
