import Glibc
import JournalSupport

/// Whether somebody asked for the end, by `^C`: the campaign then ends as if its time were over, and takes its processes
/// with it.
enum Interruption {
    private static let asked = Guarded(false)

    static var wasAsked: Bool { asked.withLock { $0 } }

    static func await() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Threads that are made later have it too; a child process begins without.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { _ in
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGINT)
                sigaddset(&signals, SIGTERM)
                var signal: Int32 = 0
                sigwait(&signals, &signal)
                Interruption.asked.withLock { $0 = true }
                return nil
            },
            nil
        )
    }
}
