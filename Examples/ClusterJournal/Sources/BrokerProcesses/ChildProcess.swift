import Foundation
import Glibc

/// A program that this one has started, and can stop, resume and end.
///
/// One thread at a time uses it.
public final class ChildProcess {
    private let identifier: pid_t
    private var isAlive = true
    /// How the process ended, if it ended by itself.
    public private(set) var ending: String?

    /// Starts a program.
    ///
    /// Not by Foundation, whose children begin with its blocked signals, so that some cannot be ended by one.
    ///
    /// - Parameters:
    ///   - words: the program's path and its arguments.
    ///   - output: the file that it writes to; `log` by default.
    ///   - log: the file that its errors are added to.
    public init(_ words: [String], output: Int32? = nil, log: String) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        )
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&files, output ?? 2, 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &files, &attributes, &arguments, environ)
        guard code == 0 else {
            throw BrokerProcess.Failure(
                description: "\(words[0]) cannot be run: \(String(cString: strerror(code)))"
            )
        }
        identifier = process
    }

    /// Ends the process, even if it is stopped, and waits until it has ended.
    public func end(_ signal: Int32 = SIGKILL) {
        guard isAlive else { return }
        kill(identifier, signal)
        kill(identifier, SIGCONT)
        waitpid(identifier, nil, 0)
        isAlive = false
    }

    /// Stops the process until ``resume()``.
    public func freeze() {
        guard isAlive else { return }
        kill(identifier, SIGSTOP)
        // Not stopped yet when the signal is sent.
        waitpid(identifier, nil, WUNTRACED)
    }

    /// Lets a stopped process go on.
    public func resume() { if isAlive { kill(identifier, SIGCONT) } }

    /// Returns whether the process has ended, by itself or not.
    public func hasEnded() -> Bool {
        var status: Int32 = 0
        if isAlive, waitpid(identifier, &status, WNOHANG) != 0 {
            isAlive = false
            // As wait(2) lays it out: the signal, or the code above it.
            let signal = status & 0x7f
            ending = signal == 0 ? "with the code \(status >> 8)" : "by the signal \(signal)"
        }
        return !isAlive
    }
}
