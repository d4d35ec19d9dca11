import Dispatch
import Foundation

@testable import git_timelapse

/// Runs `body` on a thread of its own, whose waiting a signal ends early every few milliseconds.
func interrupting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    var action = sigaction()
    // No flags: with SA_RESTART the system would go on waiting by itself.
    action.__sigaction_handler = .init(sa_handler: { _ in })
    sigaction(SIGUSR1, &action, nil)
    let thread = Guarded<pthread_t?>(nil)
    let result = Guarded<Result?>(nil)
    let (isLeftAlone, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        thread.value = pthread_self()
        result.value = body()
        // No signal may be sent to a thread that is no more.
        isLeftAlone.wait()
        hasEnded.signal()
    }
    while true {
        if let result = result.value {
            isLeftAlone.signal()
            hasEnded.wait()
            return result
        }
        if let thread = thread.value { pthread_kill(thread, SIGUSR1) }
        usleep(3_000)
    }
}
