import PipelineTesting

/// The weights of a run's actions. Every run leaves some kinds of actions out and has more of
/// others, so that rare pairs are frequent in some runs instead of rare in all.
///
/// Source: swarm testing (Groce et al. 2012).
struct ActionMix {
    private enum Kind: CaseIterable {
        case edit
        case lie
        case fail
        case insertAtTop
        case reload
        case relayoutAll
        case relayoutFirst
        case relayoutSome
        case nested
        case traits
        case wait
        case waitOnMain
        case askWhenDone
        case clear
        case waitForNode
        case taskEdit
        case taskRecord
        case taskRebase
        case taskHistory
        case taskApply
        case taskOther
    }

    /// Every kind, repeated as often as its weight.
    private let kinds: [Kind]

    init(_ random: inout SeededGenerator) {
        kinds = Kind.allCases.flatMap { kind in
            // Without edits a run has little to do.
            let least = kind == .edit ? 2 : 0
            return Array(repeating: kind, count: least + [0, 1, 4][random.next(below: 3)])
        }
    }

    func action(_ random: inout SeededGenerator) -> RunPlan.Action {
        switch kinds[random.next(below: kinds.count)] {
        case .edit: .edit(random.next())
        case .lie: .lie(random.next())
        case .fail: .fail
        case .insertAtTop: .insertAtTop
        case .reload: .reload
        case .relayoutAll: .relayoutAll
        case .relayoutFirst: .relayoutFirst
        case .relayoutSome: .relayoutSome(random.next())
        case .nested: .nested(random.next())
        case .traits: .traits(random.next(below: 3))
        case .wait: .wait
        case .waitOnMain: .waitOnMain
        case .askWhenDone: .askWhenDone
        case .clear: .clear
        case .waitForNode: .waitForNode(random.next())
        case .taskEdit: .task(.edit(random.next()))
        case .taskRecord: .task(.record(random.next()))
        case .taskRebase: .task(.rebase(random.next()))
        case .taskHistory: .task(Self.historyCall(&random))
        case .taskApply: .task(.apply(random.next()))
        case .taskOther: .task(Self.otherCall(&random))
        }
    }

    private static func historyCall(_ random: inout SeededGenerator) -> RunPlan.TaskCall {
        switch random.next(below: 5) {
        case 0, 1: .own(random.next())
        case 2, 3: .undo
        default: .redo
        }
    }

    private static func otherCall(_ random: inout SeededGenerator) -> RunPlan.TaskCall {
        switch random.next(below: 6) {
        case 0: .reload
        case 1: .relayoutAll
        case 2: .relayoutFirst
        case 3: .handedOver
        case 4: .readModel
        default: .node(random.next())
        }
    }
}

/// Properties of only some runs. Each is drawn from its own seed, so that a new one changes none of
/// the others.
extension RunPlan {
    /// Draws the properties of only some runs; new ones are added at the end.
    ///
    /// - Parameter seed: The seed of the plan.
    mutating func drawRarities(seed: UInt64) {
        drawView(SeededGenerator(seed: ~seed))
        drawMarks(SeededGenerator(seed: seed.byteSwapped))
        drawStalls(SeededGenerator(seed: (~seed).byteSwapped))
        drawMerging(SeededGenerator(seed: seed ^ 0x6D65_7267_6573))
        drawJournal(SeededGenerator(seed: seed ^ 0x6A_6F75_726E_616C))
        drawReaders(SeededGenerator(seed: seed ^ 0x72_6561_6465_7273))
        drawGrowing(SeededGenerator(seed: seed ^ 0x67_726F_7769_6E67))
        drawMeasuring(SeededGenerator(seed: seed ^ 0x6C_6174_6572))
        drawPreparing(SeededGenerator(seed: seed ^ 0x70_7265_7061_7265))
        drawReleasing(SeededGenerator(seed: seed ^ 0x72_656C_6561_7365))
        drawResizing(SeededGenerator(seed: seed ^ 0x72_6573_697A_65))
        drawInverting(SeededGenerator(seed: seed ^ 0x69_6E76_6572_7465))
        drawGrouping(SeededGenerator(seed: seed ^ 0x67_726F_7570))
        drawReturning(SeededGenerator(seed: seed ^ 0x72_6574_7572_6E))
        drawFailing(SeededGenerator(seed: seed ^ 0x66_6169_6C))
        drawFetching(SeededGenerator(seed: seed ^ 0x66_6574_6368))
        drawRanges(SeededGenerator(seed: seed ^ 0x72_616E_6765))
        drawTraits(SeededGenerator(seed: seed ^ 0x7472_6169_7473))
    }

    /// Gives one run in eight a simulated view, and a client that acts like its user. The others
    /// keep the view that refuses and loses updates, which takes a tenth of the time.
    private mutating func drawView(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 8) else { return }
        view = ViewPlan(&random)
        let count = 1 + random.next(below: 10)
        clients.append((0..<count).map { _ in .view(ViewAction(&random)) })
    }

    /// Gives one run in four actions that influence everything after them, so that the other runs
    /// remain free of them.
    private mutating func drawMarks(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 4) else { return }
        scatter(1 + random.next(below: 3), &random) { random in
            let isReload = random.isTrue(oneIn: 2)
            return isReload ? .reloadSection(random.next()) : .changeAndThrow(random.next())
        }
    }

    /// Gives one run in eight a view that stalls, and timers that detect it; in the others such
    /// timers would take turns.
    private mutating func drawStalls(_ generator: SeededGenerator) {
        var random = generator
        guard view == nil, random.isTrue(oneIn: 8) else { return }
        stallMicroseconds = [1, 200, 10_000][random.next(below: 3)]
        faults.append(Fault(point: .viewStalls, rate: 0.2))
    }

    /// Makes one run in five merge the updates that a slow view has not received, with a backlog
    /// that fills quickly.
    private mutating func drawMerging(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 5) else { return }
        (mergesWhenFull, rejectsWhenFull) = (true, false)
        backlogLimit = 1 + random.next(below: 3)
    }

    /// Gives one run in six a journal of its second list.
    private mutating func drawJournal(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 6) else { return }
        scatter(4 + random.next(below: 16), &random) { random in
            // Several states between two losses of power, so that some are not synced.
            let isLoss = random.isTrue(oneIn: 3)
            return isLoss ? .journal(random.next()) : .task(.apply(random.next()))
        }
    }

    /// Publishes the second list of one run in six; sometimes so often that its history is
    /// compacted more than once.
    private mutating func drawReaders(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 6) else { return }
        let count = random.isTrue(oneIn: 4) ? 48 : 6 + random.next(below: 16)
        scatter(count, &random) { random in
            let isState = random.isTrue(oneIn: 2)
            return isState ? .task(.apply(random.next())) : .readers(random.next())
        }
    }

    /// Gives one run in five nodes that grow.
    private mutating func drawGrowing(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 5) else { return }
        scatter(1 + random.next(below: 6), &random) { .grow($0.next()) }
    }

    /// Makes one run in five measure distant elements later or not at all.
    private mutating func drawMeasuring(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 5) else { return }
        measuring = Measuring(first: 1 + random.next(below: 4), isOnDemand: random.isTrue(oneIn: 2))
    }

    /// Makes workers lay out one simulated view in three.
    private mutating func drawPreparing(_ generator: SeededGenerator) {
        var random = generator
        guard view != nil, random.isTrue(oneIn: 3) else { return }
        (hasLayout, preparesLayout) = (true, true)
        view?.layout = .flow
        view?.sizesItself = random.isTrue(oneIn: 8)
    }

    /// Makes every second run with ranges release the nodes that left them.
    private mutating func drawReleasing(_ generator: SeededGenerator) {
        var random = generator
        if view?.hasRanges == true, random.isTrue(oneIn: 2) { releasesNodes = true }
    }

    /// Resizes a third of the simulated views repeatedly, like a user who drags the corner of a
    /// window.
    private mutating func drawResizing(_ generator: SeededGenerator) {
        var random = generator
        guard view != nil, random.isTrue(oneIn: 3) else { return }
        scatter(2 + random.next(below: 8), &random) { random in
            .view(.resize(width: 20 + random.next(below: 9), height: 6, isAnimated: false))
        }
    }

    /// Inverts one simulated view in three.
    private mutating func drawInverting(_ generator: SeededGenerator) {
        var random = generator
        if view != nil, random.isTrue(oneIn: 3) { view?.isInverted = true }
    }

    /// Makes one run in ten group edits of its history and undo the groups.
    private mutating func drawGrouping(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 10) else { return }
        scatter(3 + random.next(below: 6), &random) { random in
            switch random.next(below: 5) {
            case 0, 1: .task(.group(random.next()))
            case 2, 3: .task(.undo)
            default: .task(.redo)
            }
        }
    }

    /// Makes readers reconnect repeatedly in every run with readers, each with another old version.
    private mutating func drawReturning(_ generator: SeededGenerator) {
        var random = generator
        guard hasReaders else { return }
        scatter(12 + random.next(below: 24), &random) { random in
            let isState = random.isTrue(oneIn: 2)
            return isState ? .task(.apply(random.next())) : .returns(random.next())
        }
    }

    /// Makes the first fetches of every second simulated view fail while its content changes.
    private mutating func drawFailing(_ generator: SeededGenerator) {
        var random = generator
        guard view != nil, random.isTrue(oneIn: 2) else { return }
        view?.hasFetcher = true
        view?.failsFetches = true
    }

    /// Makes the other simulated views fetch at both ends, and again after each fetch.
    private mutating func drawFetching(_ generator: SeededGenerator) {
        var random = generator
        guard view != nil, view?.failsFetches != true else { return }
        view?.hasFetcher = true
        let actions: [FetchAction] = [.wantsHead, .triesHeadAgain, .triesTailAgain]
        scatter(4 + random.next(below: 8), &random) { random in
            .view(.fetch(actions[random.next(below: actions.count)]))
        }
    }

    /// Changes the conditions of the ranges repeatedly in every second view that has them.
    private mutating func drawRanges(_ generator: SeededGenerator) {
        var random = generator
        guard view?.hasRanges == true, random.isTrue(oneIn: 2) else { return }
        scatter(2 + random.next(below: 8), &random) { .view(.range(RangeAction(&$0))) }
    }

    /// Changes the traits of one run in eight repeatedly, while new nodes are created.
    private mutating func drawTraits(_ generator: SeededGenerator) {
        var random = generator
        guard random.isTrue(oneIn: 8) else { return }
        scatter(4 + random.next(below: 12), &random) { random in
            random.isTrue(oneIn: 2) ? .traits(random.next(below: 3)) : .edit(random.next())
        }
    }

    /// Inserts actions at random positions between those of the clients.
    private mutating func scatter(
        _ count: Int,
        _ random: inout SeededGenerator,
        _ action: (inout SeededGenerator) -> Action
    ) {
        for _ in 0..<count {
            let client = random.next(below: clients.count)
            let place = random.next(below: clients[client].count + 1)
            clients[client].insert(action(&random), at: place)
        }
    }

    /// The reason why the view or an action on it is invalid, or `nil`.
    var viewProblem: String? {
        if let problem = view?.problem { return problem }
        for case .view(let action) in clients.joined() {
            if let problem = action.problem { return problem }
        }
        return nil
    }
}
