import CollectionElements

// Who has the new state whole, and not the edits.

extension DataController {
    /// Makes a controller that is told states, and finds the edits itself. Nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - type: the type of the states.
    ///   - view: what shows them, held weakly, so it must be kept elsewhere (``CollectionView``); nil to keep only the
    ///     maps.
    ///   - configuration: how to behave.
    ///   - differences: how differences are taken and expressed; the profile is the configuration's. By default a state
    ///     in which an identifier occurs twice is rejected (``DuplicatePolicy/automatic``).
    ///   - lane: the main lane; without one, an ``EmulatedMainLane`` of the controller's own, named after it.
    ///   - environment: where background work runs.
    ///   - observer: receives events.
    ///   - makeNode: makes the node of a model, on a worker; `nil` if there are no nodes.
    ///   - header: makes the node of a section's header, on a worker; `nil` if sections have no headers.
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

    /// Shows a state: the edits that lead to it are found in the background, and submitted as one change set; returns
    /// when that is deployed. The first state is the initial load.
    ///
    /// ```swift
    /// try await board.apply(SectionedRows([("today", posts)]))
    /// ```
    ///
    /// States are shown in the order of the calls. Of those that come while one is being compared, only the newest is
    /// compared and submitted, with the marks of the others where these are snapshots; the others complete with it, as
    /// `superseded`, or as rejected or refused where it is. A reload of data or a batch that is submitted meanwhile comes
    /// in when it is called, as ever: before a state that is still being compared.
    /// A state that cannot be compared is rejected alone. Each is kept until then: whoever makes states faster than
    /// they are compared awaits each.
    ///
    /// Cancelling the task has an effect until the state is submitted: while it waits, is compared, or waits for the end
    /// of a batch or for room in the backlog.
    ///
    /// Threading: from any thread. The main lane is asked for nothing but step 1, whose cost follows the edits.
    ///
    /// - Parameters:
    ///   - state: what is to be shown.
    ///   - animated: whether the view should animate.
    ///   - context: a value of the caller's, handed back in every outcome and event.
    /// - Returns: how the state reached the view, and which elements failed.
    /// - Throws: why it was rejected, or that it was cancelled; `invalidState` with a `DifferenceError` if it
    ///   cannot be compared, or if one of its identifiers occurs twice and that is not allowed.
    @discardableResult
    public func apply<State>(
        _ state: State,
        animated: Bool = true,
        context: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult where Source == SnapshotDataSource<State> {
        try await submission { cancellation, completion in
            self.apply(state, animated, false, context, cancellation, completion)
        }
    }

    /// Shows a state like the asynchronous form, and returns at once.
    ///
    /// The parameters are those of that form; `completion` is called with the outcome, on the main lane.
    public func apply<State>(
        _ state: State,
        animated: Bool = true,
        context: (any Sendable)? = nil,
        completion: @escaping UpdateCompletion
    ) where Source == SnapshotDataSource<State> {
        apply(state, animated, false, context, CancellationBox(), completion)
    }

    /// Shows a state by replacing everything, without edits; returns when that is deployed.
    ///
    /// In order with states that are applied otherwise, and like them in every other way.
    @discardableResult
    public func applyUsingReloadData<State>(
        _ state: State,
        context: (any Sendable)? = nil
    ) async throws(UpdateError) -> UpdateResult where Source == SnapshotDataSource<State> {
        try await submission { cancellation, completion in
            self.apply(state, true, true, context, cancellation, completion)
        }
    }

    /// Shows a state by replacing everything, like the asynchronous form, and returns at once.
    ///
    /// The parameters are those of that form; `completion` is called with the outcome, on the main lane.
    public func applyUsingReloadData<State>(
        _ state: State,
        context: (any Sendable)? = nil,
        completion: @escaping UpdateCompletion
    ) where Source == SnapshotDataSource<State> {
        apply(state, true, true, context, CancellationBox(), completion)
    }

    private func apply<State>(
        _ state: State,
        _ animated: Bool,
        _ reloads: Bool,
        _ context: (any Sendable)?,
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
                        context: context,
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
    /// Makes a controller that is told rows, in sections; the form of ``init(states:view:configuration:differences:lane:environment:observer:makeNode:header:)`` for them.
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
    ///   - row: the type of the rows.
    ///   - sections: the type of the sections; see ``SectionedRows`` for what identifies one.
    ///   - view: what shows them, held weakly, so it must be kept elsewhere (``CollectionView``).
    ///   - configuration: how to behave.
    ///   - differences: how differences are taken; an identifier that occurs twice is rejected by default.
    ///   - lane: the main lane; without one, an ``EmulatedMainLane`` of the controller's own, named after it.
    ///   - environment: where background work runs.
    ///   - observer: receives events.
    ///   - makeNode: makes the node of a row, on a worker; `nil` if there are no nodes.
    ///   - header: makes the node of a section's header, on a worker; `nil` if sections have no headers. A header is made
    ///     when its section comes and when the section is another value, and moves with it.
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
