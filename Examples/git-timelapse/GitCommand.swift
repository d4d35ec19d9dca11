/// One running `git`, whose output is read as it comes.
///
/// Reading is the only thing that makes progress: a slow reader holds git back. Not `Sendable`; it
/// belongs to the thread that made it. When it is dropped or stopped before the end, the child is
/// ended.
final class GitCommand {
    private let child: ChildProcess
    private var reader: TwoPipeReader
    private var isStopped = false

    /// Starts `git -C path` with `arguments`, which must not begin with anything from outside that
    /// git could take for an option.
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

    /// The next piece of the output, or nil at its end, when git has ended well.
    ///
    /// - Throws: git's own complaint, when it has ended otherwise.
    func readChunk() throws(GitError) -> [UInt8]? {
        guard !isStopped else { return nil }
        if let chunk = try reader.next() { return chunk }
        try finish()
        return nil
    }

    /// The whole output, for commands that answer briefly.
    func readAll() throws(GitError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let chunk = try readChunk() { bytes += chunk }
        return bytes
    }

    /// Ends git if it still runs; nothing can be read afterwards.
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
            throw GitError(.gitInterrupted(signal: signal), "git was ended by signal \(signal)")
        }
    }

    /// Git's first line that tells of an error; warnings may come before it.
    private var complaint: String? {
        let lines = reader.errorBytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        let line = lines.first { $0.hasPrefix("fatal:") || $0.hasPrefix("error:") } ?? lines.first
        return line.map { "git: " + DisplayText.escaping($0) }
    }
}
