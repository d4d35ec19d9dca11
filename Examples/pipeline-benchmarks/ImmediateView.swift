import CollectionPipeline

/// A view with nothing to draw: every update is deployed and done at once.
final class ImmediateView: CollectionView {
    let elementSizeRange = SizeRange.width(80)

    var firstVisiblePath: ItemPath? { ItemPath(section: 0, item: 0) }

    func attach(to lane: any Lane) {}

    func perform(_ update: ViewUpdate) {
        update.deploy { _ in }
        update.finish()
    }
}
