import Glibc

/// Keeps a signal away from who has not asked for it: hiredis writes so that a connection that was closed signals
/// `SIGPIPE`, and that ends a process that does not ignore it.
enum PipeSignal {
    /// Runs what writes, and takes the signal away that came of it.
    ///
    /// - Parameter body: says whether a connection was found closed.
    static func withheld(_ body: () -> Bool) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        // One that waits already is somebody else's.
        var before = sigset_t()
        sigpending(&before)
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
        if body(), sigismember(&before, SIGPIPE) == 0 {
            var none = timespec()
            sigtimedwait(&signals, nil, &none)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
