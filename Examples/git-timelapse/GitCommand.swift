import Foundation
import ProgramSupport

/// A running `git` whose output is read while it arrives.
///
/// Git makes progress only while its output is read. Not `Sendable`: it belongs to the thread that
/// made it. Releasing or stopping it before the end ends git.
final class GitCommand {
    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>
    /// A file without a name. Git would block if its errors went to a pipe that nobody reads.
    private let errors: UnsafeMutablePointer<FILE>
    /// The status of `waitpid`, or `nil` if git may still be running.
    private var status: Int32?
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// Starts `git -C path` with `arguments`. They must not begin with external text that git could
    /// read as an option.
    init(_ arguments: [String], in path: String, git: GitExecutable) throws(GitError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, let output = fdopen(ends[0], "r"), let errors = tmpfile() else {
            throw GitError("cannot start \(git.path): \(SystemError.latest)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (result, process) = Self.spawn(
            [git.path] + GitExecutable.fixedArguments + ["-C", path] + arguments,
            git.environment.map { "\($0)=\($1)" },
            output: ends[1],
            errors: fileno(errors)
        )
        close(ends[1])
        guard result == 0 else {
            fclose(output)
            fclose(errors)
            let error = SystemError(number: result)
            throw GitError("cannot start \(git.path): \(error)")
        }
        (self.process, self.output, self.errors) = (process, output, errors)
    }

    deinit {
        stop()
        fclose(output)
        fclose(errors)
        free(buffer)
    }

    /// Starts a process with `posix_spawn`, because children of Foundation's `Process` inherit the
    /// signals that this process ignores and this thread blocks.
    private static func spawn(
        _ words: [String],
        _ environment: [String],
        output: Int32,
        errors: Int32
    ) -> (result: Int32, process: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        )

        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
        return (result, process)
    }

    // MARK: Reading

    /// Returns the bytes before the next NUL, or `nil` at the end of the output if git has
    /// succeeded.
    ///
    /// - Throws: git's own message if git has failed.
    func nextField() throws(GitError) -> [UInt8]? {
        guard let bytes = try read(upTo: 0) else { return nil }
        if bytes.last == 0 { return bytes.dropLast() }
        // Only the end of the output ends a field without a NUL.
        try finish()
        throw GitError("git's output ends in mid-record")
    }

    /// Returns the whole output as text, for commands with a short one.
    func readAll() throws(GitError) -> String {
        var text = ""
        while let line = try read(upTo: Int32(UInt8(ascii: "\n"))) {
            text += String(decoding: line, as: UTF8.self)
        }
        return text
    }

    private func read(upTo delimiter: Int32) throws(GitError) -> [UInt8]? {
        let count = getdelim(&buffer, &capacity, delimiter, output)
        guard count != -1, let buffer else {
            if ferror(output) != 0 {
                throw GitError("cannot read from git: \(SystemError.latest)", .gitFailed)
            }
            try finish()
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: buffer, count: count))
    }

    // MARK: Ending

    /// Ends git if it is still running.
    func stop() {
        if status == nil { kill(process, SIGTERM) }
        _ = wait()
    }

    private func wait() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        self.status = status
        return status
    }

    private func finish() throws(GitError) {
        let status = wait()
        // This is what `WIFEXITED` and related macros read, which Swift does not import.
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        if signal != 0 {
            let message = "git was terminated by signal \(signal)"
            throw GitError(message, .gitInterrupted(signal: signal))
        }
        if code != 0 {
            throw GitError(complaint ?? "git ended with status \(code)", .gitFailed)
        }
    }

    /// Git's first line about an error. Warnings may precede it.
    private var complaint: String? {
        rewind(errors)
        var first: String?
        while getline(&buffer, &capacity, errors) != -1, let buffer {
            let line = String(cString: buffer).trimmingCharacters(in: .newlines)
            let isError = line.hasPrefix("fatal:") || line.hasPrefix("error:")
            if first == nil || isError { first = "git: " + line.escapedForTerminal }
            if isError { break }
        }
        return first
    }
}
