import CollectionElements
import CollectionPipeline
import PipelineTesting

extension SimulatedRun {
    func perform(_ action: RunPlan.Action, on client: any Lane) {
        if keepsTrace { simulation.annotate("\(action)") }
        meetFaults()
        switch action {
        case .edit(let seed): edit(seed)
        case .lie(let seed):
            enqueue { model, changes in
                var random = SeededGenerator(seed: seed)
                model.lie(&random, &changes)
            }
        case .fail: enqueue { _, _ in throw InjectedFault() }
        case .insertAtTop:
            onMain { [self] controller, completion in
                try insertAtTop(controller, completion)
            }
        case .reload: onMain { [self] in try reload($0, $1) }
        case .reloadSection(let seed): onMain { [self] in try reloadSection(seed, $0, $1) }
        case .changeAndThrow(let seed): onMain { [self] in try changeAndThrow(seed, $0, $1) }
        case .relayoutAll: onMain { try $0.assumeIsolated().relayoutAllNodes(completion: $1) }
        case .relayoutFirst: relayout { _ in [ItemPath(section: 0, item: 0)] }
        case .relayoutSome(let seed):
            relayout { map in
                var random = SeededGenerator(seed: seed)
                return map.items.map(\.path).filter { _ in random.isTrue(oneIn: 3) }
            }
        case .nested(let seed):
            onMain { [self] controller, completion in
                try performNested(SeededGenerator(seed: seed), controller, completion)
            }
        case .traits(let scale): changeTraits(Double(scale))
        case .wait:
            let awaited = acceptedIDs
            controller?.waitUntilReached(.deliveredToView)
            checkHandedOver(awaited)
        case .waitOnMain: onOpenController { $0.waitUntilReached(.deliveredToView) }
        case .askWhenDone: askWhenDone()
        case .clear:
            onMain { controller, completion in
                let list = controller.assumeIsolated()
                try list.clear(completion: completion)
                list.dataSource.noteCleared(at: controller.pendingMap.generation)
            }
        case .waitForNode(let seed):
            guard let element = someElement(seed), let node = try? element.waitForNode() else {
                break
            }
            checkTraits(of: node, of: element)
        case .task(let call): startTask(call, on: client)
        case .close(let draining, let microseconds):
            close(draining: draining, microseconds: microseconds)
        case .journal(let seed): makeBoard().disturbJournal(seed)
        case .readers(let seed): makeBoard().hub?.act(seed)
        case .returns(let seed): makeBoard().hub?.reconnect(seed)
        case .grow(let seed): grow(seed)
        case .view(let action): perform(action)
        // Clusters have their own kind of run.
        case .cluster: break
        }
        if simulation.happens(.closes), !isClosing { close(draining: false, microseconds: nil) }
    }

    private func meetFaults() {
        if simulation.happens(.clockJumps) { simulation.advanceClock(by: .milliseconds(1)) }
        if simulation.happens(.viewGoesAway) { view = nil }
        if simulation.happens(.controllerGoesAway) { abandon() }
        if simulation.happens(.taskIsCancelled) { cancelTask() }
    }

    private func relayout(_ paths: @escaping @Sendable (ElementMap) -> [ItemPath]) {
        nodes.noteRelayout()
        onMain { controller, completion in
            let list = controller.assumeIsolated()
            try list.relayoutItems(at: paths(controller.pendingMap), completion: completion)
        }
    }

    /// Makes some nodes request another size, on the thread of a client.
    private func grow(_ seed: UInt64) {
        nodes.noteRelayout()
        var random = SeededGenerator(seed: seed)
        for item in controller?.pendingMap.items.map(\.element) ?? []
        where random.isTrue(oneIn: 2) {
            guard let node = item.nodeIfAllocated as? WatchedNode else { continue }
            mark("node asked for layout")
            node.grow()
        }
    }

    private func changeTraits(_ scale: Double) {
        onOpenController { [self] controller in
            isChangingTraits = true
            textScale = scale
            controller.assumeIsolated().environmentDidChange(Traits(textScale: scale))
            isChangingTraits = false
        }
    }

    /// Applies random edits, unless a fault changes them.
    func edit(_ seed: UInt64) {
        let isRight = Lock(true)
        enqueue { [self] model, changes in
            let (isThrown, isLie) = (
                simulation.happens(.updatesThrow), simulation.happens(.modelLies)
            )
            if isThrown || isLie { isRight.withLock { $0 = false } }
            if isThrown { throw InjectedFault() }
            var random = SeededGenerator(seed: seed)
            if isLie {
                model.lie(&random, &changes)
            } else {
                model.edit(&random, &changes)
            }
        } onCompletion: { [self] outcome in
            if isRight.withLock({ $0 }) { checkAccepted(outcome) }
        }
    }

    /// Submits a single edit in a batch that is opened and ended explicitly.
    private func insertAtTop(
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        let list = controller.assumeIsolated()
        try list.beginUpdates()
        if let path = list.dataSource.insertAtTop() { try list.insertItems(at: [path]) }
        // A record refers to the accepted state, so a model that is ahead of it must reload.
        if controller.divergence?.countsSince != nil { try list.reloadData() }
        try list.endUpdates(completion: completion)
    }

    /// Submits a batch that contains two others; if one of these throws, all fail.
    private func performNested(
        _ generator: SeededGenerator,
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        var random = generator
        let throwsInside = random.isTrue(oneIn: 4)
        var inner: [Int] = []
        func perform(
            _ updates: (ReferenceModel, inout BatchRecorder) throws -> Void
        ) {
            let token = newToken()
            inner.append(token)
            // The completion receives a thrown error too.
            _ = try? controller.assumeIsolated().performBatchUpdates(updates) { [self] in
                complete(token, $0)
            }
        }
        // Completions run later, when all inner tokens are known.
        let tokens = Lock<[Int]>([])
        defer { tokens.withLock { $0 = inner } }
        try controller.assumeIsolated().performBatchUpdates(
            { _, _ in
                perform { model, changes in model.edit(&random, &changes) }
                perform { _, _ in if throwsInside { throw InjectedFault() } }
            },
            completion: { [self] result in
                for token in tokens.withLock({ $0 }) where completions[token] == 0 {
                    note("Exactly One Completion", "an outer batch completed before an inner one")
                }
                completion(result)
            }
        )
    }

    func enqueue(
        _ updates: @escaping @Sendable (ReferenceModel, inout BatchRecorder) throws -> Void,
        onCompletion: @escaping @Sendable (UpdateOutcome) -> Void = { _ in }
    ) {
        guard let controller else { return }
        let token = newToken()
        whileSubmitting {
            controller.enqueueBatchUpdates(animated: true, updates) { [self] in
                complete(token, $0)
                onCompletion($0.outcome)
            }
        }
    }

    /// Submits from a callback on the main lane, unless the close has completed.
    func submitImmediately(_ updates: (ReferenceModel, inout BatchRecorder) throws -> Void) {
        guard let controller, !isClosed else { return }
        let token = newToken()
        whileSubmitting {
            // The completion receives a thrown error too.
            _ = try? controller.assumeIsolated().performBatchUpdates(updates) { [self] in
                complete(token, $0)
            }
        }
    }

    /// Makes a synchronous call on the main lane, unless the controller is closed by then.
    func onMain(
        _ call:
            @escaping @Sendable (DataController<ReferenceModel>, @escaping UpdateCompletion)
            throws -> Void
    ) {
        let token = newToken()
        lane.enqueue { [self] in
            guard let controller, !controller.assumeIsolated().isClosed, !isClosed else {
                return complete(token, .cancelled, isOwn: true)
            }
            mainLaneSubmissions += 1
            do {
                try whileSubmitting {
                    try call(controller) { [self] in complete(token, $0) }
                }
            } catch let error as UpdateError {
                // The completion runs too, unless the call failed before it received one.
                if error.code == .closed || error.code == .backlogFull, completions[token] == 0 {
                    rejectedEarly.insert(token)
                }
            } catch {
                note("Exactly One Completion", "an unexpected error: \(error)")
            }
        }
    }

    /// Releases the controller, and with it the data source, without closing it.
    private func abandon() {
        guard !isClosing, controller != nil else { return }
        isAbandoned = true
        weak let last = controller
        (controller, history) = (nil, nil)
        // A task may still hold the controller.
        if last == nil { lane.enqueue { [self] in hasAbandoned = true } }
    }

    private func askWhenDone() {
        onOpenController { [self] controller in
            let (processed, synchronized) = (newToken(), newToken())
            whileSubmitting {
                controller.whenReached(.deliveredToView) { [self] in completeCallback(processed) }
                controller.whenReached(.completed) { [self] in completeCallback(synchronized) }
            }
        }
    }

    /// Calls a closure on the main lane, unless the controller is closed or released by then.
    private func onOpenController(
        _ body: @escaping @Sendable (DataController<ReferenceModel>) -> Void
    ) {
        lane.enqueue { [self] in
            if let controller, !controller.assumeIsolated().isClosed { body(controller) }
        }
    }

    /// Marks a submitting call, within which no callback may run although it may pause.
    private func whileSubmitting<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isOuter = !isSubmitting
        isSubmitting = true
        defer { if isOuter { isSubmitting = false } }
        return try body()
    }

    /// Returns a random accepted item, which may be removed by the next step; preferably one
    /// without a node.
    func someElement(_ seed: UInt64) -> CollectionElement? {
        let elements = controller?.pendingMap.items.map(\.element) ?? []
        let waiting = elements.filter { $0.nodeIfAllocated == nil }
        var random = SeededGenerator(seed: seed)
        return (waiting.isEmpty ? elements : waiting).randomElement(using: &random)
    }

    func close(draining: Bool, microseconds: Int?) {
        guard let controller, !isClosing else { return }
        isClosing = true
        controller.close(
            draining: draining,
            timeout: microseconds.map { .microseconds($0) }
        ) { [self] in
            if isClosed { note("Quiet After Close", "the close completed twice") }
            isClosed = true
        }
        board?.close(draining: draining)
    }

    func newToken() -> Int {
        completions.append(0)
        if isClosing { lateTokens.insert(completions.count - 1) }
        return completions.count - 1
    }
}

// Changes of the model that the controller is not notified of, and the ways back to a common state.

extension SimulatedRun {
    func reload(
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        try controller.assumeIsolated().reloadData { [self] in
            checkAccepted($0.outcome)
            completion($0)
        }
        if let divergence = controller.divergence {
            note("Whole Or Nothing", "a reload was accepted and leaves \(divergence)")
        }
    }

    func reloadSection(
        _ seed: UInt64,
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        // A record refers to the accepted state, so a model that is ahead of it must reload.
        guard controller.divergence?.countsSince == nil else {
            return try reload(controller, completion)
        }
        try controller.assumeIsolated().performBatchUpdates(
            { model, changes in
                var random = SeededGenerator(seed: seed)
                if let section = model.replaceSection(&random) { changes.reloadSections([section]) }
            },
            completion: completion
        )
    }

    /// The changed items keep their old content on screen, which the controller must report from
    /// then on.
    func changeAndThrow(
        _ seed: UInt64,
        _ controller: DataController<ReferenceModel>,
        _ completion: @escaping UpdateCompletion
    ) throws {
        // Otherwise counts may agree by chance although the items do not.
        guard controller.divergence?.countsSince == nil else {
            return try reload(controller, completion)
        }
        _ = try? controller.assumeIsolated().performBatchUpdates(
            { model, changes in
                var random = SeededGenerator(seed: seed)
                model.reconfigureSome(&random, &changes)
                throw InjectedFault()
            },
            completion: nil
        )
        try controller.assumeIsolated().performBatchUpdates(completion: completion)
    }
}
