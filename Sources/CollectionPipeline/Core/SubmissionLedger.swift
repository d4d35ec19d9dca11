import CollectionElements

/// The ledger of accepted sets: how far each has come, and who may complete.
///
/// Entries are kept in the order of acceptance, and found by their generation; what is merged into a later set
/// is no entry of its own any more, but part of that one's. A value without side effects; see ``Delivery``, which
/// decides what it is told.
struct SubmissionLedger<Payload: Deliverable> {
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
        fileprivate(set) var payload: Payload
        var phase: Phase
        var outcome: UpdateOutcome
        /// What reaches the view as part of it, in the order of acceptance, each with how it completes where that does
        /// not follow from this.
        fileprivate(set) var merged: [(payload: Payload, outcome: UpdateOutcome?)] = []
        /// The lowest generation that it stands for.
        var firstGeneration: Int { merged.first?.payload.generation ?? payload.generation }

        /// Each submission that it stands for, as an entry of its own.
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

    /// In the order of acceptance; completed ones leave at the front.
    private var entries = FIFO<Entry>()

    /// How many of the entries are at least handed over, counted from the front; so many are because
    /// the editing lane works in order.
    private var handedOver = 0

    /// The same for deployed ones.
    private var deployed = 0

    /// How many are accepted and not yet deployed.
    var backlog: Int { entries.count - deployed }

    /// How many are accepted and not yet handed over.
    var preparing: Int { entries.count - handedOver }

    /// How many are handed over and not yet deployed.
    var atView: Int { handedOver - deployed }

    var isEmpty: Bool { entries.isEmpty }

    /// The first that is not deployed.
    var nextToDeploy: Payload? { deployed < entries.count ? entries[deployed].payload : nil }

    /// All submissions that are there, in the order of acceptance.
    var all: [Entry] { (0..<entries.count).flatMap { entries[$0].all } }

    /// The first that is there, and the oldest submission that is not handed over.
    var first: Entry? { entries.first }
    var nextToHandOver: Payload? {
        guard handedOver < entries.count else { return nil }
        let next = entries[handedOver]
        return next.merged.first?.payload ?? next.payload
    }

    /// Whether every set up to `generation` was handed over.
    func isHandedOver(through generation: Int) -> Bool {
        preparing == 0 || entries[handedOver].firstGeneration > generation
    }

    /// The one that was accepted last.
    var last: Payload? { entries.last?.payload }

    func entry(_ generation: Int) -> Entry? { position(of: generation).map { entries[$0] } }

    /// What is between two generations, in order, without those of the two, and with what is merged into it.
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

    /// - Parameter outcome: how it completes where nothing happens to it.
    mutating func accept(_ payload: Payload, _ outcome: UpdateOutcome = .deployed) {
        entries.append(Entry(payload: payload, phase: .preparing, outcome: outcome))
    }

    /// Accepts a set that shows what was accepted last as part of it.
    ///
    /// - Parameter outcome: how it completes where nothing happens to it; those that are part of it as superseded by it.
    /// - Complexity: O(1), amortised.
    mutating func merge(into payload: Payload, _ outcome: UpdateOutcome) {
        entries.updateLast { last in
            last.merged.append((last.payload, nil))
            last.payload = payload
            // A view that must load does, whatever comes along.
            if case .deployedByReload = last.outcome {} else { last.outcome = outcome }
        }
    }

    mutating func handOver(_ generation: Int) { advance(generation, to: .handedOver) }

    /// The same for all before an entry.
    mutating func handOverAll(before generation: Int) {
        for position in handedOver..<max(handedOver, firstPosition(from: generation)) {
            advance(entries[position].payload.generation, to: .handedOver)
        }
    }

    mutating func deploy(_ generation: Int) { advance(generation, to: .deployed) }

    /// Decides how the entry will complete.
    mutating func setOutcome(_ outcome: UpdateOutcome, of generation: Int) {
        if let position = position(of: generation) { entries[position].outcome = outcome }
    }

    /// Decides how each submission between two generations will complete, without those of the two.
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

    /// Decides how all entries behind one will complete.
    mutating func setOutcome(_ outcome: UpdateOutcome, ofAllAfter generation: Int) {
        guard let position = position(of: generation) else { return }
        for later in (position + 1)..<entries.count {
            entries[later].outcome = outcome
        }
    }

    /// The view is done with an entry; the submissions that may complete now, in order.
    mutating func finish(_ generation: Int) -> [Entry] {
        advance(generation, to: .finished)
        var completed: [Entry] = []
        while let first = entries.first, first.phase == .finished {
            completed += first.all
            _ = entries.popFirst()
            handedOver -= 1
            deployed -= 1
        }
        return completed
    }

    /// Deploys and finishes every entry from one until before another; the submissions that may complete now, in
    /// order.
    mutating func finishAll(from first: Int, before last: Int) -> [Entry] {
        let generations = positions(after: first - 1, before: last).map {
            entries[$0].payload.generation
        }
        return generations.flatMap { finish($0) }
    }

    /// Every submission that is left; the ledger is then empty.
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

    /// Brings an entry to a phase that is at least handed over, or leaves it where it is further.
    private mutating func advance(_ generation: Int, to phase: Phase) {
        guard let position = position(of: generation) else { return }
        let before = entries[position].phase
        if before < .handedOver { handedOver += 1 }
        if before < .deployed, phase >= .deployed { deployed += 1 }
        entries[position].phase = max(before, phase)
    }
}
