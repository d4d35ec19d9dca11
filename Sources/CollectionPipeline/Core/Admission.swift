import CollectionElements

/// The admission of submissions: the batch that is being recorded, and the submissions that wait
/// for its end or for capacity in the backlog.
///
/// A value that receives events and returns actions. The main lane owns it.
///
/// | a submission arrives | it is | leaves when |
/// |---|---|---|
/// | while a batch is open across turns, which must not include it | `deferred` | the batch has ended, in a separate turn |
/// | with a full backlog, or after others that wait for capacity | `suspended` | there is capacity, first in, first out, in a separate turn |
/// | otherwise | admitted immediately | |
///
/// If the task of a waiting submission is cancelled, the submission no longer waits. A close
/// rejects all waiting submissions.
struct Admission<IncomingSubmission> {
    /// The number of change sets that may be accepted and not yet deployed: at least one, because
    /// otherwise no submission could be admitted.
    let backlogLimit: Int

    /// The batch that is being recorded.
    private(set) var batch: OpenBatch?

    private var deferred = FIFO<(incoming: IncomingSubmission, needsCapacity: Bool)>()
    private var suspended = FIFO<IncomingSubmission>()

    /// Whether a turn that will admit a submission is enqueued.
    private var isTurnScheduled = false

    init(backlogLimit: Int) {
        self.backlogLimit = max(1, backlogLimit)
    }

    /// Whether no submission waits.
    var isEmpty: Bool { deferred.isEmpty && suspended.isEmpty }

    /// The numbers of submissions that wait for the end of a batch and for capacity.
    var waiting: (deferred: Int, suspended: Int) { (deferred.count, suspended.count) }

    /// The first of the submissions that wait for capacity.
    var firstSuspended: IncomingSubmission? { suspended.first }

    func hasRoom(_ backlog: Int) -> Bool { backlog < backlogLimit }

    // MARK: The batch

    /// Records that a batch begins. No other batch may be open.
    mutating func began(_ batch: OpenBatch) { self.batch = batch }

    /// Removes and returns the open batch, which has ended or is ended by a close. Callbacks of the
    /// data source then find no open batch.
    mutating func ended() -> OpenBatch? {
        batch?.isOpen = false
        return batch.take()
    }

    // MARK: Incoming submissions

    /// The action for a submission that arrives.
    enum Arrival: Equatable {
        case admit
        case wait(for: PipelineWait)
    }

    /// Adds a submission from another thread or a later turn.
    ///
    /// - Parameters:
    ///   - incoming: The submission.
    ///   - needsCapacity: Whether it waits if the backlog is full.
    ///   - backlog: The number of change sets that are accepted and not yet deployed.
    mutating func arrived(
        _ incoming: IncomingSubmission,
        needsCapacity: Bool,
        backlog: Int
    ) -> Arrival {
        // It waits after the submissions that arrived before it.
        guard batch == nil, deferred.isEmpty else {
            deferred.append((incoming, needsCapacity))
            return .wait(for: .batchEnd)
        }
        return enters(incoming, needsCapacity, backlog)
    }

    private mutating func enters(
        _ incoming: IncomingSubmission,
        _ needsCapacity: Bool,
        _ backlog: Int
    ) -> Arrival {
        guard needsCapacity, !hasRoom(backlog) || !suspended.isEmpty else { return .admit }
        suspended.append(incoming)
        return .wait(for: .backlogCapacity)
    }

    /// Returns whether the caller must enqueue a turn, because a waiting submission could be
    /// admitted and no turn is enqueued.
    mutating func needsTurn(backlog: Int) -> Bool {
        guard !isTurnScheduled, batch == nil else { return false }
        let isRoomAwaited = !suspended.isEmpty && hasRoom(backlog)
        isTurnScheduled = !deferred.isEmpty || isRoomAwaited
        return isTurnScheduled
    }

    /// Performs a turn, and returns the admitted submission, if any.
    mutating func beginTurn(backlog: Int) -> IncomingSubmission? {
        isTurnScheduled = false
        // The next batch may be open by now; its end checks again.
        guard batch == nil else { return nil }
        if let (incoming, needsCapacity) = deferred.popFirst() {
            return enters(incoming, needsCapacity, backlog) == .admit ? incoming : nil
        }
        return hasRoom(backlog) ? suspended.popFirst() : nil
    }

    /// Records that the task of a submission was cancelled.
    ///
    /// - Returns: The submission, if it is still waiting.
    mutating func cancelled(_ isCancelled: (IncomingSubmission) -> Bool) -> IncomingSubmission? {
        return suspended.removeFirst(where: isCancelled)
            ?? deferred.removeFirst { isCancelled($0.incoming) }?.incoming
    }

    /// Closes the admission.
    ///
    /// - Returns: The waiting submissions, in the order in which they are rejected.
    mutating func closed() -> [IncomingSubmission] {
        let suspended = suspended.removeAll()
        let deferred = deferred.removeAll().map(\.incoming)
        return suspended + deferred
    }
}

/// A batch that is being recorded.
final class OpenBatch {
    let id: SubmissionID
    /// The time at which it began; zero without an observer.
    let start: Duration
    /// The number of nesting levels that have not ended.
    var depth = 1
    var changes = HierarchyChangeSet()
    var callerContext: (any Sendable)?
    var completions: [UpdateCompletion] = []
    /// The error of the first closure that threw, because of which the whole record is dropped.
    var failure: UpdateError?
    /// Whether a closure has declared the content current.
    var declaresContentCurrent = false
    /// Whether the code that opened it restores its model if it is rejected.
    var restoresModel = false
    var isOpen = true

    init(id: SubmissionID, callerContext: (any Sendable)? = nil, start: Duration = .zero) {
        self.id = id
        self.callerContext = callerContext
        self.start = start
    }
}

/// A box that passes a task's cancellation to a submission that waits for capacity.
final class CancellationBox: Sendable {
    private let state = Lock(State())

    private struct State {
        var isCancelled = false
        var wasAdmitted = false
        var handler: (@Sendable () -> Void)?
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the submission was admitted; cancelling then has no effect.
    var wasAdmitted: Bool { state.withLock { $0.wasAdmitted } }

    /// Records that the submission was admitted, and releases the handler.
    func markAdmitted() {
        state.withLock { $0.wasAdmitted = true }
        forget()
    }

    func cancel() {
        let handler = state.withLock { state in
            state.isCancelled = true
            return state.handler.take()
        }
        handler?()
    }

    /// Calls `handler` once when the task is cancelled, or now if it already was; never if the
    /// submission was admitted.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            guard !state.wasAdmitted else { return false }
            if !state.isCancelled { state.handler = handler }
            return state.isCancelled
        }
        if isCancelled { handler() }
    }

    /// Releases the handler, which retains the objects that it would cancel.
    func forget() {
        // The handler is released outside the lock.
        _ = state.withLock { $0.handler.take() }
    }
}
