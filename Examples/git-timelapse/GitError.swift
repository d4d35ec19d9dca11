/// Why a repository or its history cannot be read; `message` is one line for people.
struct GitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller can tell apart.
    enum Code: Hashable, Sendable {
        case gitNotFound
        case pathNotFound
        case notADirectory
        case notARepository
        case noCommits
        case badRevision
        /// Git ended with an error of its own, which the message quotes.
        case gitFailed
        /// Git was ended by a signal that did not come from here, such as Ctrl-C.
        case gitInterrupted(signal: Int32)
        /// Git's answer is not in the expected format.
        case unexpectedOutput
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    var description: String { message }

    /// Whether someone pressed Ctrl-C.
    var isInterruption: Bool { code == .gitInterrupted(signal: 2) }
}
