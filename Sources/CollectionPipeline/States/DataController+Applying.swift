import CollectionElements

// Applying states. The caller has the whole new state, but not the edits.

extension DataController {
    /// Creates a controller that receives states and finds the edits itself. Nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - type: The type of the states.
    ///   - view: The view that shows the states, held weakly, so that the application must retain
    ///     it (``CollectionView``); `nil` to keep only the maps.
    ///   - configuration: The options of the controller.
    ///   - differences: The options of the comparison; the profile comes from the configuration. By
    ///     default a state in which an identifier occurs twice is rejected
    ///     (``DuplicatePolicy/automatic``).
    ///   - lane: The main lane; by default a new ``EmulatedMainLane`` named after the controller.
    ///   - environment: The environment in which background work runs.
    ///   - observer: The receiver of events.
    ///   - makeNode: A closure that creates the node of a model on a worker; `nil` if there are no
    ///     nodes.
    ///   - header: A closure that creates the node of a section's header on a worker; `nil` if
    ///     sections have no headers.
    public convenience init<State>(
        states type: State.Type,
        view: (any CollectionView)? = nil,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        differences: DifferenceOptions = DifferenceOptions(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil,
        makeNode: (@Sendable (State.Model) throws -> any CollectionNode)? = nil,
        header: (@Sendable (State.Section) throws -> any CollectionNode)? = nil
    ) where Source == SnapshotDataSource<State> {
        self.init(
            dataSource: SnapshotDataSource<State>(
                options: differences,
                makeNode: makeNode,
                header: header
            ),
            view: view,
            configuration: configuration,
            lane: lane,
            environment: environment,
            observer: observer
        )
    }

    /// Shows a state: computes the edits in the background, submits them as one change set, and
    /// returns when the change set is deployed. The first state is the initial load.
    ///
    /// ```swift
    /// try await board.apply(SectionedRows([("today", posts)]))
    /// ```
    ///
    /// States are shown in the order of the calls. While one state is being compared, only the
    /// newest of the waiting states is kept for the next comparison; if states are snapshots, it
    /// includes the marks of the others. An item that only those lack is still the same item: mark
    /// it if its content changed. The other states complete together with the newest, as
    /// `superseded`. If it is rejected or refused, so are they. A reload of data or a batch that is
    /// submitted in the meantime is accepted when it is called, as usual, before a state that is
    /// still being compared. If a state cannot be compared, only that state is rejected. All
    /// waiting states are retained: a caller that produces states faster than they are compared
    /// should await each call.
    ///
    /// Cancelling the task has an effect until the state is submitted: while it waits, is compared,
    /// or waits for the end of a batch or for capacity in the backlog.
    ///
    /// Threading: may be called from any thread. The main lane performs only step 1, whose cost is
    /// proportional to the edits.
    ///
    /// - Parameters:
    ///   - state: The state to show.
    ///   - animated: Whether the view should animate.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    /// - Returns: The way in which the state reached the view, and the elements that failed.
    /// - Throws: An error if the submission was rejected or cancelled; `invalidState` with a
    ///   `DifferenceError` if the state cannot be compared, or if one of its identifiers occurs
    ///   twice and that is not allowed.
    @discardableResult
    public func apply<State>(
        _ state: State,
        animated: Bool = true,
        callerContext: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult where Source == SnapshotDataSource<State> {
        try await submission { cancellation, completion in
            self.apply(state, animated, false, callerContext, cancellation, completion)
        }
    }

    /// Shows a state like the asynchronous form, and returns immediately.
    ///
    /// The parameters are the same as for that form; `completion` receives the outcome on the main
    /// lane.
    public func apply<State>(
        _ state: State,
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        completion: @escaping UpdateCompletion
    ) where Source == SnapshotDataSource<State> {
        apply(state, animated, false, callerContext, CancellationBox(), completion)
    }

    /// Shows a state by replacing all content, without computing edits, and returns when the new
    /// content is deployed.
    ///
    /// The state is shown in order with states that are applied in other ways, and is like them in
    /// all other respects.
    @discardableResult
    public func applyUsingReloadData<State>(
        _ state: State,
        callerContext: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult where Source == SnapshotDataSource<State> {
        try await submission { cancellation, completion in
            self.apply(state, true, true, callerContext, cancellation, completion)
        }
    }

    private func apply<State>(
        _ state: State,
        _ animated: Bool,
        _ reloads: Bool,
        _ callerContext: (any Sendable)?,
        _ cancellation: CancellationBox,
        _ completion: @escaping UpdateCompletion
    ) where Source == SnapshotDataSource<State> {
        core.watchArrival()
        core.lane.enqueue { [core] in
            core.watchArrived()
            guard let applier = core.applier as? StateApplier<State> else { return }
            applier.arrived(
                StateApplier.Request(
                    caller: StateCaller(
                        id: core.makeSubmissionID(),
                        callerContext: callerContext,
                        arrival: core.startTime(),
                        cancellation: cancellation,
                        completion: completion
                    ),
                    state: state,
                    isAnimated: animated,
                    reloads: reloads
                )
            )
        }
    }
}

extension DataController {
    /// Creates a controller that receives rows in sections. For other states, use
    /// ``init(states:view:configuration:differences:lane:environment:observer:makeNode:header:)``.
    ///
    /// ```swift
    /// let board = DataController(rows: Post.self, sections: String.self, view: view) { post in
    ///     PostNode(post.text)
    /// } header: { title in
    ///     TitleNode(title)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - row: The type of the rows.
    ///   - sections: The type of the sections; see ``SectionedRows`` for the identity of a section.
    ///   - view: The view that shows the rows, held weakly, so that the application must retain it
    ///     (``CollectionView``).
    ///   - configuration: The options of the controller.
    ///   - differences: The options of the comparison; a state in which an identifier occurs twice
    ///     is rejected by default.
    ///   - lane: The main lane; by default a new ``EmulatedMainLane`` named after the controller.
    ///   - environment: The environment in which background work runs.
    ///   - observer: The receiver of events.
    ///   - makeNode: A closure that creates the node of a row on a worker; `nil` if there are no
    ///     nodes.
    ///   - header: A closure that creates the node of a section's header on a worker; `nil` if
    ///     sections have no headers. A header is created when its section is inserted and when the
    ///     section's value changes, and moves with its section.
    public convenience init<Section, Row>(
        rows row: Row.Type,
        sections: Section.Type,
        view: (any CollectionView)? = nil,
        configuration: PipelineConfiguration = PipelineConfiguration(),
        differences: DifferenceOptions = DifferenceOptions(),
        lane: (any Lane)? = nil,
        environment: any PipelineEnvironment = DispatchEnvironment(),
        observer: (any PipelineObserver)? = nil,
        makeNode: (@Sendable (Row) throws -> any CollectionNode)? = nil,
        header: (@Sendable (Section) throws -> any CollectionNode)? = nil
    ) where Source == SnapshotDataSource<SectionedRows<Section, Row>> {
        self.init(
            states: SectionedRows<Section, Row>.self,
            view: view,
            configuration: configuration,
            differences: differences,
            lane: lane,
            environment: environment,
            observer: observer,
            makeNode: makeNode,
            header: header
        )
    }
}

/// The caller that applied a state. It receives the outcome when the state itself no longer exists.
struct StateCaller: Sendable {
    let id: SubmissionID
    let callerContext: (any Sendable)?
    /// The time at which the state reached the main lane.
    let arrival: Duration
    let cancellation: CancellationBox
    let completion: UpdateCompletion
}

extension PipelineCore {
    /// Releases states that are no longer needed, outside the main lane if they are large.
    ///
    /// - Parameters:
    ///   - states: The states to release.
    ///   - shapes: Shapes that indicate the size of the states.
    func free<State: CollectionState>(_ states: [State], like shapes: [HierarchyShape]) {
        let isLarge = shapes.contains {
            $0.numberOfItems.map { items in items > ElementMap.inlineLimit } ?? true
                || $0.numberOfSections > ElementMap.inlineLimit
        }
        guard isLarge else { return }
        // The states are released in a later turn, when no code on this lane uses them any longer,
        // so that the last reference is not released here.
        let leaving = Unmanaged.passRetained(Leaving(states))
        lane.enqueue { [reclaimer] in reclaimer.reclaim { leaving.release() } }
    }

    private final class Leaving<State: CollectionState>: Sendable {
        let states: [State]
        init(_ states: [State]) { self.states = states }
    }

    /// Whether the view has, or will receive, the content of the data source. A state that changes
    /// nothing then need not be submitted.
    var isAsSubmitted: Bool { !delivery.needsReload && divergence == nil }

    /// Completes a state that changes nothing together with the change set that was accepted last,
    /// or soon if the view already shows that change set.
    ///
    /// - Parameters:
    ///   - caller: The caller of the state.
    ///   - superseded: The callers of the states that it supersedes.
    func join(_ caller: StateCaller, superseding superseded: [StateCaller]) {
        let completion: UpdateCompletion = { [self] result in
            for caller in superseded { completed(caller, inside: result) }
            caller.completion(result)
        }
        guard let last = delivery.lastAccepted else {
            return complete(
                [completion],
                caller.id,
                .deployed,
                callerContext: caller.callerContext,
                generation: pendingMap.generation
            )
        }
        last.joined.withLock {
            $0.append { [self] result in
                completion(result.of(caller))
                observe(.completed, caller.id, caller.callerContext)
            }
        }
    }

    /// Completes a state that was superseded before it was submitted, with the outcome of the later
    /// state or as part of it.
    func completed(_ caller: StateCaller, inside result: UpdateResult) {
        let id = result.submission
        var result = result.of(caller)
        switch result.outcome {
        case .deployed, .deployedByReload: result.outcome = .superseded(by: id)
        default: break
        }
        caller.completion(result)
        observe(.completed, caller.id, caller.callerContext)
    }
}

extension UpdateResult {
    /// Returns the same result for the submission of another caller.
    fileprivate func of(_ caller: StateCaller) -> UpdateResult {
        var outcome = outcome
        switch outcome {
        case .rejected(var error):
            error.submission = caller.id
            outcome = .rejected(error)
        case .refusedByView(var error):
            error.submission = caller.id
            outcome = .refusedByView(error)
        default: break
        }
        return UpdateResult(
            submission: caller.id,
            outcome: outcome,
            generation: generation,
            callerContext: caller.callerContext,
            viewWasGone: viewWasGone
        )
    }
}
