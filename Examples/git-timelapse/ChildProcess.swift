import Foundation

/// A child process with pipes from its output and its errors.
///
/// It uses `posix_spawn` because children of Foundation's `Process` inherit the signals that the
/// calling thread blocks. Dispatch's threads block all signals that can be blocked, so neither
/// `terminate()` nor Ctrl-C could end a child that such a thread starts, and waiting for it would
/// not end.
///
/// Not `Sendable`: it belongs to the thread that made it. Releasing it ends the child.
final class ChildProcess {
    /// The way in which a child ended.
    enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    /// The read end of the child's standard output.
    let output: Int32

    /// The read end of the child's standard error.
    let errors: Int32

    private let identifier: pid_t
    private var exit: Exit?

    /// Starts the program at `path` with these arguments and this environment. Its standard input
    /// is `input`, or empty if that is `nil`.
    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: Int32? = nil
    ) throws(SystemError) {
        let outputPipe = try Self.makePipe()
        let errorPipe: (read: Int32, write: Int32)
        do {
            errorPipe = try Self.makePipe()
        } catch {
            close(outputPipe.read)
            close(outputPipe.write)
            throw error
        }
        let (result, identifier) = Self.spawn(
            [path] + arguments,
            environment.map { "\($0)=\($1)" },
            input: input,
            output: outputPipe.write,
            errors: errorPipe.write
        )
        close(outputPipe.write)
        close(errorPipe.write)
        guard result == 0 else {
            close(outputPipe.read)
            close(errorPipe.read)
            throw SystemError(number: result)
        }
        self.identifier = identifier
        output = outputPipe.read
        errors = errorPipe.read
    }

    deinit {
        end()
        close(output)
        close(errors)
    }

    /// Waits until the child has ended. Later calls return the same result immediately.
    func wait() -> Exit {
        if let exit { return exit }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        // This is what `WIFEXITED` and related macros read, which Swift does not import.
        let signal = status & 0x7F
        let exit = signal == 0 ? Exit.status(status >> 8 & 0xFF) : .signal(signal)
        self.exit = exit
        return exit
    }

    /// Signals the child to end if it is still running, and waits until it has ended.
    func end() {
        guard exit == nil else { return }
        kill(identifier, SIGTERM)
        _ = wait()
    }

    /// Makes a pipe that children do not inherit by default.
    private static func makePipe() throws(SystemError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ words: [String],
        _ environment: [String],
        input: Int32?,
        output: Int32,
        errors: Int32
    ) -> (result: Int32, identifier: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

        // The child must not inherit the signals that this process ignores or this thread blocks.
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
        var identifier: pid_t = 0
        let result = posix_spawn(
            &identifier,
            words[0],
            &actions,
            &attributes,
            arguments,
            variables
        )
        return (result, identifier)
    }
}

/// Reads the output and the errors of a child while they arrive.
///
/// Both pipes are read on one thread after one `poll`, so neither can fill up while the reader
/// waits for the other.
struct TwoPipeReader {
    /// The first bytes of the errors so far. The beginning is enough for a message of one line.
    private(set) var errorBytes: [UInt8] = []

    private let output: Int32
    /// The descriptors whose end has not been reached.
    private var open: [Int32]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    private static let errorLimit = 1 << 14

    /// Reads from these descriptors, which the caller owns.
    init(output: Int32, errors: Int32) {
        self.output = output
        open = [output, errors]
    }

    /// Returns the next piece of the output, or `nil` when both descriptors have reached their end.
    mutating func next() throws(GitError) -> [UInt8]? {
        while !open.isEmpty {
            let ready: [Int32]
            do throws(SystemError) {
                ready = try waitUntilReady(open, for: POLLIN)
            } catch {
                throw GitError(.gitFailed, "cannot wait for git: \(error)")
            }
            for descriptor in ready {
                let count = read(descriptor, &buffer, buffer.count)
                if count == -1 {
                    let error = SystemError(number: errno)
                    throw GitError(.gitFailed, "cannot read from git: \(error)")
                }
                if count == 0 {
                    open.removeAll { $0 == descriptor }
                } else if descriptor == output {
                    return Array(buffer[..<count])
                } else {
                    let room = Self.errorLimit - errorBytes.count
                    errorBytes += buffer[..<min(count, room)]
                }
            }
        }
        return nil
    }
}

/// An error of a system call.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    var number: Int32

    var description: String { String(cString: strerror(number)) }
}

/// Waits until one of `descriptors` can be read (`POLLIN`) or written (`POLLOUT`), or has reached
/// its end, and returns those that are ready.
func waitUntilReady(_ descriptors: [Int32], for event: Int32) throws(SystemError) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(event), revents: 0) }
    while poll(&requests, nfds_t(requests.count), -1) == -1 {
        // A signal may interrupt the call.
        guard errno == EINTR else { throw SystemError(number: errno) }
    }
    return requests.filter { $0.revents != 0 }.map(\.fd)
}
