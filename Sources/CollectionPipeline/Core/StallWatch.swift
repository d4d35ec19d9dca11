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

    /// The query to the main lane.
    private enum Query {
        case none
        /// The query has no response yet.
        case open(since: Duration)
        /// The stall of the main lane is being reported; a response may have arrived in the
        /// meantime.
        case reporting(Stall, isAnswered: Bool)
        case reported(Stall)
    }

    private var query = Query.none

    /// The number of submissions of other threads that the main lane has not received.
    private var arrivals = 0

    init(timeout: Duration) { self.timeout = max(.zero, timeout) }

    /// Whether a response could change something: a reported wait may have ended, or a new one
    /// begun.
    var needsResponse: Bool {
        switch query {
        case .none, .open: !reported.isEmpty || !isArmed || !mayStall
        case .reporting, .reported: true
        }
    }

    /// The action after an event.
    enum Action: Equatable {
        case rest
        case startTimer
        case query
        case queryAndStartTimer
        /// Report that the main lane has stalled, and then call `mainLaneStallReported()`.
        case report(Stall)
    }

    /// Records that a submission is on its way to the main lane.
    mutating func sent() -> Action {
        arrivals += 1
        return arm()
    }

    /// Records that the submission has arrived. A response follows.
    mutating func received() { arrivals -= 1 }

    private mutating func arm() -> Action {
        mayStall = true
        return exchange(&isArmed, with: true) ? .rest : .startTimer
    }

    /// Records that the timer has fired.
    mutating func timerFired(at now: Duration) -> Action {
        isArmed = false
        guard mayStall else { return .rest }
        switch query {
        case .none:
            query = .open(since: now)
            isArmed = true
            return .queryAndStartTimer
        case .open(let since) where now - since < timeout: return arm()
        case .open(let since):
            let stall = Stall(wait: .mainLane, submission: nil, since: since)
            query = .reporting(stall, isAnswered: false)
            return .report(stall)
        case .reporting, .reported: return .rest
        }
    }

    /// Records that the stall of the main lane was reported. If it responded in the meantime, it is
    /// queried again.
    mutating func mainLaneStallReported() -> Action {
        guard case .reporting(let stall, let isAnswered) = query else { return .rest }
        query = .reported(stall)
        return isAnswered ? .query : .rest
    }

    /// The effects of the main lane's response.
    struct Outcome: Equatable {
        /// The waits that have now lasted too long.
        var stalled: [Stall] = []
        /// The reported waits that have ended.
        var ended: [Stall] = []
        var action = Action.rest
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
        switch query {
        case .reporting(let stall, isAnswered: _): query = .reporting(stall, isAnswered: true)
        case .reported(let stall):
            outcome.ended.append(stall)
            query = .none
        case .none, .open: query = .none
        }
        reported.removeAll { !waits.contains($0) }
        outcome.stalled = waits.filter { now - $0.since >= timeout && !reported.contains($0) }
        reported += outcome.stalled
        mayStall = isCallingBack || arrivals > 0 || waits.contains { !reported.contains($0) }
        if mayStall { outcome.action = arm() }
        return outcome
    }
}
