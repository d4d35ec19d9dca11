import CollectionElements

/// What a delivery carries: something accepted, found by the generation of the map that it leads to.
protocol Deliverable {
    /// Ascends in the order of acceptance; numbers of submissions need not, because a batch may stay
    /// open while others are accepted.
    var generation: Int { get }

    /// The number of its submission.
    var id: SubmissionID { get }
}

/// What was accepted and has not completed: where each set is on its way to the view, which comes next,
/// what a reload stands for after the view has rejected something, and who may complete.
///
/// A value: it is told what happened and returns what is to be done. The main lane owns it.
///
/// | an entry is | because | leaves when |
/// |---|---|---|
/// | `preparing` | it was accepted; with a full backlog a later set may take it in, and then stands for it | step 5 takes it: `handedOver` |
/// | `handedOver` | the view has it, or a reload stands for it | the view deploys or drops it: `deployed`; or the reload is deployed: `finished` |
/// | `deployed` | the visible map contains it | the view is done with it: `finished` |
/// | `finished` | the view is done with it, or a reload has shown it | everything before it has completed |
///
/// Whoever was accepted earlier is at least as far, but for `finished`, which a later one may reach first.
struct Delivery<Payload: Deliverable> {
    private(set) var ledger = SubmissionLedger<Payload>()

    /// The reload that stands for what the view rejected, until it is deployed.
    private(set) var recovery: Recovery?

    /// What the view lost and has not had its turn yet, ascending.
    private(set) var losses: [Int] = []

    /// Whether the view is applying an update right now.
    private(set) var isDeploying = false

    /// Whether the view has refused to load what is visible, and nothing was accepted since: it can apply no
    /// edits, so what comes next must be a reload.
    private(set) var needsReload = false

    /// With how many sets the view is full, so that what comes next is held and reaches it as one; nil where each is
    /// given to it when its turn comes.
    let mergeLimit: Int?

    /// The set whose turn came while the view was full.
    private var held: Int?

    /// Up to which generation somebody waits for the hand-over, which holding would keep waiting.
    private var urgent = 0

    init(mergeLimit: Int? = nil) { self.mergeLimit = mergeLimit }

    var isEmpty: Bool { ledger.isEmpty }

    /// How many are accepted and not yet deployed.
    var backlog: Int { ledger.backlog }

    /// Whether accepted sets are not handed over yet.
    var isPreparing: Bool { ledger.preparing > 0 }

    /// The generation of the set that comes next: of the reload, while one is on its way.
    var nextToDeploy: Int? { recovery?.generation ?? ledger.nextToDeploy?.generation }

    /// The set that was accepted last, unless it has completed.
    var lastAccepted: Payload? { ledger.last }

    /// The generation that must be handed over before everything accepted so far is; nil where it is.
    var lastToHandOver: Int? {
        guard isPreparing else { return nil }
        return ledger.last?.generation
    }

    /// What is waited for, by the oldest set each: the view to finish, the view to deploy, the end of step 3.
    var waits: [(wait: PipelineWait, payload: Payload)] {
        var waits: [(PipelineWait, Payload)] = []
        if let first = ledger.first, first.phase == .deployed {
            waits.append((.finishing, first.payload))
        }
        // While a reload is on its way the view has nothing to deploy but that.
        if let generation = nextToDeploy, let entry = ledger.entry(generation),
            entry.phase == .handedOver
        {
            waits.append((.deploying, entry.payload))
        }
        if held == nil, let payload = ledger.nextToHandOver { waits.append((.measuring, payload)) }
        return waits
    }

    /// What everything that was accepted waits for, in its order.
    var allWaits: [(wait: PipelineWait, payload: Payload)] {
        ledger.all.map { entry in
            switch entry.phase {
            case .preparing where entry.payload.generation <= held ?? 0: (.deploying, entry.payload)
            case .preparing: (.measuring, entry.payload)
            case .handedOver where isReplaced(entry.payload.generation): (.reload, entry.payload)
            case .handedOver: (.deploying, entry.payload)
            case .deployed: (.finishing, entry.payload)
            case .finished: (.earlier, entry.payload)
            }
        }
    }

    /// Whether the view was handed every set up to `generation`, or the reload that stands for it.
    func isHandedOver(through generation: Int) -> Bool {
        guard let recovery, isReplaced(generation) else {
            return ledger.isHandedOver(through: generation)
        }
        return ledger.isHandedOver(through: recovery.generation)
    }

    // MARK: Step 1: a set was accepted

    /// Whether the set that is accepted next takes in the one before: as many are on the way as may be, and that
    /// one could not be given to the view yet, so that whoever keeps submitting keeps nothing from being shown.
    var merges: Bool {
        guard let mergeLimit, backlog >= mergeLimit, let last = ledger.last?.generation,
            last > urgent, last != recovery?.generation
        else { return false }
        return isPreparing && (isFull || ledger.preparing > 1)
    }

    /// Whether the view has as many sets as it is to have.
    private var isFull: Bool {
        guard let mergeLimit else { return false }
        return ledger.atView >= mergeLimit
    }

    /// Somebody waits until everything is with the view.
    mutating func hasten() { urgent = ledger.last?.generation ?? urgent }

    /// - Returns: whether it must queue behind others on the editing lane even if nothing of it is to be
    ///   prepared.
    mutating func accepted(
        _ payload: Payload,
        outcome: UpdateOutcome = .deployed
    ) -> Bool {
        needsReload = false
        if merges, payload.generation != recovery?.generation {
            ledger.merge(into: payload, outcome)
            // Behind step 3 of those that are part of it.
            return true
        }
        ledger.accept(payload, outcome)
        return ledger.preparing > 1
    }

    // MARK: Step 5: the view gets a set

    mutating func handedOver(_ generation: Int) -> HandOver {
        // One that was shown without the view comes late.
        guard let entry = ledger.entry(generation), entry.phase < .deployed else { return .gone }
        // What was held is replaced.
        if generation == recovery?.generation { ledger.handOverAll(before: generation) }
        let isReplaced = isReplaced(generation)
        if !isReplaced, isFull, generation > urgent, generation != recovery?.generation {
            held = generation
            return .held
        }
        ledger.handOver(generation)
        return isReplaced ? .replaced : .give(with: entry.merged.map(\.payload))
    }

    /// What was held and has its turn again, now that the view has room or a reload stands for it.
    mutating func released() -> Payload? {
        guard let generation = held else { return nil }
        guard
            ledger.entry(generation) == nil || !isFull || generation <= urgent
                || isReplaced(generation)
        else { return nil }
        held = nil
        return ledger.entry(generation)?.payload
    }

    /// The view is about to show a set. Where it may, it counts as deploying until it is `deployed` or
    /// `rejected`.
    mutating func deploying(_ generation: Int) -> Readiness {
        // Deployed without the view: the reload that stood for it has been shown, and something earlier waits.
        guard let entry = ledger.entry(generation), entry.phase < .deployed,
            !isReplaced(generation)
        else { return .outdated }
        guard nextToDeploy == generation else {
            return .early(expected: nextToDeploy.flatMap { ledger.entry($0)?.payload })
        }
        isDeploying = true
        // While a reload is on its way, nothing but that is next.
        guard let recovery else {
            return .ready(entry.payload, standingFor: entry.merged.map(\.payload))
        }
        // The rejected one's models are shown already.
        let replaced = ledger.payloads(after: recovery.rejected, before: generation)
        return .ready(entry.payload, standingFor: replaced)
    }

    /// The view shows a set.
    ///
    /// - Returns: what completes by that, in order: what the set stands for. Where the view is not done yet with
    ///   something that it showed before the rejection, they wait for that, as any set does.
    mutating func deployed(_ generation: Int) -> [SubmissionLedger<Payload>.Entry] {
        isDeploying = false
        defer { ledger.deploy(generation) }
        guard let recovery else { return [] }
        self.recovery = nil
        return ledger.finishAll(from: recovery.first, before: generation)
    }

    /// The view could not show a set that it was about to: a reload, which the caller is to make and accept
    /// next, stands for it and for everything behind it, which the view can no longer apply. For a reload that
    /// was refused, and is deployed by that, it does not stand.
    mutating func rejected(
        _ generation: Int,
        reload: SubmissionID,
        reloadGeneration: Int
    ) {
        isDeploying = false
        let entry = ledger.entry(generation)
        let isRefused = entry.map { $0.phase >= .deployed } ?? true
        if !isRefused { ledger.setOutcome(.deployedByReload, of: generation) }
        ledger.setOutcome(.superseded(by: reload), ofAllAfter: generation)
        recovery = Recovery(
            generation: reloadGeneration,
            first: isRefused ? generation + 1 : entry?.firstGeneration ?? generation,
            rejected: generation
        )
    }

    /// The view could not show a reload that it was about to, for which there is nothing else: how that and what
    /// it stands for end, once they have deployed.
    mutating func refused(_ generation: Int, _ outcome: (Payload) -> UpdateOutcome) {
        needsReload = true
        let first = recovery?.first ?? generation
        ledger.setOutcomes(after: first - 1, before: generation + 1, outcome)
    }

    /// The view is done with a set, animations included.
    ///
    /// - Returns: what completes by that, in order. What a reload stands for completes with the reload.
    mutating func finished(_ generation: Int) -> [SubmissionLedger<Payload>.Entry] {
        isReplaced(generation) ? [] : ledger.finish(generation)
    }

    // MARK: The view lost a set

    /// The view dropped these without finishing them.
    mutating func lost(_ generations: [Int]) {
        guard !generations.isEmpty else { return }
        losses = (losses + generations).sorted()
    }

    /// The first of those that the view lost for which something is to be done: it is finished, and before
    /// that deployed without the view if it has not been. One whose turn has not come stays, behind an update that
    /// the view still has, or behind the reload that stands for it.
    mutating func nextLoss() -> (payload: Payload, isDeployed: Bool)? {
        var position = 0
        while position < losses.count {
            guard let entry = ledger.entry(losses[position]) else {
                // Completed by a reload, or cancelled.
                losses.remove(at: position)
                continue
            }
            let isDeployed = entry.phase >= .deployed
            if isDeployed || nextToDeploy == losses[position] {
                losses.remove(at: position)
                return (entry.payload, isDeployed)
            }
            position += 1
        }
        return nil
    }

    // MARK: The end

    /// Nothing more is shown.
    ///
    /// - Returns: what is left, in order, with what it completes with.
    mutating func cancelled() -> [SubmissionLedger<Payload>.Entry] {
        (recovery, losses) = (nil, [])
        var entries = ledger.removeAll()
        for index in entries.indices where entries[index].phase < .deployed {
            entries[index].outcome = .cancelled
        }
        return entries
    }

    /// Whether a reload that is on its way stands for the set.
    private func isReplaced(_ generation: Int) -> Bool {
        guard let recovery else { return false }
        // What came before the rejected one is shown already, and waits for nothing but the view.
        return recovery.first <= generation && generation < recovery.generation
    }
}

// What a delivery keeps of a reload, and what it answers.

extension Delivery {
    /// A reload that stands for sets which the view rejected or can no longer apply.
    struct Recovery {
        let generation: Int
        /// The first set that it stands for: the rejected one, or the one behind a reload that was refused.
        let first: Int
        /// The generation of the rejected set, whose models reached their nodes before the rejection.
        let rejected: Int
    }

    /// What to do with a set whose turn has come.
    enum HandOver {
        /// Nothing: a close has cancelled it in the meantime, or it is part of a later set.
        case gone
        /// Nothing: the reload that is on its way shows it as well.
        case replaced
        /// Nothing yet: the view is full.
        case held
        /// The view, or who stands for it, is given it, as one with those that are part of it.
        case give(with: [Payload])
    }

    /// Whether the view may show a set that it was given.
    enum Readiness {
        /// It may not: closed, or replaced by a reload, shown already or not, in the meantime. The view drops it.
        case outdated
        /// Another comes first, which is a mistake of the view's.
        case early(expected: Payload?)
        /// It may, and with it everything that it stands for: their models reach their nodes, in order, its
        /// own last.
        case ready(Payload, standingFor: [Payload])
    }
}
