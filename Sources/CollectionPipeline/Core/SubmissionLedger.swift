/// A ledger of accepted change sets: the phase of each, and the order in which they complete.
///
/// Entries are kept in the order of acceptance and found by their generation. A change set that was
/// merged into a later one is part of the later one's entry. The ledger is a value without side
/// effects; ``Delivery`` decides what to record.
struct SubmissionLedger<Payload: Deliverable> {
    /// The phase of a submission.
    enum Phase: Comparable {
        /// Accepted; step 3 has not ended.
        case preparing
        /// The view has received it, or it waits for the reload that replaces it.
        case handedOver
        /// The visible map contains it.
        case deployed
        /// The view has finished it; it completes when all entries before it have.
        case finished
    }

    struct Entry {
        fileprivate(set) var payload: Payload
        var phase: Phase
        var outcome: UpdateOutcome
        /// The change sets that reach the view as part of this one, in the order of acceptance. An
        /// outcome is `nil` if it follows from the outcome of this entry.
        fileprivate(set) var merged: [(payload: Payload, outcome: UpdateOutcome?)] = []
        /// The lowest generation in the entry.
        var firstGeneration: Int { merged.first?.payload.generation ?? payload.generation }

        /// The submissions of the entry, each as a separate entry.
        fileprivate var all: [Entry] {
            let common: UpdateOutcome
            switch outcome {
            case .superseded, .cancelled: common = outcome
            default: common = .superseded(by: payload.id)
            }
            var entries = merged.map {
                Entry(payload: $0.payload, phase: phase, outcome: $0.outcome ?? common)
            }
            entries.append(Entry(payload: payload, phase: phase, outcome: outcome))
            return entries
        }
    }

    /// The entries in the order of acceptance; completed ones are removed at the front.
    private var entries = FIFO<Entry>()

    /// The number of entries that are at least handed over, counted from the front. They are
    /// contiguous, because the editing lane works in order.
    private var handedOver = 0

    /// The number of entries that are at least deployed, counted from the front.
    private var deployed = 0

    /// The number of entries that are accepted and not yet deployed.
    var backlog: Int { entries.count - deployed }

    /// The number of entries that are accepted and not yet handed over.
    var preparing: Int { entries.count - handedOver }

    /// The number of entries that are handed over and not yet deployed.
    var atView: Int { handedOver - deployed }

    var isEmpty: Bool { entries.isEmpty }

    /// The first submission that is not deployed.
    var nextToDeploy: Payload? { deployed < entries.count ? entries[deployed].payload : nil }

    /// All submissions, in the order of acceptance.
    var all: [Entry] { (0..<entries.count).flatMap { entries[$0].all } }

    /// The first entry.
    var first: Entry? { entries.first }

    /// The oldest submission that is not handed over.
    var nextToHandOver: Payload? {
        guard handedOver < entries.count else { return nil }
        let next = entries[handedOver]
        return next.merged.first?.payload ?? next.payload
    }

    /// Returns whether every change set up to `generation` was handed over.
    func isHandedOver(through generation: Int) -> Bool {
        preparing == 0 || entries[handedOver].firstGeneration > generation
    }

    /// The submission that was accepted last.
    var last: Payload? { entries.last?.payload }

    func entry(_ generation: Int) -> Entry? { position(of: generation).map { entries[$0] } }

    /// Returns the submissions between two generations, in order, without those of the two but with
    /// merged ones.
    func payloads(after first: Int, before last: Int) -> [Payload] {
        positions(after: first, before: last).flatMap { position in
            entries[position].merged.map(\.payload) + [entries[position].payload]
        }
    }

    private func positions(after first: Int, before last: Int) -> [Int] {
        (0..<entries.count).filter {
            let generation = entries[$0].payload.generation
            return generation > first && generation < last
        }
    }

    /// Adds an accepted change set.
    ///
    /// - Parameters:
    ///   - payload: The change set.
    ///   - outcome: Its outcome, unless another outcome is set later.
    mutating func accept(_ payload: Payload, _ outcome: UpdateOutcome = .deployed) {
        entries.append(Entry(payload: payload, phase: .preparing, outcome: outcome))
    }

    /// Adds an accepted change set, and merges the one that was accepted last into it.
    ///
    /// - Parameters:
    ///   - payload: The change set.
    ///   - outcome: Its outcome unless another one is set; the merged ones are superseded by it.
    /// - Complexity: O(1), amortized.
    mutating func merge(into payload: Payload, _ outcome: UpdateOutcome) {
        entries.updateLast { last in
            last.merged.append((last.payload, nil))
            last.payload = payload
            // If the view must load, it must load whatever is merged.
            if case .deployedByReload = last.outcome {} else { last.outcome = outcome }
        }
    }

    mutating func handOver(_ generation: Int) { advance(generation, to: .handedOver) }

    /// Marks all entries before a generation as handed over.
    mutating func handOverAll(before generation: Int) {
        for position in handedOver..<max(handedOver, firstPosition(from: generation)) {
            advance(entries[position].payload.generation, to: .handedOver)
        }
    }

    mutating func deploy(_ generation: Int) { advance(generation, to: .deployed) }

    /// Sets the outcome of the entry.
    mutating func setOutcome(_ outcome: UpdateOutcome, of generation: Int) {
        if let position = position(of: generation) { entries[position].outcome = outcome }
    }

    /// Sets the outcome of each submission between two generations, without those of the two.
    mutating func setOutcomes(
        after first: Int,
        before last: Int,
        _ outcome: (Payload) -> UpdateOutcome
    ) {
        for position in positions(after: first, before: last) {
            entries[position].outcome = outcome(entries[position].payload)
            for index in entries[position].merged.indices {
                entries[position].merged[index].outcome = outcome(
                    entries[position].merged[index].payload
                )
            }
        }
    }

    /// Sets the outcome of all entries after one.
    mutating func setOutcome(_ outcome: UpdateOutcome, ofAllAfter generation: Int) {
        guard let position = position(of: generation) else { return }
        for later in (position + 1)..<entries.count {
            entries[later].outcome = outcome
        }
    }

    /// Records that the view has finished an entry, and returns the submissions that can complete
    /// now, in order.
    mutating func finish(_ generation: Int) -> [Entry] {
        advance(generation, to: .finished)
        var completed: [Entry] = []
        while !entries.isEmpty, entries[0].phase == .finished, let first = entries.popFirst() {
            if first.merged.isEmpty { completed.append(first) } else { completed += first.all }
            handedOver -= 1
            deployed -= 1
        }
        return completed
    }

    /// Deploys and finishes every entry from one until before another, and returns the submissions
    /// that can complete now, in order.
    mutating func finishAll(from first: Int, before last: Int) -> [Entry] {
        let generations = positions(after: first - 1, before: last).map {
            entries[$0].payload.generation
        }
        return generations.flatMap { finish($0) }
    }

    /// Removes and returns all submissions.
    mutating func removeAll() -> [Entry] {
        (handedOver, deployed) = (0, 0)
        return entries.removeAll().flatMap(\.all)
    }

    private func firstPosition(from generation: Int) -> Int {
        partitionPoint(entries.count) { entries[$0].payload.generation >= generation }
    }

    private func position(of generation: Int) -> Int? {
        let position = firstPosition(from: generation)
        guard position < entries.count, entries[position].payload.generation == generation else {
            return nil
        }
        return position
    }

    /// Advances an entry to a phase that is at least `handedOver`, unless it is in a later phase
    /// already.
    private mutating func advance(_ generation: Int, to phase: Phase) {
        guard let position = position(of: generation) else { return }
        let before = entries[position].phase
        if before < .handedOver { handedOver += 1 }
        if before < .deployed, phase >= .deployed { deployed += 1 }
        entries[position].phase = max(before, phase)
    }
}
