import PipelineTrace
import SimulatedView

/// A view, and a controller that fills it with a collection: scenes change both, and take pictures.
///
/// It lives on the controller's main lane, so that it may call the view directly.
actor GalleryStage {
    private let lane = EmulatedMainLane(label: "gallery")
    private let view: SimulatedCollectionView
    private let controller: DataController<GallerySource>
    private let newest = NewestUpdate()

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    /// Shows a collection.
    ///
    /// - Parameters:
    ///   - measuring: what is measured before it is shown.
    ///   - configure: called before anything is laid out.
    init(
        _ layout: sending CollectionLayout,
        _ sections: [GallerySection],
        width: Double = 320,
        height: Double = 400,
        measuring: PipelineConfiguration.MeasuringPolicy = .everything,
        _ configure: @Sendable (SimulatedCollectionView) -> Void = { _ in }
    ) async throws {
        let size = Size(width: width, height: height)
        view = SimulatedCollectionView(size: size, layout: layout)
        view.displayScale = 2
        configure(view)
        var configuration = PipelineConfiguration()
        configuration.measuringPolicy = measuring
        controller = DataController(
            dataSource: GallerySource(sections),
            view: view,
            configuration: configuration,
            lane: lane,
            facilitators: [newest]
        )
        try await controller.reloadData()
    }

    /// Does something with the view.
    func withView<Result: Sendable>(
        _ body: @Sendable (SimulatedCollectionView) throws -> Result
    ) rethrows -> Result { try body(view) }

    /// Scrolls to a content offset, as far as the content goes; in a direction of which nothing is said
    /// all stays where it is.
    func scroll(x: Double? = nil, y: Double? = nil) {
        let current = view.contentOffset
        view.scroll(by: Point(x: (x ?? current.x) - current.x, y: (y ?? current.y) - current.y))
    }

    /// Waits until what is wanted of what was put off is measured, and what comes near by that too.
    func settle() async {
        view.layoutIfNeeded()
        await controller.reached(.completed)
    }

    // MARK: Pictures

    /// A picture of everything; throws if the layout or the view has met something that it could not use.
    func picture(_ title: String = "") throws -> LayoutPicture {
        let picture = LayoutPicture(
            of: view,
            title: title,
            text: { _, element in Self.item(element)?.text },
            key: { _, element in Self.item(element)?.ownName }
        )
        if let error = view.collectionViewLayout.errors.first { throw error }
        if let error = view.errors.first { throw error }
        return picture
    }

    /// A picture at every offset from the top.
    func figures(scrollingTo offsets: [Int]) throws -> [GalleryFigure] {
        try offsets.map { offset in
            scroll(y: Double(offset))
            let picture = try picture("Scrolled by \(offset)")
            return GalleryFigure("\(offset)", picture, "Content offset \(offset).")
        }
    }

    private static func item(_ element: CollectionElement?) -> GalleryItem? {
        (element?.nodeIfAllocated as? GalleryNode)?.item
    }

    // MARK: Updates

    /// Changes the collection and records how; pictures the states before and after.
    func update(
        _ title: String = "",
        _ change: @escaping @Sendable (inout BatchRecorder, inout [GallerySection]) -> Void
    ) async throws -> UpdatePicture {
        let before = try picture(title)
        let result = try await controller.performBatchUpdates { source, changes in
            change(&changes, &source.sections)
        }
        guard case .deployed = result.outcome, let update = newest.changeSet else {
            throw GalleryFault("the view did not take in the update '\(title)'")
        }
        return UpdatePicture(old: before, new: try picture(title), applying: update)
    }

    /// The newest update in mid-animation.
    func middle(of update: UpdatePicture, _ title: String) -> LayoutPicture {
        var middle = update.moment(0.5, of: view.transitions)
        middle.title = title
        return middle
    }

    /// Shows everything again in cells that want the sizes of their texts; pictures the states before and
    /// after.
    func updateBySelfSizing(_ title: String = "") async throws -> UpdatePicture {
        let before = try picture(title)
        try view.register(
            TextCell.self,
            forCellWithReuseIdentifier: SimulatedCollectionView.elementReuseIdentifier
        )
        try await controller.reloadData()
        return UpdatePicture(old: before, new: try picture(title), edits: [])
    }
}

/// Remembers what was recorded last, as it was validated.
private final class NewestUpdate: UpdateFacilitator, @unchecked Sendable {
    // Written and read on the main lane of the stage alone.
    private(set) var changeSet: ValidatedChangeSet?

    func willDeploy(_ update: ViewUpdate) { changeSet = update.changeSet }
}
