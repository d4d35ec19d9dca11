/// How a controller ends, so that the callback of the close is the last one (Quiet After Close).
///
/// A value: it is told what happened and returns what is to be done. The main lane owns it.
///
/// | phase | what is left | goes on when |
/// |---|---|---|
/// | `open` | submissions are taken in | a close is asked for: `closing` |
/// | `closing` | accepted sets, completions, callbacks | nothing of them is left, and a turn is enqueued: `ending` |
/// | `ending` | the turn | it comes, and nothing was added before it: `closed`; otherwise `closing` again |
/// | `closed` | nothing | |
struct Shutdown {
    enum Phase {
        case open
        case closing
        case ending
        case closed
    }

    private(set) var phase = Phase.open

    /// How many turns are enqueued that will call completions, or other callbacks.
    private var scheduled = (completions: 0, callbacks: 0)

    /// Called at the very end.
    private var lastCallbacks: [@Sendable () -> Void] = []

    /// Whether submissions are taken in.
    var isOpen: Bool { phase == .open }
    var isClosed: Bool { phase == .closed }

    /// Whether every completion has run.
    var hasCompleted: Bool { scheduled.completions == 0 }

    private var hasCalledBack: Bool {
        scheduled == (0, 0)
    }

    /// What a turn that was enqueued will call.
    enum Callbacks {
        case completions
        case others
    }

    mutating func scheduled(_ callbacks: Callbacks) { count(callbacks, 1) }

    mutating func ran(_ callbacks: Callbacks) { count(callbacks, -1) }

    private mutating func count(_ callbacks: Callbacks, _ change: Int) {
        switch callbacks {
        case .completions: scheduled.completions += change
        case .others: scheduled.callbacks += change
        }
    }

    /// A close is asked for.
    ///
    /// - Returns: whether it is the first, which begins it.
    mutating func closeRequested() -> Bool {
        defer { if isOpen { phase = .closing } }
        return isOpen
    }

    /// The controller is gone without having been closed.
    ///
    /// - Returns: whether that closes it; one that is being closed ends as its closer wants it to.
    func isClosedByAbandoning() -> Bool { isOpen }

    /// Somebody wants to be called at the end.
    ///
    /// - Returns: whether it will be; where the end has come already, the caller does it.
    mutating func awaited(_ callback: @escaping @Sendable () -> Void) -> Bool {
        guard !isClosed else { return false }
        lastCallbacks.append(callback)
        return true
    }

    /// Whether only the end is left, and no turn is on its way to it; the caller then enqueues one.
    ///
    /// - Parameter isDrained: whether everything accepted has completed.
    mutating func needsTurn(isDrained: Bool) -> Bool {
        guard phase == .closing, isDrained, hasCalledBack else { return false }
        phase = .ending
        return true
    }

    /// The turn has come.
    ///
    /// - Returns: what is to be called, if that is the end. A callback that was added since is waited for.
    mutating func turnCame() -> [@Sendable () -> Void]? {
        guard hasCalledBack else {
            phase = .closing
            return nil
        }
        phase = .closed
        defer { lastCallbacks = [] }
        return lastCallbacks
    }
}
