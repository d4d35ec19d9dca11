import CollectionPipeline

/// A controller of texts together with everything that observes it.
///
/// The scene keeps the controller alive; end a test with ``close(draining:)``.
package struct Scene: Sendable {
    package let stage: Stage
    package let nodes: NodeBook
    package let calls: Journal<DataSourceCall>
    package let view: RecordingView
    package let events = EventRecorder()
    /// The results passed to the completions that ``completion(_:)`` made, with their names.
    package let outcomes = Journal<NamedOutcome>()
    package let controller: DataController<TextDataSource>

    package init(
        _ substrate: Substrate,
        _ sections: [TextDataSource.Section],
        view: RecordingView = RecordingView(),
        layoutDelegate: (any LayoutDelegate)? = nil,
        facilitators: [any UpdateFacilitator] = [],
        workerCount: Int = 4,
        configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) {
        stage = substrate.makeStage(workerCount: workerCount)
        nodes = NodeBook(stage)
        calls = Journal()
        self.view = view
        var configuration = PipelineConfiguration.unwatched
        configure(&configuration)
        controller = stage.makeController(
            TextDataSource(sections, nodes: nodes, calls: calls),
            view: view,
            configuration: configuration,
            layoutDelegate: layoutDelegate,
            facilitators: facilitators,
            observer: events
        )
    }

    @discardableResult
    package func onMain<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (DataController<TextDataSource>) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let controller = controller
        return try await stage.lane.run { () throws(Failure) in try body(controller) }
    }

    package func withModel<Result: Sendable>(
        _ body: @escaping @Sendable (TextDataSource) -> Result
    ) async -> Result {
        await onMain { body($0.assumeIsolated().dataSource) }
    }

    /// Submits a batch that appends an item to the first section; `text` also names its completion.
    package func append(_ text: String) async throws {
        try await onMain { controller in
            try controller.assumeIsolated().performBatchUpdates(
                { $0.append(text, &$1) },
                completion: completion(text)
            )
        }
    }

    /// Changes an item's text and submits a reconfigure of the item.
    package func reconfigure(_ path: ItemPath = ItemPath(0, 0), to text: String) async throws {
        try await onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[path.section].items[path.item] = text
            try list.reconfigureItems(at: [path])
        }
    }

    /// Returns a completion that records its outcome under a name.
    package func completion(_ name: String) -> UpdateCompletion {
        { [outcomes, stage] result in
            outcomes.append(NamedOutcome(name: name, result: result, place: stage.currentPlace))
        }
    }

    package func settle() async { await controller.settle() }

    /// Returns when the main lane has run the work enqueued so far and every submission has
    /// completed.
    package func settleAfterTurn() async {
        await onMain { _ in }
        await settle()
    }

    package func close(draining: Bool = true, timeout: Duration? = nil) async {
        await controller.close(draining: draining, timeout: timeout)
    }
}

/// The result that one completion received.
package struct NamedOutcome: Sendable, CustomStringConvertible {
    package let name: String
    package let result: UpdateResult
    package let place: CallPlace

    /// Such as `first: deployed`.
    package var description: String { "\(name): \(result.outcome.text)" }
}
