import Foundation

/// A program that was started, with pipes from its output and its errors.
///
/// Made of `posix_spawn` in place of Foundation's `Process`, whose children inherit which signals the
/// calling thread blocks. Dispatch's threads block all that can be: a child started from one could
/// be ended neither by `terminate()` nor by Ctrl-C, and waiting for it would take for ever.
///
/// Not `Sendable`: it belongs to the thread that made it. Dropping it ends the child.
final class ChildProcess {
    /// How a child ended.
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

    /// Starts the program at `path`, with `arguments` after its own name and no other environment
    /// than `environment`; its standard input is `input`, or empty.
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

    /// Waits until the child has ended; waiting again gives the same answer.
    func wait() -> Exit {
        if let exit { return exit }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
        // What WIFEXITED and its kin read, which are macros that Swift does not see.
        let signal = status & 0x7F
        let exit = signal == 0 ? Exit.status(status >> 8 & 0xFF) : .signal(signal)
        self.exit = exit
        return exit
    }

    /// Asks the child to end if it still runs, and waits until it has.
    func end() {
        guard exit == nil else { return }
        kill(identifier, SIGTERM)
        _ = wait()
    }

    /// A pipe that no child inherits unless it is told to.
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

        // What this process ignores or this thread blocks, the child is to meet as usual.
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
