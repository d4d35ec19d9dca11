import PipelineTrace
import SimulatedView

/// A view, and a controller that fills it with a collection. The entries of the gallery change both
/// and take pictures.
///
/// The actor runs on the controller's main lane, so that it may call the view directly.
actor GalleryStage {
    private let lane = EmulatedMainLane(label: "gallery")
    private let view: SimulatedCollectionView
    private let controller: DataController<GallerySource>
    private let newest = NewestUpdate()

    nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }

    /// Shows a collection.
    ///
    /// - Parameters:
    ///   - measuring: The policy that determines what is measured before it is shown.
    ///   - configure: Called before the first layout.
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

    /// Calls `body` with the view.
    func withView<Result: Sendable>(
        _ body: @Sendable (SimulatedCollectionView) throws -> Result
    ) rethrows -> Result { try body(view) }

    /// Scrolls to a content offset, as far as the content allows. A direction without a value does
    /// not change.
    func scroll(x: Double? = nil, y: Double? = nil) {
        let current = view.contentOffset
        view.scroll(by: Point(x: (x ?? current.x) - current.x, y: (y ?? current.y) - current.y))
    }

    /// Waits until the required deferred measurements have finished, including those of elements
    /// that become near because of them.
    func settle() async {
        view.layoutIfNeeded()
        await controller.whenReached(.completed)
    }

    // MARK: Pictures

    /// Returns a picture of the whole view. Throws the first error of the layout or the view, if
    /// any.
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

    /// Returns a picture at each vertical offset.
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

    /// Changes the collection and records the changes. Returns a picture of the states before and
    /// after.
    func update(
        _ title: String = "",
        _ change: @escaping @Sendable (inout BatchRecorder, inout [GallerySection]) -> Void
    ) async throws -> UpdatePicture {
        let before = try picture(title)
        let result = try await controller.performBatchUpdates { source, changes in
            change(&changes, &source.sections)
        }
        guard case .deployed = result.outcome, let update = newest.changeSet else {
            throw GalleryFault("the view did not deploy the update '\(title)'")
        }
        return UpdatePicture(old: before, new: try picture(title), applying: update)
    }

    /// Returns the newest update halfway through its animation.
    func middle(of update: UpdatePicture, _ title: String) -> LayoutPicture {
        var middle = update.moment(0.5, of: view.transitions)
        middle.title = title
        return middle
    }

    /// Reloads everything with cells that request the sizes of their texts. Returns a picture of
    /// the states before and after.
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

/// Keeps the newest validated change set.
private final class NewestUpdate: UpdateFacilitator, @unchecked Sendable {
    // Used only on the main lane of the stage.
    private(set) var changeSet: ValidatedChangeSet?

    func willDeploy(_ update: ViewUpdate) { changeSet = update.changeSet }
}

/// A cell that requests the size of its text, whatever its estimate was.
final class TextCell: CollectionViewCell {
    override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes)
        -> LayoutAttributes
    {
        guard let content, let node = content.element.nodeIfAllocated as? GalleryNode else {
            return attributes
        }
        var preferred = attributes
        preferred.size = node.textSize(in: content.sizeRange)
        return preferred
    }
}
