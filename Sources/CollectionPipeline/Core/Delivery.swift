/// An accepted change set in a delivery, identified by the generation of the map that it leads to.
protocol Deliverable {
    /// The generation, which ascends in the order of acceptance. The numbers of submissions may
    /// not, because a batch may stay open while others are accepted.
    var generation: Int { get }

    /// The number of the change set's submission.
    var id: SubmissionID { get }
}

/// The accepted change sets that have not completed: the progress of each towards the view, the
/// next one to deploy, the change sets that a reload replaces after a refusal, and the ones that
/// can complete.
///
/// A value that receives events and returns actions. The main lane owns it.
///
/// | an entry is | because | leaves this phase when |
/// |---|---|---|
/// | `preparing` | it was accepted; with a full backlog a later change set may include it | step 5 begins: `handedOver` |
/// | `handedOver` | the view has received it, or a reload replaces it | the view deploys or drops it: `deployed`; or the reload is deployed: `finished` |
/// | `deployed` | the visible map contains it | the view has finished it: `finished` |
/// | `finished` | the view has finished it, or a reload has shown it | all earlier entries have completed |
///
/// An earlier entry is at least as far as a later one, except that a later one may be `finished`
/// first.
struct Delivery<Payload: Deliverable> {
    private(set) var ledger = SubmissionLedger<Payload>()

    /// The reload that replaces refused change sets, until it is deployed.
    private(set) var recovery: Recovery?

    /// The generations that the view dropped and that have not been handled yet, ascending.
    private(set) var losses: [Int] = []

    /// Whether the view is applying an update.
    private(set) var isDeploying = false

    /// Whether the view has refused to load the visible map, and nothing has been accepted since
    /// then. It cannot apply edits, so the next update must be a reload.
    private(set) var needsReload = false

    /// The number of change sets at which the view is full, so that the following ones are held and
    /// reach it as one; `nil` if each change set is passed to the view in its turn.
    let mergeLimit: Int?

    /// The generation of the change set that became ready while the view was full.
    private var held: Int?

    /// Whether a change set is held.
    var isHolding: Bool { held != nil }

    /// The generation up to which a caller waits for the hand-over, so that these change sets are
    /// not held.
    private var urgent = 0

    init(mergeLimit: Int? = nil) { self.mergeLimit = mergeLimit }

    var isEmpty: Bool { ledger.isEmpty }

    /// The number of change sets that are accepted and not yet deployed.
    var backlog: Int { ledger.backlog }

    /// Whether accepted change sets have not been handed over yet.
    var isPreparing: Bool { ledger.preparing > 0 }

    /// The generation of the change set that deploys next: that of the reload while one is on its
    /// way.
    var nextToDeploy: Int? { recovery?.generation ?? ledger.nextToDeploy?.generation }

    /// The change set that was accepted last, unless it has completed.
    var lastAccepted: Payload? { ledger.last }

    /// The generation that must be handed over so that everything accepted is; `nil` if everything
    /// is handed over.
    var lastToHandOver: Int? {
        guard isPreparing else { return nil }
        return ledger.last?.generation
    }

    /// The current waits, each with its oldest change set: for the view to finish, for the view to
    /// deploy, and for the end of step 3.
    var waits: [(wait: PipelineWait, payload: Payload)] {
        var waits: [(PipelineWait, Payload)] = []
        if let first = ledger.first, first.phase == .deployed {
            waits.append((.finishing, first.payload))
        }
        // While a reload is pending, the view has nothing else to deploy.
        if let generation = nextToDeploy, let entry = ledger.entry(generation),
            entry.phase == .handedOver
        {
            waits.append((.deploying, entry.payload))
        }
        if held == nil, let payload = ledger.nextToHandOver { waits.append((.measuring, payload)) }
        return waits
    }

    /// The wait of every accepted change set, in the order of acceptance.
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

    /// Returns whether the view has received every change set up to `generation`, or the reload
    /// that replaces it.
    func isHandedOver(through generation: Int) -> Bool {
        guard let recovery, isReplaced(generation) else {
            return ledger.isHandedOver(through: generation)
        }
        return ledger.isHandedOver(through: recovery.generation)
    }

    // MARK: Step 1: a change set was accepted

    /// Whether the next accepted change set includes the previous one. That is the case if the
    /// backlog is full and the previous one could not be passed to the view yet, so that continuous
    /// submissions do not prevent updates from being shown.
    var merges: Bool {
        guard let mergeLimit, backlog >= mergeLimit, let last = ledger.last?.generation,
            last > urgent, last != recovery?.generation
        else { return false }
        return isPreparing && (isFull || ledger.preparing > 1)
    }

    /// Whether the view has the maximum number of change sets.
    private var isFull: Bool {
        guard let mergeLimit else { return false }
        return ledger.atView >= mergeLimit
    }

    /// Stops holding change sets back, because a caller waits until everything is handed over.
    mutating func hasten() { urgent = ledger.last?.generation ?? urgent }

    /// Adds an accepted change set.
    ///
    /// - Parameters:
    ///   - payload: The change set.
    ///   - outcome: Its outcome, unless another outcome is set later.
    /// - Returns: Whether the change set must wait for earlier ones on the editing lane even if it
    ///   has nothing to prepare.
    mutating func accepted(
        _ payload: Payload,
        outcome: UpdateOutcome = .deployed
    ) -> Bool {
        needsReload = false
        if merges, payload.generation != recovery?.generation {
            ledger.merge(into: payload, outcome)
            // It follows step 3 of the change sets that are merged into it.
            return true
        }
        ledger.accept(payload, outcome)
        return ledger.preparing > 1
    }

    // MARK: Step 5: the view receives a change set

    mutating func handedOver(_ generation: Int) -> HandOver {
        // A change set that was deployed without the view arrives late.
        guard let entry = ledger.entry(generation), entry.phase < .deployed else { return .gone }
        // The reload replaces held change sets.
        if generation == recovery?.generation { ledger.handOverAll(before: generation) }
        let isReplaced = isReplaced(generation)
        if !isReplaced, isFull, generation > urgent, generation != recovery?.generation {
            held = generation
            return .held
        }
        ledger.handOver(generation)
        return isReplaced ? .replaced : .give(with: entry.merged.map(\.payload))
    }

    /// Returns the held change set if it can now proceed, because the view has capacity or a reload
    /// replaces it.
    mutating func released() -> Payload? {
        guard let generation = held else { return nil }
        guard
            ledger.entry(generation) == nil || !isFull || generation <= urgent
                || isReplaced(generation)
        else { return nil }
        held = nil
        return ledger.entry(generation)?.payload
    }

    /// Returns whether the view may show a change set. If so, the change set counts as deploying
    /// until `deployed` or `rejected` is called.
    mutating func deploying(_ generation: Int) -> Readiness {
        // It may have been deployed without the view: the reload that replaced it has been shown,
        // and an earlier one waits.
        guard let entry = ledger.entry(generation), entry.phase < .deployed,
            !isReplaced(generation)
        else { return .outdated }
        guard nextToDeploy == generation else {
            return .early(expected: nextToDeploy.flatMap { ledger.entry($0)?.payload })
        }
        isDeploying = true
        // While a reload is pending, nothing else can be next.
        guard let recovery else {
            return .ready(entry.payload, standingFor: entry.merged.map(\.payload))
        }
        // The models of the refused change set are already shown.
        let replaced = ledger.payloads(after: recovery.rejected, before: generation)
        return .ready(entry.payload, standingFor: replaced)
    }

    /// Records that the view shows a change set.
    ///
    /// - Returns: The submissions that complete as a result, in order: those that the change set
    ///   replaces. If the view has not finished an update that it showed before the refusal, they
    ///   wait for it, like any change set.
    mutating func deployed(_ generation: Int) -> [SubmissionLedger<Payload>.Entry] {
        isDeploying = false
        defer { ledger.deploy(generation) }
        guard let recovery else { return [] }
        self.recovery = nil
        return ledger.finishAll(from: recovery.first, before: generation)
    }

    /// Records that the view could not show a change set. The caller next creates and accepts a
    /// reload. It replaces this change set and all later ones, which the view can no longer apply.
    /// If the refused change set is itself a reload, it counts as deployed and is not replaced.
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

    /// Sets the outcome of a refused reload, and of the change sets that it replaces, for the time
    /// when they have deployed. The view cannot show them in any other form.
    mutating func refused(_ generation: Int, _ outcome: (Payload) -> UpdateOutcome) {
        needsReload = true
        let first = recovery?.first ?? generation
        ledger.setOutcomes(after: first - 1, before: generation + 1, outcome)
    }

    /// Records that the view has finished a change set, including animations.
    ///
    /// - Returns: The submissions that complete as a result, in order. Change sets that a reload
    ///   replaces complete with the reload.
    mutating func finished(_ generation: Int) -> [SubmissionLedger<Payload>.Entry] {
        isReplaced(generation) ? [] : ledger.finish(generation)
    }

    // MARK: Updates that the view dropped

    /// Records that the view dropped change sets without finishing them.
    mutating func lost(_ generations: [Int]) {
        guard !generations.isEmpty else { return }
        losses = (losses + generations).sorted()
    }

    /// Returns the first dropped change set that can be handled. The caller deploys it without the
    /// view if necessary, and then finishes it. A dropped change set stays in the list while an
    /// earlier update is still with the view, or while a reload that replaces it is pending.
    mutating func nextLoss() -> (payload: Payload, isDeployed: Bool)? {
        var position = 0
        while position < losses.count {
            guard let entry = ledger.entry(losses[position]) else {
                // A reload completed the change set, or it was cancelled.
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

    /// Cancels all change sets, because nothing more is shown.
    ///
    /// - Returns: The remaining submissions with their outcomes, in order.
    mutating func cancelled() -> [SubmissionLedger<Payload>.Entry] {
        (recovery, losses) = (nil, [])
        var entries = ledger.removeAll()
        for index in entries.indices where entries[index].phase < .deployed {
            entries[index].outcome = .cancelled
        }
        return entries
    }

    /// Returns whether a pending reload replaces the change set.
    private func isReplaced(_ generation: Int) -> Bool {
        guard let recovery else { return false }
        // Change sets before the refused one are already shown, and wait only for the view.
        return recovery.first <= generation && generation < recovery.generation
    }
}

// The state of a recovery, and the results of a delivery.

extension Delivery {
    /// A reload that replaces change sets that the view refused or can no longer apply.
    struct Recovery {
        let generation: Int
        /// The first generation that the reload replaces: the refused one, or the one after a
        /// refused reload.
        let first: Int
        /// The generation of the refused change set, whose models reached their nodes before the
        /// refusal.
        let rejected: Int
    }

    /// The action for a change set that is ready for the view.
    enum HandOver {
        /// No action: a close has cancelled it in the meantime, or it was merged into a later
        /// change set.
        case gone
        /// No action: the pending reload also shows the change set.
        case replaced
        /// No action yet: the view is full.
        case held
        /// Pass the change set to the view, together with the change sets merged into it, as one
        /// update. If there is no view, deploy that update.
        case give(with: [Payload])
    }

    /// Whether the view may show a change set that it received.
    enum Readiness {
        /// No: the controller closed, or a reload has replaced the change set. The view drops it.
        case outdated
        /// Another change set must be deployed first; the view made a mistake.
        case early(expected: Payload?)
        /// Yes, together with all change sets that it replaces. Their models reach their nodes in
        /// order, followed by the models of this change set.
        case ready(Payload, standingFor: [Payload])
    }
}
