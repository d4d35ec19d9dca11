/// The state machine that detects waits that last too long, and decides whether a timer is needed.
///
/// A value that receives the time and the current waits, and returns events and actions. Two lanes
/// share it, guarded by a lock: the timer's lane, which queries the main lane from time to time,
/// and the main lane, which responds with its waits and also reports them without a query.
///
/// | the timer finds | so |
/// |---|---|
/// | no outstanding wait that is not reported already | it rests: no timer is started |
/// | no query | the main lane is queried, and the timer restarted |
/// | a query without a response, for less than the timeout | the timer is restarted |
/// | a query without a response, for longer | the main lane has stalled; the timer rests |
///
/// The timer's lane reports that the main lane has stalled, and the main lane reports the end of
/// the stall. If the main lane continues during the first report, it is queried again afterwards.
struct StallWatch {
    /// The time that a wait may last.
    let timeout: Duration

    /// The interval of the timer. A timeout has four intervals, so a stall is reported at most half
    /// the timeout late, including the time of a query and its response.
    var interval: Duration { max(.nanoseconds(1), timeout / 4) }

    /// Whether a timer is running; there is never a second one.
    private(set) var isArmed = false

    /// Whether a known wait may still stall.
    private(set) var mayStall = false

    /// The waits that were reported and have not ended.
    private(set) var reported: [Stall] = []

    /// The query to the main lane that has no response yet.
    private var query: PendingQuery?

    private struct PendingQuery {
        let since: Duration
        var state = State.open

        enum State: Equatable {
            case open
            /// The stall of the main lane is being reported; a response may have arrived in the
            /// meantime.
            case reporting(isAnswered: Bool)
            case reported
        }

        var stall: Stall { Stall(wait: .mainLane, submission: nil, since: since) }
    }

    /// The number of submissions of other threads that the main lane has not received.
    private var arrivals = 0

    init(timeout: Duration) { self.timeout = max(.zero, timeout) }

    /// Whether a response could change something: a reported wait may have ended, or a new one
    /// begun.
    var needsResponse: Bool {
        !reported.isEmpty || !isArmed || !mayStall || (query?.state ?? .open) != .open
    }

    /// Records that a submission is on its way to the main lane.
    ///
    /// - Returns: Whether to start a timer.
    mutating func sent() -> Bool {
        arrivals += 1
        return arm()
    }

    /// Records that the submission has arrived. A response follows.
    mutating func received() { arrivals -= 1 }

    private mutating func arm() -> Bool {
        mayStall = true
        defer { isArmed = true }
        return !isArmed
    }

    /// The action after a timer has fired.
    enum TimerAction: Equatable {
        case rest
        /// Restart the timer.
        case wait
        /// Restart the timer, and query the main lane.
        case query
        /// Report that the main lane has stalled, and then call `mainLaneStallReported()`.
        case report(Stall)
    }

    /// Returns the action after a timer has fired.
    mutating func timerFired(at now: Duration) -> TimerAction {
        isArmed = false
        guard mayStall, query?.state ?? .open == .open else { return .rest }
        guard var query else {
            self.query = PendingQuery(since: now)
            isArmed = true
            return .query
        }
        guard now - query.since >= timeout else {
            isArmed = true
            return .wait
        }
        query.state = .reporting(isAnswered: false)
        self.query = query
        return .report(query.stall)
    }

    /// Records that the stall of the main lane was reported.
    ///
    /// - Returns: Whether to query the main lane again, because it responded in the meantime.
    mutating func mainLaneStallReported() -> Bool {
        guard case .reporting(let isAnswered) = query?.state else { return false }
        query?.state = .reported
        return isAnswered
    }

    /// The result of the main lane's response.
    struct Outcome: Equatable {
        /// The waits that have now lasted too long.
        var stalled: [Stall] = []
        /// The reported waits that have ended.
        var ended: [Stall] = []
        var startsTimer = false
    }

    /// Records the current waits, as the main lane reports them.
    ///
    /// - Parameters:
    ///   - waits: The current waits.
    ///   - isCallingBack: Whether enqueued turns have callbacks to run.
    ///   - now: The current time.
    /// - Returns: The stalls to report and the actions to perform.
    mutating func answered(
        _ waits: [Stall],
        isCallingBack: Bool = false,
        at now: Duration
    ) -> Outcome {
        var outcome = Outcome()
        outcome.ended = reported.filter { !waits.contains($0) }
        switch query?.state {
        case .reported:
            outcome.ended += query.map { [$0.stall] } ?? []
            query = nil
        case .reporting: query?.state = .reporting(isAnswered: true)
        case .open, nil: query = nil
        }
        reported.removeAll { !waits.contains($0) }
        outcome.stalled = waits.filter { now - $0.since >= timeout && !reported.contains($0) }
        reported += outcome.stalled
        mayStall = isCallingBack || arrivals > 0 || waits.contains { !reported.contains($0) }
        if mayStall { outcome.startsTimer = arm() }
        return outcome
    }
}
