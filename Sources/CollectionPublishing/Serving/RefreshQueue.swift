/// The order in which a list applies its states: one job at a time, and no more jobs than are
/// needed to serve every caller.
///
/// A query that is running may have read the data before a caller's write. A caller that requests a
/// refresh during a query therefore waits for the next one, which serves all callers that arrive
/// before it starts. A state that a caller applies follows the requests before it and precedes the
/// requests after it. The next query replaces the states that are still waiting.
///
/// The queue is a value: each method takes an input and returns the action to perform. ``LiveList``
/// guards it with a lock.
///
/// | a job | is | until |
/// |---|---|---|
/// | arrives while no job is running | running | it has finished, or takes too long |
/// | arrives while a job is running | waiting, combined with the job before it if one job can serve both | that job has finished |
struct RefreshQueue<Work, Caller> {
    struct Job {
        enum Phase {
            case querying
            /// The query has returned, and its result is being applied.
            case applying
        }

        let id: Int
        /// Whether the work is a query, which sees everything that was written before it starts.
        let isQuery: Bool
        fileprivate(set) var phase = Phase.querying
        fileprivate(set) var work: Work
        fileprivate(set) var callers: [Caller]
    }

    /// The job that is running.
    private(set) var running: Job?

    /// The waiting jobs: at most a query and, after it, a state.
    private(set) var waiting: [Job] = []

    /// Whether the list is closed: every later job is rejected.
    private(set) var isClosed = false

    private var count = 0

    /// The result of a caller's arrival.
    enum Arrival {
        case starts(Job)
        case waits
        case closed
    }

    /// Adds the job of a caller that requests a query or applies a state.
    mutating func arrived(_ work: Work, isQuery: Bool, _ caller: Caller) -> Arrival {
        if isClosed { return .closed }
        var job = Job(id: count, isQuery: isQuery, work: work, callers: [caller])
        count += 1
        if isQuery {
            // The query shows everything that the waiting jobs would have shown.
            job.callers = waiting.flatMap(\.callers) + job.callers
            waiting = [job]
        } else if let last = waiting.last, !last.isQuery {
            job.callers = last.callers + job.callers
            waiting[waiting.count - 1] = job
        } else {
            waiting.append(job)
        }
        guard running == nil, let job = startNext() else { return .waits }
        return .starts(job)
    }

    enum Answer { case apply, ignore }

    /// Records that a query has returned. Its result is ignored if the query took too long.
    mutating func answered(_ id: Int) -> Answer {
        guard running?.id == id else { return .ignore }
        running?.phase = .applying
        return .apply
    }

    /// The end of a job: the callers to notify, and the next job to start.
    typealias End = (callers: [Caller], next: Job?)

    /// Ends a job whose query takes too long. Returns `nil` if the query has returned.
    mutating func timedOut(_ id: Int) -> End? {
        running?.phase == .querying ? finished(id) : nil
    }

    /// Ends a job, which has applied its state or failed. Returns `nil` if the job is not running.
    mutating func finished(_ id: Int) -> End? {
        guard let job = running, job.id == id else { return nil }
        running = nil
        return (job.callers, startNext())
    }

    /// Removes the caller whose task was cancelled. The job continues, because its result is still
    /// useful.
    ///
    /// - Returns: The caller; `nil` if it has received its result.
    mutating func cancelled(_ isCancelled: (Caller) -> Bool) -> Caller? {
        if let index = running?.callers.firstIndex(where: isCancelled) {
            return running?.callers.remove(at: index)
        }
        for position in waiting.indices {
            if let index = waiting[position].callers.firstIndex(where: isCancelled) {
                return waiting[position].callers.remove(at: index)
            }
        }
        return nil
    }

    /// Closes the queue.
    ///
    /// - Returns: All waiting callers, in order.
    mutating func closed() -> [Caller] {
        defer { (running, waiting, isClosed) = (nil, [], true) }
        return ((running.map { [$0] } ?? []) + waiting).flatMap(\.callers)
    }

    private mutating func startNext() -> Job? {
        guard !waiting.isEmpty else { return nil }
        running = waiting.removeFirst()
        return running
    }
}
