import Synchronization

/// Who is telling the observer something, so that a close can wait for them: an observer is called by many
/// threads, and under no lock.
///
/// From any thread. One number holds everything: twice those inside, and one more where the gate is shut.
struct EventGate: ~Copyable {
    private let state = Atomic<Int>(0)

    /// Somebody is about to tell an event.
    ///
    /// - Returns: whether that may be; who may then leaves afterwards.
    func enter() -> Bool {
        var current = state.load(ordering: .relaxed)
        while current & 1 == 0 {
            let (isDone, found) = state.compareExchange(
                expected: current,
                desired: current + 2,
                ordering: .acquiringAndReleasing
            )
            if isDone { return true }
            current = found
        }
        return false
    }

    /// Somebody has told an event.
    ///
    /// - Returns: whether that was the last, and the gate was shut meanwhile.
    func leave() -> Bool { state.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 }

    /// Lets nobody in from now on.
    ///
    /// - Returns: whether nobody is inside; otherwise the last to leave knows that.
    func shut() -> Bool { state.bitwiseOr(1, ordering: .acquiringAndReleasing).newValue == 1 }
}
