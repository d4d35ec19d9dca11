import Synchronization

/// The end of a controller, which makes the callback of the close the last one (Quiet After Close).
///
/// A value that receives events and returns actions. The main lane owns it.
///
/// | phase | remaining work | ends when |
/// |---|---|---|
/// | `open` | submissions are accepted | a close is requested: `closing` |
/// | `closing` | accepted change sets, completions, callbacks | none of them remain, and a turn is enqueued: `ending` |
/// | `ending` | the turn | it begins, and nothing was added before it: `closed`; otherwise `closing` again |
/// | `closed` | none | |
struct Shutdown {
    enum Phase {
        case open
        case closing
        case ending
        case closed
    }

    private(set) var phase = Phase.open

    /// The numbers of enqueued turns that will run completions and other callbacks.
    private var scheduled = (completions: 0, callbacks: 0)

    typealias Callback = @Sendable () -> Void

    /// The callbacks to call at the very end.
    private var lastCallbacks: [Callback] = []

    /// Whether submissions are accepted.
    var isOpen: Bool { phase == .open }
    var isClosed: Bool { phase == .closed }

    /// Whether every completion has run.
    var hasCompleted: Bool { scheduled.completions == 0 }

    private var hasCalledBack: Bool {
        scheduled == (0, 0)
    }

    /// The kind of callbacks that an enqueued turn will run.
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

    enum RequestAction { case beginClose, callNow, wait }

    /// Records that a close was requested; the first request begins it.
    mutating func closeRequested() -> RequestAction {
        guard isOpen else { return .wait }
        phase = .closing
        return .beginClose
    }

    /// Adds a callback for the end of the close, unless the controller has already closed.
    mutating func awaited(_ callback: @escaping Callback) -> RequestAction {
        guard !isClosed else { return .callNow }
        lastCallbacks.append(callback)
        return .wait
    }

    /// Returns whether the caller must enqueue the final turn, because only the end remains and no
    /// turn is enqueued.
    ///
    /// - Parameter isDrained: Whether everything accepted has completed.
    mutating func needsTurn(isDrained: Bool) -> Bool {
        guard phase == .closing, isDrained, hasCalledBack else { return false }
        phase = .ending
        return true
    }

    /// The action in the final turn.
    enum FinalAction {
        /// End the close, and call the callbacks.
        case end([Callback])
        /// Continue, because another callback was added and must run first.
        case proceed
    }

    /// Begins the final turn.
    mutating func beginTurn() -> FinalAction {
        guard hasCalledBack else {
            phase = .closing
            return .proceed
        }
        phase = .closed
        return .end(exchange(&lastCallbacks, with: []))
    }
}

/// A count of the threads that are sending events, so that a close can wait for them. Many threads
/// call the observer, and none of them holds a lock.
///
/// May be used from any thread. One number contains the state: twice the number of threads inside,
/// plus one if the gate is shut.
struct EventGate: ~Copyable {
    private let state = Atomic<Int>(0)

    /// Enters the gate before an event is sent.
    ///
    /// - Returns: Whether the event may be sent; the caller must then call `leave()`.
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

    /// Leaves the gate after an event was sent.
    ///
    /// - Returns: Whether the gate is shut and this was the last thread inside.
    func leave() -> Bool { state.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 }

    /// Shuts the gate.
    ///
    /// - Returns: Whether no thread is inside; otherwise `leave()` returns `true` for the last
    ///   thread that leaves.
    func shut() -> Bool { state.bitwiseOr(1, ordering: .acquiringAndReleasing).newValue == 1 }
}
