import CollectionChanges
import CollectionElements

extension DataController {
    /// The synchronous members of a controller, which belong to the main lane.
    ///
    /// Code on the main lane gets a handle from ``DataController/assumeIsolated(file:line:)``,
    /// other code from ``DataController/withIsolated(_:)``. A handle is not `Sendable`, so the
    /// compiler keeps it on the main lane. If it escapes anyway, its next call stops the process
    /// with a message that names the lane.
    ///
    /// ```swift
    /// lane.enqueue {
    ///     let list = controller.assumeIsolated()
    ///     list.dataSource.posts.removeLast()
    ///     try? list.deleteItems(at: [ItemPath(section: 0, item: list.dataSource.posts.count)])
    /// }
    /// ```
    ///
    /// Its calls return as soon as the change set is accepted or rejected, and never wait for
    /// measuring.
    ///
    /// Retains the controller. A data source that stores a handle keeps its own controller alive.
    public struct Isolated: SingleEditing {
        let controller: DataController
        /// The context that outcomes and events of single edits contain.
        private(set) var callerContext: (any Sendable)?

        var core: PipelineCore { controller.core }

        init(_ controller: DataController) { self.controller = controller }

        /// Returns a handle whose single edits have `callerContext`, a value of the caller, in
        /// every outcome and event.
        public func withCallerContext(_ callerContext: (any Sendable)?) -> Isolated {
            var list = self
            list.callerContext = callerContext
            return list
        }

        func requireLane(_ member: String = #function) {
            core.lane.requireCurrent(member, instead: "use 'await withIsolated(_:)'")
        }

        // MARK: State

        /// The data source.
        public var dataSource: Source {
            core.lane.requireCurrent("dataSource", instead: "use 'await withDataSource(_:)'")
            return DataController.typedSource(of: core)
        }

        /// Whether accepted change sets have not reached the view yet.
        public var isProcessingUpdates: Bool {
            requireLane()
            return core.isProcessingUpdates
        }

        /// Whether every submission has completed, including animations.
        public var isSynchronized: Bool {
            requireLane()
            return core.isSynchronized
        }

        /// Whether the controller has closed. Once a close has begun, every submission is rejected
        /// as ``UpdateError/Code/closed``.
        public var isClosed: Bool {
            requireLane()
            return core.shutdown.isClosed
        }

        /// The number of change sets that are accepted and not yet deployed.
        public var backlog: Int {
            requireLane()
            return core.delivery.backlog
        }
    }

    /// Returns a handle with the synchronous members, for code that runs on the main lane. Called
    /// from elsewhere, it stops the process.
    public func assumeIsolated(file: StaticString = #fileID, line: UInt = #line) -> Isolated {
        core.lane.requireCurrent(
            "DataController.assumeIsolated()",
            instead: "use 'await withIsolated(_:)'",
            file: file,
            line: line
        )
        return Isolated(self)
    }

    /// Runs `body` on the main lane with a handle to the synchronous members, and returns its
    /// result. May be called from any thread.
    public func withIsolated<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Isolated) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await core.lane.run { () throws(Failure) in try body(Isolated(self)) }
    }

    /// Runs `body` on the main lane with the data source, and returns its result. Use it to read
    /// the model from any thread. Changes to the model belong in a batch.
    public func withDataSource<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Source) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await core.lane.run { [core] () throws(Failure) in
            try body(Self.typedSource(of: core))
        }
    }
}

@available(*, unavailable, message: "It belongs to the main lane")
extension DataController.Isolated: Sendable {}

extension DataController.Isolated {
    /// Compares the models of the pending map with the current models of the data source, and
    /// returns the first difference or the reason that no comparison is possible. It is meant for
    /// tests: validation cannot see a wrong index if the counts are right.
    ///
    /// ```swift
    /// try await controller.performBatchUpdates { feed, changes in … }
    /// #expect(await controller.withIsolated { $0.firstContentMismatch() } == nil)
    /// ```
    ///
    /// Only models are compared (``CollectionDataSource/model(forItemAt:)``), not nodes,
    /// supplementary elements or section contexts. `nil` means that every item has a model and all
    /// models are equal: an item without a model, models that are not `Equatable`, an open batch
    /// and a collection that is not loaded are findings too (``ContentMismatch/Reason``).
    ///
    /// To compare after every update, use ``PipelineConfiguration/contentCheck``.
    ///
    /// Complexity: O(n log n).
    ///
    /// - Parameter areEqual: A closure that compares the map's model with the data source's model;
    ///   `nil` to use `==`, which needs `Equatable` models.
    public func firstContentMismatch(
        by areEqual: ((any Sendable, any Sendable) -> Bool)? = nil
    ) -> ContentMismatch? {
        requireLane()
        guard let areEqual else { return core.firstContentMismatch(PipelineCore.equality) }
        return core.firstContentMismatch { areEqual($0, $1) }
    }

    /// The first finding of ``PipelineConfiguration/contentCheck`` since the controller was
    /// created, with or without an observer. A difference takes precedence over items that cannot
    /// be compared. `nil` if there is no finding or the check is `never`.
    public var contentCheckFinding: ContentMismatch? {
        requireLane()
        return core.agreement.firstFinding
    }
}

// The synchronous calls. They return as soon as the change set is accepted or rejected.

extension DataController.Isolated {
    /// Records changes and submits them as one change set.
    ///
    /// `updates` runs immediately; it changes the model and records the changes. Within another
    /// batch, the records join that batch, and its outermost end submits them. Inner completions
    /// run before outer ones.
    ///
    /// - Parameters:
    ///   - animated: Whether the view should animate; the value of the outermost call counts.
    ///   - callerContext: A value of the caller that every outcome and event contains.
    ///   - updates: A closure that changes the model and records the changes. If it throws, the
    ///     whole record is dropped.
    ///   - completion: A closure that receives the outcome, in a separate turn of the main lane.
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected; the completion receives it too. With a
    ///   full backlog the call is rejected before `updates` runs.
    @discardableResult
    public func performBatchUpdates(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        _ updates: (Source, inout BatchRecorder) throws -> Void = { _, _ in },
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        let source = DataController.typedSource(of: core)
        return try core.performBatch(
            .rejects,
            animated: animated,
            callerContext: callerContext,
            completion: completion
        ) { recorder in
            try updates(source, &recorder)
        }
    }

    /// Opens a batch, or adds a nesting level to the open batch. Every call needs a matching
    /// ``endUpdates(animated:callerContext:completion:)``.
    ///
    /// - Throws: An error if the backlog is full or the controller is closing. The model has not
    ///   changed then.
    public func beginUpdates() throws(UpdateError) { try core.beginUpdates(.rejects) }

    /// Ends one nesting level of the open batch. The outermost end submits the record.
    ///
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected or no batch is open.
    @discardableResult
    public func endUpdates(
        animated: Bool = true,
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        try core.endUpdates(
            animated: animated,
            callerContext: callerContext,
            completion: completion
        )
    }

    /// Submits one operation as a separate change set, or records it in the open batch. The model
    /// has already changed, so a full backlog never rejects the operation.
    ///
    /// - Throws: An error if the submission was rejected.
    public func submit(_ operation: HierarchyChangeSet.Operation) throws(UpdateError) {
        try submit(operation, animated: true, callerContext: callerContext, completion: nil)
    }

    /// Replaces all content. Inside a batch, the batch becomes a reload.
    ///
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected; a full backlog never rejects it.
    @discardableResult
    public func reloadData(
        animated: Bool = true,
        animation: AnimationOption = .automatic,
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        try submit(
            .reloadData(animation),
            animated: animated,
            callerContext: callerContext ?? self.callerContext,
            completion: completion
        )
    }

    @discardableResult
    private func submit(
        _ operation: HierarchyChangeSet.Operation,
        animated: Bool,
        callerContext: (any Sendable)?,
        completion: UpdateCompletion?
    ) throws(UpdateError) -> SubmissionID {
        try core.performBatch(
            .ignored,
            animated: animated,
            callerContext: callerContext,
            completion: completion,
            from: .edit(operation)
        ) { $0.record(operation) }
    }

    /// Measures the items at `dataSourcePaths` again, because something that their size depends on
    /// has changed. The workers measure them, as always.
    ///
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected.
    @discardableResult
    public func relayoutItems(
        at dataSourcePaths: [ItemPath],
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .relayoutItems)
        return try core.relayout(.items(dataSourcePaths), request(callerContext, completion))
    }

    /// Requests every element's size range, and measures again the elements whose range or traits
    /// have changed.
    ///
    /// Complexity: O(elements) calls to the data source on the main lane.
    ///
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected.
    @discardableResult
    public func relayoutAllNodes(
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .relayoutAllNodes)
        return try core.relayout(.all, request(callerContext, completion))
    }

    /// Shows an empty collection, whatever the data source contains. The next submission is a first
    /// load.
    ///
    /// - Returns: The number of the submission.
    /// - Throws: An error if the submission was rejected.
    @discardableResult
    public func clear(
        callerContext: (any Sendable)? = nil,
        completion: UpdateCompletion? = nil
    ) throws(UpdateError) -> SubmissionID {
        core.requirePlace(of: .clear)
        return try core.clear(request(callerContext, completion))
    }

    /// Passes new traits to every node. Nothing is measured until `relayoutAllNodes`.
    ///
    /// Complexity: O(elements) if the traits differ from the previous ones.
    public func environmentDidChange(_ traits: Traits) {
        requireLane()
        core.traitsDidChange(to: traits)
    }

    private func request(
        _ callerContext: (any Sendable)?,
        _ completion: UpdateCompletion?
    ) -> SubmissionRequest {
        SubmissionRequest(
            id: core.makeSubmissionID(),
            callerContext: callerContext,
            completions: completion.map { [$0] } ?? []
        )
    }
}

/// The calls that belong to the main lane, as they are named in messages.
enum SynchronousCall {
    case performBatchUpdates
    case beginUpdates
    case endUpdates
    case edit(HierarchyChangeSet.Operation)
    case relayoutItems
    case relayoutAllNodes
    case clear

    /// The call as it is written in code.
    var name: String {
        switch self {
        case .performBatchUpdates: "performBatchUpdates(_:completion:)"
        case .beginUpdates: "beginUpdates()"
        case .endUpdates: "endUpdates()"
        case .edit(let operation): operation.callName
        case .relayoutItems: "relayoutItems(at:)"
        case .relayoutAllNodes: "relayoutAllNodes()"
        case .clear: "clear()"
        }
    }

    /// The call to use from other threads.
    var alternative: String {
        switch self {
        case .edit(.reloadData): "use 'await reloadData()'"
        case .performBatchUpdates, .beginUpdates, .endUpdates, .edit:
            "use 'await performBatchUpdates(_:)' or enqueueBatchUpdates(_:completion:)"
        case .relayoutItems, .relayoutAllNodes, .clear: "use 'await \(name)'"
        }
    }
}

extension HierarchyChangeSet.Operation {
    /// The name of the call that records the operation.
    fileprivate var callName: String {
        switch self {
        case .deleteItems: "deleteItems(at:)"
        case .insertItems: "insertItems(at:)"
        case .reloadItems: "reloadItems(at:)"
        case .reconfigureItems: "reconfigureItems(at:)"
        case .moveItem: "moveItem(at:to:)"
        case .deleteSections: "deleteSections(_:)"
        case .insertSections: "insertSections(_:)"
        case .reloadSections: "reloadSections(_:)"
        case .reconfigureSections: "reconfigureSections(_:)"
        case .moveSection: "moveSection(_:toSection:)"
        case .reloadSupplementaries: "reloadSupplementaries(ofKind:in:)"
        case .reloadData: "reloadData(completion:)"
        }
    }
}

extension PipelineCore {
    /// Stops the process if a call is made from another lane.
    func requirePlace(of call: SynchronousCall) {
        lane.requireCurrent(call.name, instead: call.alternative)
    }
}
