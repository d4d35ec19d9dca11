/// The book of accepted submissions: who is where on the way, and who may complete.
///
/// A value without side effects; the main lane owns it and acts on its answers.
struct SubmissionLedger {
    /// How far a submission has come.
    enum Phase: Comparable {
        /// Accepted; step 3 is under way or to come.
        case preparing
        /// The view has it (or it waits for the reload that replaces it).
        case handedOver
        /// The visible map contains it.
        case deployed
        /// The view is done with it; it completes when all before it have.
        case finished
    }

    struct Entry {
        let submission: Submission
        var phase: Phase
        var outcome: UpdateOutcome
    }

    /// In the order of acceptance; completed ones leave at the front.
    private(set) var entries: [Entry] = []

    /// How many are accepted and not yet deployed.
    private(set) var backlog = 0

    /// How many are accepted and not yet handed over.
    private(set) var preparing = 0

    var isEmpty: Bool { entries.isEmpty }

    /// The submission that the view must deploy next.
    var nextToDeploy: SubmissionID? {
        entries.first { $0.phase < .deployed }?.submission.id
    }

    /// Whether every submission up to `id` was handed over.
    func isHandedOver(through id: SubmissionID) -> Bool {
        guard preparing > 0 else { return true }
        return !entries.contains { $0.phase == .preparing && $0.submission.id <= id }
    }

    var lastAccepted: SubmissionID? { entries.last?.submission.id }

    mutating func accept(_ submission: Submission) {
        entries.append(Entry(submission: submission, phase: .preparing, outcome: .deployed))
        backlog += 1
        preparing += 1
    }

    mutating func handOver(_ id: SubmissionID) {
        advance(id, to: .handedOver)
    }

    mutating func deploy(_ id: SubmissionID) {
        advance(id, to: .deployed)
    }

    /// Notes that `reload` shows what `id` could not: it completes with the reload.
    mutating func replace(_ id: SubmissionID, outcome: UpdateOutcome) {
        guard let position = position(of: id) else { return }
        entries[position].outcome = outcome
    }

    /// The view is done with `id`; the entries that may complete now, in order.
    mutating func finish(_ id: SubmissionID) -> [Entry] {
        advance(id, to: .finished)
        let count = entries.firstIndex { $0.phase != .finished } ?? entries.count
        defer { entries.removeFirst(count) }
        return Array(entries.prefix(count))
    }

    /// Everything still in the book, which is then empty.
    mutating func removeAll() -> [Entry] {
        defer {
            entries = []
            backlog = 0
            preparing = 0
        }
        return entries
    }

    private func position(of id: SubmissionID) -> Int? {
        // Ids ascend, but leave gaps where submissions were refused.
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].submission.id < id { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].submission.id == id ? low : nil
    }

    private mutating func advance(_ id: SubmissionID, to phase: Phase) {
        guard let position = position(of: id), entries[position].phase < phase else { return }
        if entries[position].phase == .preparing { preparing -= 1 }
        if entries[position].phase < .deployed, phase >= .deployed { backlog -= 1 }
        entries[position].phase = phase
    }
}
