import CollectionPipeline
import PipelineTesting

/// Everything that a simulated run is made of, as a value: the same plan gives the same run.
///
/// What is submitted and how it is scheduled come from two seeds, so that leaving out an action, as shrinking
/// does, changes neither the other actions nor how choices are made.
package struct RunPlan: Hashable, Sendable, Codable {
    /// Of the choices.
    package var seed: UInt64
    package var strategy: SchedulingStrategy
    package var workerCount: Int
    package var backlogLimit: Int
    package var rejectsWhenFull: Bool
    /// Whether sets reach the view together when the backlog is full; whoever comes is accepted then.
    package var mergesWhenFull: Bool
    package var reloadsOnRejection: Bool
    package var decomposesMoves: Bool
    /// Whether a layout measures, in place of the pipeline.
    package var hasLayout: Bool
    /// Whether that layout is the view's own, laid out beforehand; nil for no.
    package var preparesLayout: Bool?
    /// Whether the model is asked for items by the range.
    package var givesRanges: Bool
    /// Whether everything is loaded and shown before clients begin.
    package var loadsFirst: Bool
    package var sections: Int
    package var items: Int
    /// What each client does, one after the other.
    package var clients: [[Action]]
    package var faults: [Fault]
    /// Of all places in the run where a fault could happen, in their order: the one where it does, and then
    /// nowhere else; nil for chances.
    package var onlyFault: Int?
    /// After how long a wait is told of as stalled; nil for never.
    package var stallMicroseconds: Int?
    /// What is measured later than it is shown; nil for nothing.
    package var measuring: Measuring?
    /// Whether nodes are released that have left all ranges; nil for no.
    package var releasesNodes: Bool?
    /// The simulated view that shows the run; nil for one that is faulty, and shows nothing.
    package var view: ViewPlan?
    /// The members of a cluster, which the run is of in place of a pipeline; nil for a pipeline.
    package var cluster: ClusterPlan?

    /// A fault that may happen, with its probability wherever it could.
    package struct Fault: Hashable, Sendable, Codable {
        package let point: FaultPoint
        package let rate: Double

        package init(point: FaultPoint, rate: Double) {
            self.point = point
            self.rate = rate
        }
    }

    /// How many elements are measured with a change set, and whether the others are at all.
    package struct Measuring: Hashable, Sendable, Codable {
        package let first: Int
        package let isOnDemand: Bool

        package init(first: Int, isOnDemand: Bool) {
            (self.first, self.isOnDemand) = (first, isOnDemand)
        }

        var policy: PipelineConfiguration.MeasuringPolicy {
            isOnDemand ? .onDemand(first) : .nearestFirst(first)
        }
    }

    /// Something that a client does.
    package enum Action: Hashable, Sendable, Codable {
        /// Random edits of all kinds.
        case edit(UInt64)
        /// Changes that are not what is recorded.
        case lie(UInt64)
        /// A closure that throws.
        case fail
        /// A single edit on the main lane.
        case insertAtTop
        case reload
        case relayoutAll
        case relayoutFirst
        /// Some items that are there, and may be gone by then.
        case relayoutSome(UInt64)
        /// A batch within a batch, one of which may throw.
        case nested(UInt64)
        case traits(Int)
        /// Waits until everything so far is with the view.
        case wait
        /// The same on the main lane, which does the work meanwhile.
        case waitOnMain
        /// Asks to be told when nothing is on its way any more.
        case askWhenDone
        /// Shows nothing, whatever the model has.
        case clear
        /// Waits for the node of some item that is there.
        case waitForNode(UInt64)
        /// Replaces a section by one with other items.
        case reloadSection(UInt64)
        /// Changes what items show and throws, and then submits a set of no edits, which the counts allow.
        case changeAndThrow(UInt64)
        /// What a task does.
        case task(TaskCall)
        case close(draining: Bool, microseconds: Int?)
        /// Something happens to the journal of the second list, which has one then.
        case journal(UInt64)
        /// Readers of the second list do something; it is published then.
        case readers(UInt64)
        /// A reader of the second list leaves, or one that left comes back with what it had.
        case returns(UInt64)
        /// Some nodes want another size, and say so.
        case grow(UInt64)
        /// Something that a user does to a simulated view.
        case view(ViewAction)
        /// Something that happens to a cluster, in the run of one.
        case cluster(ClusterAction)
    }

    /// What a task waits for; it may be cancelled meanwhile.
    package enum TaskCall: Hashable, Sendable, Codable {
        case edit(UInt64)
        /// A record that was made elsewhere, against what was accepted last by then.
        case record(UInt64)
        /// An update that was made so, and is brought to what is newest by then.
        case rebase(UInt64)
        /// Edits of one client's own, which it may take back.
        case own(UInt64)
        /// Two of those that are taken back as one.
        case group(UInt64)
        case undo
        case redo
        /// A state of a second list, which finds the edits itself.
        case apply(UInt64)
        case reload
        case relayoutAll
        case relayoutFirst
        case node(UInt64)
        case handedOver
        case readModel
    }

    /// A plan in which sizes, rates, policies and strategy are drawn too: now many, now few, now none.
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
            // Each is possible in a quarter of the runs, as in FoundationDB's; calls that take long are what
            // every other fault may fall into.
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

    /// Now rare, now common: what needs two faults in a row is met in runs full of them.
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

    /// Whether somebody asks for nodes, which may be ahead of what is shown.
    var asksForNodes: Bool {
        clients.joined().contains { action in
            switch action {
            case .waitForNode, .task(.node): true
            default: false
            }
        }
    }

    /// Whether the second list keeps a journal.
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

    /// How often somebody waits for the hand-over of what there is.
    var handOverWaits: Int {
        clients.joined().count { action in
            switch action {
            case .wait, .waitOnMain, .askWhenDone, .task(.handedOver): true
            default: false
            }
        }
    }

    /// How many actions there are.
    package var actionCount: Int { clients.reduce(0) { $0 + $1.count } }
}

extension FaultPoint {
    /// How often it may happen: where a view is busy more often, a run takes as many steps as only one does that never
    /// ends.
    var highestRate: Double { self == .viewIsBusy ? 0.9 : 1 }
}

extension RunPlan {
    /// Why a plan from outside cannot be run; nil if it can.
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
