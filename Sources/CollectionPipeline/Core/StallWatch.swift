/// Which waits last too long, and whether a timer is needed to find out.
///
/// A value: told of the time and of who waits for what, it returns what is to be told and done. Two lanes
/// share it, behind a lock: the timer's, which asks the main lane now and then, and the main lane, which
/// answers with its waits, asked or not.
///
/// | the timer comes and finds | and so |
/// |---|---|
/// | nothing outstanding that was not told already | it rests: none is started |
/// | no question | the main lane is asked, and the timer started again |
/// | a question without an answer, for less than the timeout | the timer is started again |
/// | a question without an answer, for longer | the main lane has stalled; the timer rests |
///
/// That the main lane has stalled is told by the timer's lane, and its end by the main lane, which may go on while
/// that is being told: then it is asked again afterwards.
struct StallWatch {
    /// How long a wait may last.
    let timeout: Duration

    /// How long a timer takes: with four, and a question that waits for an answer, nothing is told later than
    /// half the time after it should.
    var interval: Duration { max(.nanoseconds(1), timeout / 4) }

    /// Whether a timer is on its way; there is never a second one.
    private(set) var isArmed = false

    /// Whether something is outstanding that may yet stall, as far as is known.
    private(set) var mayStall = false

    /// What was told, and lasts.
    private(set) var told: [Stall] = []

    /// The question to the main lane that has no answer yet.
    private var question: Question?

    private struct Question {
        let since: Duration
        var state = State.open

        enum State: Equatable {
            case open
            /// It is being told that the main lane has stalled; an answer may have come meanwhile.
            case telling(isAnswered: Bool)
            case told
        }

        var stall: Stall { Stall(wait: .mainLane, submission: nil, since: since) }
    }

    /// How many submissions of other threads the main lane has not received.
    private var arrivals = 0

    init(timeout: Duration) { self.timeout = max(.zero, timeout) }

    /// Whether an answer could change something: a wait that was told may have ended, or a new one begun.
    var needsAnswer: Bool {
        !told.isEmpty || !isArmed || !mayStall || (question?.state ?? .open) != .open
    }

    /// A submission is on its way to the main lane.
    ///
    /// - Returns: whether to start a timer.
    mutating func sent() -> Bool {
        arrivals += 1
        return arm()
    }

    /// It has come, and an answer follows.
    mutating func received() { arrivals -= 1 }

    private mutating func arm() -> Bool {
        mayStall = true
        defer { isArmed = true }
        return !isArmed
    }

    /// What to do when a timer has come.
    enum Look: Equatable {
        case rest
        /// Start the timer again.
        case wait
        /// Start it again, and ask the main lane.
        case ask
        /// Tell that the main lane has stalled, and then that it was told.
        case tell(Stall)
    }

    /// The timer has come.
    mutating func timerCame(at now: Duration) -> Look {
        isArmed = false
        guard mayStall, question?.state ?? .open == .open else { return .rest }
        guard var question else {
            self.question = Question(since: now)
            isArmed = true
            return .ask
        }
        guard now - question.since >= timeout else {
            isArmed = true
            return .wait
        }
        question.state = .telling(isAnswered: false)
        self.question = question
        return .tell(question.stall)
    }

    /// It was told that the main lane has stalled.
    ///
    /// - Returns: whether to ask it once more, because it has answered meanwhile.
    mutating func mainLaneTold() -> Bool {
        guard case .telling(let isAnswered) = question?.state else { return false }
        question?.state = .told
        return isAnswered
    }

    /// What the main lane's answer leads to.
    struct Outcome: Equatable {
        /// Waits that have lasted too long by now.
        var stalled: [Stall] = []
        /// What was told and is over.
        var ended: [Stall] = []
        var startsTimer = false
    }

    /// The main lane says who waits for what.
    ///
    /// - Parameter isCallingBack: whether it has callbacks to run, in turns that are enqueued.
    mutating func answered(
        _ waits: [Stall],
        isCallingBack: Bool = false,
        at now: Duration
    ) -> Outcome {
        var outcome = Outcome()
        outcome.ended = told.filter { !waits.contains($0) }
        switch question?.state {
        case .told:
            outcome.ended += question.map { [$0.stall] } ?? []
            question = nil
        case .telling: question?.state = .telling(isAnswered: true)
        case .open, nil: question = nil
        }
        told.removeAll { !waits.contains($0) }
        outcome.stalled = waits.filter { now - $0.since >= timeout && !told.contains($0) }
        told += outcome.stalled
        mayStall = isCallingBack || arrivals > 0 || waits.contains { !told.contains($0) }
        if mayStall { outcome.startsTimer = arm() }
        return outcome
    }
}
