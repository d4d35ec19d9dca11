import Foundation

/// Ends the process as a signal would have that nobody watches.
func endProcess(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // Reached for long only where every thread blocks the signal.
    usleep(200_000)
    _exit(128 + number)
}
