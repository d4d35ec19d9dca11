import PipelineTestSupport
import PipelineTrace
import SimulatedView

/// A view of 200 × 100 with rows of 30, over a controller; sections have a header where they have a
/// title.
struct PicturedView: Sendable {
    let view: SimulatedCollectionView
    let controller: DataController<TextDataSource>

    init(
        _ sections: [TextDataSource.Section],
        layout: sending ListLayout = ListLayout(),
        _ configure: @Sendable (SimulatedCollectionView) -> Void = { _ in }
    ) async throws {
        layout.rowHeight = 30
        view = SimulatedCollectionView(size: Size(width: 200, height: 100), layout: layout)
        configure(view)
        controller = Substrate.dispatch.makeStage()
            .makeController(TextDataSource(sections), view: view)
        try await controller.reloadData()
    }

    /// Runs `body` on the main lane.
    func onMain<Result: Sendable>(
        _ body: @escaping @Sendable (SimulatedCollectionView) throws -> Result
    ) async throws -> Result {
        let view = view
        return try await controller.lane.run { try body(view) }
    }

    func picture(area: Rect? = nil) async throws -> LayoutPicture {
        try await onMain { LayoutPicture(of: $0, area: area, text: Self.text, key: Self.text) }
    }

    /// Records an update, and answers what it looks like with its transitions.
    func update(
        _ change: @escaping @Sendable (TextDataSource, inout BatchRecorder) -> Void
    ) async throws -> (picture: UpdatePicture, transitions: [ViewTransition]) {
        let before = try await picture()
        try await controller.performBatchUpdates { change($0, &$1) }
        let after = try await picture()
        return (UpdatePicture(matching: before, with: after), try await onMain(\.transitions))
    }

    static func text(_ place: LayoutPlace, _ element: CollectionElement?) -> String? {
        (element?.nodeIfAllocated as? TextNode)?.text
    }
}
