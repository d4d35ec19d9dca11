import CollectionElements

/// The ledger of accepted sets: how far each has come, and who may complete.
///
/// Entries are kept in the order of acceptance, and found by their generation. A value without side
/// effects; see ``Delivery``, which decides what it is told.
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
        let payload: Payload
        var phase: Phase
        var outcome: UpdateOutcome
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

    var isEmpty: Bool { entries.isEmpty }

    /// The first that is not deployed.
    var nextToDeploy: Payload? {
        deployed < entries.count ? entries[deployed].payload : nil
    }

    /// All that are there, in the order of acceptance.
    var all: [Entry] { (0..<entries.count).map { entries[$0] } }

    /// The first that is there, and the first that is not handed over.
    var first: Entry? { entries.first }
    var nextToHandOver: Payload? {
        handedOver < entries.count ? entries[handedOver].payload : nil
    }

    /// Whether every set up to `generation` was handed over.
    func isHandedOver(through generation: Int) -> Bool {
        preparing == 0 || entries[handedOver].payload.generation > generation
    }

    /// The one that was accepted last.
    var last: Payload? { entries.last?.payload }

    func entry(_ generation: Int) -> Entry? { position(of: generation).map { entries[$0] } }

    /// What is between two generations, in order, without those of the two.
    func payloads(after first: Int, before last: Int) -> [Payload] {
        (0..<entries.count).map { entries[$0].payload }.filter {
            $0.generation > first && $0.generation < last
        }
    }

    /// - Parameter outcome: how it completes where nothing happens to it.
    mutating func accept(_ payload: Payload, _ outcome: UpdateOutcome = .deployed) {
        entries.append(Entry(payload: payload, phase: .preparing, outcome: outcome))
    }

    mutating func handOver(_ generation: Int) { advance(generation, to: .handedOver) }

    mutating func deploy(_ generation: Int) { advance(generation, to: .deployed) }

    /// Decides how the entry will complete.
    mutating func setOutcome(_ outcome: UpdateOutcome, of generation: Int) {
        if let position = position(of: generation) { entries[position].outcome = outcome }
    }

    /// Decides how all entries behind one will complete.
    mutating func setOutcome(_ outcome: UpdateOutcome, ofAllAfter generation: Int) {
        guard let position = position(of: generation) else { return }
        for later in (position + 1)..<entries.count {
            entries[later].outcome = outcome
        }
    }

    /// The view is done with an entry; those that may complete now, in order.
    mutating func finish(_ generation: Int) -> [Entry] {
        advance(generation, to: .finished)
        var completed: [Entry] = []
        while let first = entries.first, first.phase == .finished {
            completed.append(first)
            _ = entries.popFirst()
            handedOver -= 1
            deployed -= 1
        }
        return completed
    }

    /// Deploys and finishes every entry from one until before another; those that may complete now, in order.
    mutating func finishAll(from first: Int, before last: Int) -> [Entry] {
        payloads(after: first - 1, before: last).flatMap { finish($0.generation) }
    }

    /// Everything that is left; the ledger is then empty.
    mutating func removeAll() -> [Entry] {
        (handedOver, deployed) = (0, 0)
        return entries.removeAll()
    }

    private func position(of generation: Int) -> Int? {
        let position = partitionPoint(entries.count) {
            entries[$0].payload.generation >= generation
        }
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
