import CollectionPipeline
import PipelineTesting

/// A simulated run as a value: equal plans give equal runs.
///
/// The submissions and the schedule come from two seeds. Removing an action, as shrinking does,
/// therefore changes neither the other actions nor the way choices are made.
package struct RunPlan: Hashable, Sendable, Codable {
    /// The seed of the choices.
    package var seed: UInt64
    package var strategy: SchedulingStrategy
    package var workerCount: Int
    package var backlogLimit: Int
    package var rejectsWhenFull: Bool
    /// Whether change sets reach the view merged if the backlog is full; the pipeline then accepts
    /// every submission.
    package var mergesWhenFull: Bool
    package var reloadsOnRejection: Bool
    package var decomposesMoves: Bool
    /// Whether a layout measures instead of the pipeline.
    package var hasLayout: Bool
    /// Whether that layout is the view's own, prepared by workers; `nil` means no.
    package var preparesLayout: Bool?
    /// Whether the model provides items by ranges.
    package var givesRanges: Bool
    /// Whether everything is loaded and shown before the clients begin.
    package var loadsFirst: Bool
    package var sections: Int
    package var items: Int
    /// The actions of each client, in order.
    package var clients: [[Action]]
    package var faults: [Fault]
    /// The number of the only place in the run, counted in order, where a fault happens; `nil` for
    /// faults by chance.
    package var onlyFault: Int?
    /// The time after which a wait is reported as stalled; `nil` for never.
    package var stallMicroseconds: Int?
    /// The elements that are measured after they are shown; `nil` for none.
    package var measuring: Measuring?
    /// Whether nodes that have left all ranges are released; `nil` means no.
    package var releasesNodes: Bool?
    /// The simulated view that shows the run; `nil` for a faulty view that shows nothing.
    package var view: ViewPlan?
    /// The members of a cluster, if the run simulates a cluster instead of a pipeline.
    package var cluster: ClusterPlan?

    /// A fault that may happen, with its probability at each place where it could.
    package struct Fault: Hashable, Sendable, Codable {
        package let point: FaultPoint
        package let rate: Double

        package init(point: FaultPoint, rate: Double) {
            self.point = point
            self.rate = rate
        }
    }

    /// The number of elements that are measured with a change set, and whether the others are
    /// measured only on demand.
    package struct Measuring: Hashable, Sendable, Codable {
        package let first: Int
        package let isOnDemand: Bool

        package init(first: Int, isOnDemand: Bool) {
            (self.first, self.isOnDemand) = (first, isOnDemand)
        }

        var policy: PipelineConfiguration.MeasuringPolicy {
            isOnDemand ? .onDemand(initialCount: first) : .progressive(initialCount: first)
        }
    }

    /// An action of a client.
    package enum Action: Hashable, Sendable, Codable {
        /// Random edits of all kinds.
        case edit(UInt64)
        /// Changes of the model that differ from the recorded edits.
        case lie(UInt64)
        /// A batch whose closure throws.
        case fail
        /// A single edit on the main lane.
        case insertAtTop
        case reload
        case relayoutAll
        case relayoutFirst
        /// Relayouts some items of the newest map, which may be removed before then.
        case relayoutSome(UInt64)
        /// A batch that contains other batches; one of these may throw.
        case nested(UInt64)
        case traits(Int)
        /// Waits until the view has received everything submitted so far.
        case wait
        /// The same on the main lane, which performs the pending work during the wait.
        case waitOnMain
        /// Requests callbacks for the time when nothing is in flight.
        case askWhenDone
        /// Shows nothing, regardless of the model.
        case clear
        /// Waits for the node of an existing item.
        case waitForNode(UInt64)
        /// Replaces a section by one with new items.
        case reloadSection(UInt64)
        /// Changes the content of items and throws, and then submits an empty set, which the counts
        /// allow.
        case changeAndThrow(UInt64)
        /// A call in a task.
        case task(TaskCall)
        case close(draining: Bool, microseconds: Int?)
        /// Disturbs the journal of the second list; the list has a journal only if such an action
        /// exists.
        case journal(UInt64)
        /// Actions of readers of the second list; the list is published only if such an action
        /// exists.
        case readers(UInt64)
        /// A reader of the second list leaves, or one that left reconnects with its replica.
        case returns(UInt64)
        /// Some nodes request another size.
        case grow(UInt64)
        /// An action of a user on a simulated view.
        case view(ViewAction)
        /// An event in a cluster, in the run of one.
        case cluster(ClusterAction)
    }

    /// A call that a task awaits; it may be cancelled meanwhile.
    package enum TaskCall: Hashable, Sendable, Codable {
        case edit(UInt64)
        /// Submits a record that was made off the main lane, against the newest accepted map of
        /// that time.
        case record(UInt64)
        /// Submits such an update, rebased to the newest map.
        case rebase(UInt64)
        /// Edits in one client's undo history.
        case own(UInt64)
        /// Two such edits that are undone as one.
        case group(UInt64)
        case undo
        case redo
        /// Applies a state to a second list, which computes the edits.
        case apply(UInt64)
        case reload
        case relayoutAll
        case relayoutFirst
        case node(UInt64)
        case handedOver
        case readModel
    }

    /// Draws a plan with its sizes, rates, policies and strategy: sometimes many, sometimes few,
    /// sometimes none.
    package init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = random.next()
        strategy = .drawn(from: &random)
        workerCount = 1 + random.next(below: 4)
        backlogLimit = random.isTrue(oneIn: 4) ? 1 : 1 + random.next(below: 12)
        rejectsWhenFull = random.isTrue(oneIn: 4)
        mergesWhenFull = false
        reloadsOnRejection = random.isTrue(oneIn: 2)
        decomposesMoves = random.isTrue(oneIn: 4)
        hasLayout = random.isTrue(oneIn: 3)
        givesRanges = random.isTrue(oneIn: 3)
        loadsFirst = !random.isTrue(oneIn: 3)
        sections = random.next(below: 5)
        items = [0, 1, 3, 8][random.next(below: 4)]
        faults = FaultPoint.all.filter { $0 != .viewStalls }.compactMap { point in
            // Each fault is possible in a quarter of the runs, as in FoundationDB; every other
            // fault can happen during a call that takes long.
            random.isTrue(oneIn: point == .callTakesLong ? 2 : 4)
                ? Fault(point: point, rate: Self.rate(of: point, &random)) : nil
        }
        let closes = random.isTrue(oneIn: 3)
        let mix = ActionMix(&random)
        clients = []
        for _ in 0..<(1 + random.next(below: 4)) {
            let count = 1 + random.next(below: 6)
            clients.append((0..<count).map { _ in mix.action(&random) })
        }
        if closes {
            clients.append([
                .close(
                    draining: random.isTrue(oneIn: 2),
                    microseconds: random.isTrue(oneIn: 2) ? random.next(below: 50) : nil
                )
            ])
        }
        drawRarities(seed: seed)
    }

    /// Rates are rare or common, so that some runs have enough faults for failures that need two in
    /// a row.
    private static func rate(of point: FaultPoint, _ random: inout SeededGenerator) -> Double {
        let isCommon = random.isTrue(oneIn: 3)
        return switch point {
        case .viewIsBusy: 0.25
        case .callTakesLong: isCommon ? 0.1 : 0.02
        case .viewRefuses, .viewDropsUpdate, .viewDropsLater: isCommon ? 0.4 : 0.1
        case .taskIsCancelled: isCommon ? 0.5 : 0.2
        case .controllerGoesAway: 0.03
        case .providerThrows, .measurementThrows, .layoutThrows, .updatesThrow:
            isCommon ? 0.4 : 0.05
        default: 0.05
        }
    }

    /// Whether a client requests nodes, which can be newer than the shown content.
    var requestsNodes: Bool {
        clients.joined().contains { action in
            switch action {
            case .waitForNode, .task(.node): true
            default: false
            }
        }
    }

    /// Whether the second list has a journal.
    var hasJournal: Bool {
        clients.joined().contains { action in
            if case .journal = action { true } else { false }
        }
    }

    /// Whether the second list is published.
    var hasReaders: Bool {
        clients.joined().contains { action in
            switch action {
            case .readers, .returns: true
            default: false
            }
        }
    }

    /// The number of actions that wait for the hand-over of all accepted sets.
    var handOverWaits: Int {
        clients.joined().count { action in
            switch action {
            case .wait, .waitOnMain, .askWhenDone, .task(.handedOver): true
            default: false
            }
        }
    }

    /// The total number of actions.
    package var actionCount: Int { clients.reduce(0) { $0 + $1.count } }
}

extension FaultPoint {
    /// The highest rate of the fault. With a view that is busy more often, a run takes as many
    /// steps as one that never ends.
    var highestRate: Double { self == .viewIsBusy ? 0.9 : 1 }
}

extension RunPlan {
    /// The reason why a decoded plan cannot run, or `nil`.
    package var problem: String? {
        if !(1...64).contains(workerCount) { return "workerCount is \(workerCount), not 1 to 64" }
        if !(0...100).contains(sections) { return "sections is \(sections), not 0 to 100" }
        if !(0...1000).contains(items) { return "items is \(items), not 0 to 1000" }
        if !(1...1_000_000).contains(backlogLimit) {
            return "backlogLimit is \(backlogLimit), not 1 to 1000000"
        }
        if clients.count > 64 || actionCount > 10_000 { return "there is too much to do" }
        if faults.contains(where: { !(0...1).contains($0.rate) }) { return "a rate is not 0 to 1" }
        if let often = faults.first(where: { $0.rate > $0.point.highestRate }) {
            return
                "\(often.point.rawValue) has a rate of \(often.rate), not at most \(often.point.highestRate)"
        }
        if let microseconds = stallMicroseconds, !(1...1_000_000_000).contains(microseconds) {
            return "stallMicroseconds is \(microseconds), not 1 to 1000000000"
        }
        switch strategy {
        case .sticky(let rate) where !(0...1).contains(rate): return "a rate is not 0 to 1"
        case .prioritized(let count), .delayBounded(let count):
            if !(0...1000).contains(count) { return "the strategy counts \(count)" }
        default: break
        }
        for case .close(_, let microseconds?) in clients.joined() where microseconds < 0 {
            return "a close has a deadline of \(microseconds)"
        }
        return cluster?.problem ?? viewProblem
    }
}
