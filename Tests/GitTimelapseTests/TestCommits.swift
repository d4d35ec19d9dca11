@testable import git_timelapse

extension FileContent {
    /// An ordinary file whose object has this digit forty times.
    static func test(_ digit: Character) -> FileContent {
        FileContent(
            mode: FileMode(rawValue: 0o100644),
            object: ObjectID(String(repeating: digit, count: 40))!
        )
    }
}

extension GitCommit {
    static func test(_ subject: String, _ changes: [FileChange]) -> GitCommit {
        let id = ObjectID("0123456789abcdef0123456789abcdef01234567")!
        return GitCommit(id: id, subject: subject, changes: changes)
    }
}

extension FileChange {
    /// The file comes with content of no interest.
    static func add(_ path: FileName) -> FileChange { .add(path, .test("a")) }

    static func modify(_ path: FileName) -> FileChange { .modify(path, .test("b")) }

    static func rename(from source: FileName, to target: FileName) -> FileChange {
        .rename(from: source, to: target, .test("a"))
    }
}
