import CollectionElements

extension DataController {
    /// What belongs to the main lane: the synchronous members of a controller.
    ///
    /// Code on the main lane gets one by ``DataController/assumeIsolated(file:line:)``, code elsewhere by
    /// ``DataController/withIsolated(_:)``. It is not `Sendable`, so the compiler keeps it where it was made; what
    /// gets away all the same is stopped at its next call, with a message that names the lane.
    ///
    /// ```swift
    /// lane.enqueue {
    ///     let list = controller.assumeIsolated()
    ///     list.dataSource.posts.removeLast()
    ///     try? list.deleteItems(at: [ItemPath(section: 0, item: list.dataSource.posts.count)])
    /// }
    /// ```
    ///
    /// Its calls return as soon as the change set is accepted or rejected, and never wait for measuring.
    ///
    /// Retains: the controller. A data source that keeps one keeps its own controller alive.
    public struct Isolated: SingleEditing {
        let controller: DataController
        /// What single edits hand back in their outcomes and events.
        private(set) var context: (any Sendable)?

        var core: PipelineCore { controller.core }

        init(_ controller: DataController) { self.controller = controller }

        /// The same, whose single edits hand back `context`, a value of the caller's, in every event.
        public func withContext(_ context: (any Sendable)?) -> Isolated {
            var list = self
            list.context = context
            return list
        }

        func requireLane(_ member: String) {
            core.lane.requireCurrent(member, instead: "use 'await withIsolated(_:)'")
        }

        // MARK: State

        /// The data source.
        public var dataSource: Source {
            core.lane.requireCurrent("dataSource", instead: "use 'await withDataSource(_:)'")
            return DataController.typedSource(of: core)
        }

        /// Whether accepted change sets are on their way to the view.
        public var isProcessingUpdates: Bool {
            requireLane("isProcessingUpdates")
            return core.isProcessingUpdates
        }

        /// Whether every submission has completed, animations included.
        public var isSynchronized: Bool {
            requireLane("isSynchronized")
            return core.isSynchronized
        }

        /// Whether closing has ended. Whatever is submitted from the beginning of the close on is rejected, as
        /// ``UpdateError/Code/closed``.
        public var isClosed: Bool {
            requireLane("isClosed")
            return core.shutdown.isClosed
        }

        /// How many change sets are accepted and not yet deployed.
        public var backlog: Int {
            requireLane("backlog")
            return core.delivery.backlog
        }
    }

    /// What belongs to the main lane, for code that runs there; elsewhere it stops the process.
    public func assumeIsolated(file: StaticString = #fileID, line: UInt = #line) -> Isolated {
        core.lane.requireCurrent(
            "DataController.assumeIsolated()",
            instead: "use 'await withIsolated(_:)'",
            file: file,
            line: line
        )
        return Isolated(self)
    }

    /// Runs `body` on the main lane, with what belongs there, and returns its result; from any thread.
    public func withIsolated<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Isolated) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await core.lane.run { () throws(Failure) in try body(Isolated(self)) }
    }

    /// Runs `body` on the main lane with the data source, and returns its result: for reading the model, from
    /// any thread. Changes of the model belong into a batch.
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
    /// Compares the models of the pending map with those that the data source has now, and returns the first
    /// that differs, or why that cannot be said: for tests, of what validation cannot see. Counts can be right and an
    /// index wrong.
    ///
    /// ```swift
    /// try await controller.performBatchUpdates { feed, changes in … }
    /// #expect(await controller.withIsolated { $0.firstDisagreement() } == nil)
    /// ```
    ///
    /// Models are compared (``CollectionDataSource/model(forItemAt:)``), not nodes, supplementary elements or contexts.
    /// `nil` means that every item has a model and all are equal: an item without one, models that are not `Equatable`,
    /// an open batch and a collection that is not loaded are findings too (``Disagreement/Reason``).
    ///
    /// To look after every update see ``PipelineConfiguration/contentCheck``.
    ///
    /// Complexity: O(n log n).
    ///
    /// - Parameter areEqual: compares the map's model with the data source's; `nil` for `==`, which needs `Equatable` models.
    public func firstDisagreement(
        by areEqual: ((any Sendable, any Sendable) -> Bool)? = nil
    ) -> Disagreement? {
        requireLane("firstDisagreement(by:)")
        guard let areEqual else { return core.firstDisagreement(PipelineCore.equality) }
        return core.firstDisagreement { areEqual($0, $1) }
    }

    /// What ``PipelineConfiguration/contentCheck`` found first since the controller was made, whether or not there is
    /// an observer: a difference rather than items that cannot be compared. `nil` if it found nothing, or is `never`.
    public var contentCheckFinding: Disagreement? {
        requireLane("contentCheckFinding")
        return core.agreement.firstFinding
    }
}
