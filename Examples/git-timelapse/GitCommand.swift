import Foundation

/// One running `git`, whose output is read as it comes.
///
/// Both pipes are read in turn by one `poll`, so neither can fill up while the other is waited
/// for, and there is no second thread. Reading is the only thing that makes progress: a slow reader
/// holds git back. Not `Sendable`; it belongs to the thread that made it. When it is dropped or
/// stopped before the end, the child is ended.
final class GitCommand {
    private let child: ChildProcess
    private var outputIsOpen = true
    private var errorsAreOpen = true
    private var isStopped = false
    private var errorBytes: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Of what git complains about the beginning is enough for one line.
    private static let errorLimit = 1 << 14

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
    }

    /// The next piece of the output, or nil at its end, when git has ended well.
    ///
    /// - Throws: git's own complaint, when it has ended otherwise.
    func readChunk() throws(GitError) -> [UInt8]? {
        guard !isStopped else { return nil }
        while outputIsOpen || errorsAreOpen {
            var descriptors: [pollfd] = []
            if outputIsOpen { descriptors.append(Self.polled(child.output)) }
            if errorsAreOpen { descriptors.append(Self.polled(child.errors)) }
            if poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
                if errno == EINTR { continue }
                throw GitError(.gitFailed, "cannot wait for git: \(Self.lastSystemError)")
            }
            for descriptor in descriptors where descriptor.revents != 0 {
                let count = read(descriptor.fd, &buffer, buffer.count)
                if count < 0 {
                    if errno == EINTR || errno == EAGAIN { continue }
                    throw GitError(.gitFailed, "cannot read from git: \(Self.lastSystemError)")
                }
                let isOutput = descriptor.fd == child.output
                if count == 0 {
                    if isOutput { outputIsOpen = false } else { errorsAreOpen = false }
                } else if isOutput {
                    return Array(buffer[..<count])
                } else {
                    let room = Self.errorLimit - errorBytes.count
                    errorBytes.append(contentsOf: buffer[..<min(count, max(0, room))])
                }
            }
        }
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
        let lines = errorBytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        let line = lines.first { $0.hasPrefix("fatal:") || $0.hasPrefix("error:") } ?? lines.first
        return line.map { "git: " + DisplayText.escaping($0) }
    }

    private static func polled(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    private static var lastSystemError: String { String(cString: strerror(errno)) }
}
