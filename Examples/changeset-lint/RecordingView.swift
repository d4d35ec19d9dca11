import CollectionPipeline

/// A view that is always ready: it deploys every update at once, and keeps the last one.
///
/// Its state stays on the main lane; the pipeline calls it nowhere else, but to attach it.
final class RecordingView: CollectionView, @unchecked Sendable {  // see above
    private(set) var lastUpdate: ViewUpdate?

    /// There is nothing that the view needs a lane for.
    func attach(to lane: any Lane) {}

    var elementSizeRange: SizeRange { .unconstrained }

    var firstVisiblePath: ItemPath? { nil }

    func perform(_ update: ViewUpdate) {
        update.deploy { self.lastUpdate = $0 }
        update.finish()
    }
}
