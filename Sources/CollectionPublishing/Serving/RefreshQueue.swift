/// The order in which a list is given its states: one job at a time, and as few as answer every caller.
///
/// A query that is running may have read the data before a caller's write. So a caller that asks for a refresh meanwhile
/// waits for the next query, which answers all that ask until it starts. A state that a caller applies comes after what
/// was asked for before it, and before what is asked for later; the next query stands for states that still wait.
///
/// A value: its methods are inputs, and return what to do. ``LiveList`` guards it with a lock.
///
/// | a job | is | until |
/// |---|---|---|
/// | arrives while none is running | running | it has finished, or takes too long |
/// | arrives while another is | waiting, as part of the job before it if one can answer both | that one has finished |
struct RefreshQueue<Work, Caller> {
    struct Job {
        let id: Int
        /// Whether the work is a query, which sees everything that was written before it starts.
        let isQuery: Bool
        /// Whether the query has answered, so that its result is being shown.
        fileprivate(set) var isAnswered = false
        fileprivate(set) var work: Work
        fileprivate(set) var callers: [Caller]
    }

    /// The job that is running.
    private(set) var running: Job?

    /// At most a query and, after it, a state.
    private(set) var waiting: [Job] = []

    /// Whether the list is closed: every later job is refused.
    private(set) var isClosed = false

    private var count = 0

    /// What becomes of a caller.
    enum Arrival {
        case starts(Job)
        case waits
        case closed
    }

    /// A caller asks for a query, or applies a state.
    mutating func arrived(_ work: Work, isQuery: Bool, _ caller: Caller) -> Arrival {
        if isClosed { return .closed }
        var job = Job(id: count, isQuery: isQuery, work: work, callers: [caller])
        count += 1
        if isQuery {
            // It shows whatever those that wait would have shown.
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

    /// A query has answered.
    ///
    /// - Returns: whether to show its result; not if it took too long.
    mutating func answered(_ id: Int) -> Bool {
        guard running?.id == id else { return false }
        running?.isAnswered = true
        return true
    }

    /// Whether a query is running and has not answered.
    func isAsking(_ id: Int) -> Bool { running?.id == id && running?.isAnswered == false }

    /// A job has finished, or is given up.
    ///
    /// - Returns: its callers, and the job to start; `nil` if it is not running.
    mutating func finished(_ id: Int) -> (callers: [Caller], next: Job?)? {
        guard let job = running, job.id == id else { return nil }
        running = nil
        return (job.callers, startNext())
    }

    /// The task of a caller was cancelled. The job goes on, since its result is as good as any.
    ///
    /// - Returns: the caller, unless it was answered.
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

    /// The list closes.
    ///
    /// - Returns: everyone who waits, in order.
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
