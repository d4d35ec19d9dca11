import CollectionElements

/// Who comes in: the batch that is being recorded, and those who wait, for its end or for room in the
/// backlog.
///
/// A value: it is told what happened and returns what is to be done. The main lane owns it.
///
/// | a visitor arrives | and is | leaves when |
/// |---|---|---|
/// | while a batch is open across turns, which must not swallow it | `deferred` | the batch has ended, in a turn of its own |
/// | with a full backlog, or behind others who wait for room | `suspended` | there is room, first come, first served, in a turn of its own |
/// | otherwise | let in at once | |
///
/// A visitor whose task is cancelled leaves where it waits, and a close sends everybody away.
struct Admission<Visitor> {
    /// How many sets may be accepted and not yet deployed: at least one, or nothing would ever get in.
    let backlogLimit: Int

    /// The batch that is being recorded.
    private(set) var batch: OpenBatch?

    private var deferred = FIFO<(visitor: Visitor, needsRoom: Bool)>()
    private var suspended = FIFO<Visitor>()

    /// Whether a turn is on its way that will let somebody in.
    private var isTurnScheduled = false

    init(backlogLimit: Int) {
        self.backlogLimit = max(1, backlogLimit)
    }

    /// Whether nobody waits.
    var isEmpty: Bool { deferred.isEmpty && suspended.isEmpty }

    /// How many wait for the end of a batch, and for room.
    var waiting: (deferred: Int, suspended: Int) { (deferred.count, suspended.count) }

    /// The first of those who wait for room.
    var firstSuspended: Visitor? { suspended.first }

    func hasRoom(_ backlog: Int) -> Bool { backlog < backlogLimit }

    // MARK: The batch

    /// A batch begins where none is open.
    mutating func began(_ batch: OpenBatch) { self.batch = batch }

    /// Detaches the batch that is open, so that callbacks of the data source find none: it has ended, or a
    /// close ends it.
    mutating func ended() -> OpenBatch? {
        batch?.isOpen = false
        defer { batch = nil }
        return batch
    }

    // MARK: Visitors

    /// A visitor from another thread, or a later turn.
    ///
    /// - Parameters:
    ///   - needsRoom: whether it waits where the backlog is full.
    ///   - backlog: how many sets are accepted and not yet deployed.
    /// - Returns: whether it comes in now; otherwise it waits.
    mutating func arrived(_ visitor: Visitor, needsRoom: Bool, backlog: Int) -> Bool {
        // Behind those who came before it.
        guard batch == nil, deferred.isEmpty else {
            deferred.append((visitor, needsRoom))
            return false
        }
        return enters(visitor, needsRoom, backlog)
    }

    private mutating func enters(_ visitor: Visitor, _ needsRoom: Bool, _ backlog: Int) -> Bool {
        guard needsRoom, !hasRoom(backlog) || !suspended.isEmpty else { return true }
        suspended.append(visitor)
        return false
    }

    /// Whether somebody who waits could come in now, and no turn is on its way to let them; the caller then
    /// enqueues one.
    mutating func needsTurn(backlog: Int) -> Bool {
        guard !isTurnScheduled, batch == nil else { return false }
        let isRoomAwaited = !suspended.isEmpty && hasRoom(backlog)
        isTurnScheduled = !deferred.isEmpty || isRoomAwaited
        return isTurnScheduled
    }

    /// The turn has come: lets at most one in.
    mutating func turnCame(backlog: Int) -> Visitor? {
        isTurnScheduled = false
        // The next batch may be open by now; its end asks again.
        guard batch == nil else { return nil }
        if let (visitor, needsRoom) = deferred.popFirst() {
            return enters(visitor, needsRoom, backlog) ? visitor : nil
        }
        return hasRoom(backlog) ? suspended.popFirst() : nil
    }

    /// Somebody's task was cancelled.
    ///
    /// - Returns: the visitor, if it has waited until now.
    mutating func cancelled(_ isCancelled: (Visitor) -> Bool) -> Visitor? {
        return suspended.removeFirst(where: isCancelled)
            ?? deferred.removeFirst { isCancelled($0.visitor) }?.visitor
    }

    /// Nobody comes in any more.
    ///
    /// - Returns: who waited, in the order in which they are sent away.
    mutating func closed() -> [Visitor] {
        let suspended = suspended.removeAll()
        let deferred = deferred.removeAll().map(\.visitor)
        return suspended + deferred
    }
}

/// A batch that is being recorded.
final class OpenBatch {
    let id: SubmissionID
    /// When it began; zero without an observer.
    let start: Duration
    /// How many ends are still to come.
    var depth = 1
    var changes = HierarchyChangeSet()
    var context: (any Sendable)?
    var completions: [UpdateCompletion] = []
    /// The first closure that threw dooms the whole record.
    var failure: UpdateError?
    /// Whether a closure has declared content current.
    var declaresContentCurrent = false
    /// Whether who opened it takes its model back where it is rejected.
    var restoresModel = false
    var isOpen = true

    init(id: SubmissionID, context: (any Sendable)? = nil, start: Duration = .zero) {
        self.id = id
        self.context = context
        self.start = start
    }
}
