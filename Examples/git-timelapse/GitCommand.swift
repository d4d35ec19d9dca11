/// A running `git` whose output is read while it arrives.
///
/// Git makes progress only while its output is read. Not `Sendable`: it belongs to the thread that
/// made it. Releasing or stopping it before the end ends the child.
final class GitCommand {
    private let child: ChildProcess
    private var reader: TwoPipeReader
    private var isStopped = false

    /// Starts `git -C path` with `arguments`. They must not begin with external text that git could
    /// read as an option.
    init(_ arguments: [String], in path: String, git: GitExecutable) throws(GitError) {
        do {
            child = try ChildProcess(
                git.path,
                GitExecutable.fixedArguments + ["-C", path] + arguments,
                environment: git.environment
            )
        } catch {
            throw GitError(.gitNotFound, "cannot start \(git.path): \(error)")
        }
        reader = TwoPipeReader(output: child.output, errors: child.errors)
    }

    /// Returns the next piece of the output, or `nil` at its end if git has succeeded.
    ///
    /// - Throws: git's own message if git has failed.
    func readChunk() throws(GitError) -> [UInt8]? {
        guard !isStopped else { return nil }
        if let chunk = try reader.next() { return chunk }
        try finish()
        return nil
    }

    /// Returns the whole output, for commands with a short one.
    func readAll() throws(GitError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try readChunk() { bytes += chunk }
        return bytes
    }

    /// Ends git if it is still running. Nothing can be read afterwards.
    func stop() {
        isStopped = true
        child.end()
    }

    private func finish() throws(GitError) {
        switch child.wait() {
        case .status(0): break
        case .status(let status):
            throw GitError(.gitFailed, complaint ?? "git ended with status \(status)")
        case .signal(let signal):
            throw GitError(
                .gitInterrupted(signal: signal),
                "git was terminated by signal \(signal)"
            )
        }
    }

    /// Git's first line about an error. Warnings may precede it.
    private var complaint: String? {
        let lines = reader.errorBytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        let line = lines.first { $0.hasPrefix("fatal:") || $0.hasPrefix("error:") } ?? lines.first
        return line.map { "git: " + DisplayText.escaping($0) }
    }
}

/// A reader that divides a stream of bytes, in pieces of any size, at its NUL bytes.
struct NULTerminatedReader {
    private let readChunk: () throws(GitError) -> [UInt8]?
    private var chunk: [UInt8] = []
    private var position = 0

    init(_ readChunk: @escaping () throws(GitError) -> [UInt8]?) { self.readChunk = readChunk }

    init(_ command: GitCommand) {
        self.init { () throws(GitError) in try command.readChunk() }
    }

    /// Returns the bytes before the next NUL, or `nil` at the end of the stream.
    mutating func next() throws(GitError) -> [UInt8]? {
        var token: [UInt8] = []
        while true {
            let rest = chunk[position...]
            if let end = rest.firstIndex(of: 0) {
                token += rest[..<end]
                position = end + 1
                return token
            }
            token += rest
            position = 0
            guard let next = try readChunk() else {
                chunk = []
                guard token.isEmpty else {
                    throw GitError(.unexpectedOutput, "git's output ends in mid-record")
                }
                return nil
            }
            chunk = next
        }
    }
}
