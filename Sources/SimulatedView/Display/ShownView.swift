import CollectionChanges
import CollectionLayouts

/// A view in the viewport, or on its way there. Main lane.
final class ShownView {
    let view: CollectionReusableView
    fileprivate(set) var place: LayoutPlace
    /// Where it was before the newest update, until it is laid out after that.
    fileprivate var oldPlace: LayoutPlace?
    /// What was applied last.
    var attributes: LayoutAttributes
    /// Whether `willDisplay` was called for it.
    var isAnnounced = false
    /// Whether it is to be asked for the size that it wants.
    var needsPreferred = true

    init(_ view: CollectionReusableView, _ attributes: LayoutAttributes) {
        self.view = view
        self.attributes = attributes
        place = attributes.place
    }

    /// Stands where it stood before the update that is under way.
    func returnToOldPlace() {
        place = attributes.place
        oldPlace = nil
    }

    /// It is laid out at its place, which counts from now on.
    func settled() { oldPlace = nil }

    /// Where it was shown last, in the index space of then.
    var lastPlace: LayoutPlace { oldPlace ?? place }
}

/// The views that are shown, ascending by place: cells, then supplementary views, then decorations.
///
/// Complexity: look-ups are O(log v) for v views; putting one in at the end, as passes mostly do, is
/// O(log v) too.
struct ShownViews {
    private(set) var all: [ShownView] = []

    subscript(place: LayoutPlace) -> ShownView? {
        all.sortedPosition(of: place) { $0.place }.map { all[$0] }
    }

    /// The views of cells.
    var cells: ArraySlice<ShownView> {
        all[..<partitionPoint(all.count) { all[$0].place.category != .cell }]
    }

    mutating func insert(_ view: ShownView) {
        all.insert(view, at: partitionPoint(all.count) { all[$0].place >= view.place })
    }

    mutating func remove(_ place: LayoutPlace) -> ShownView? {
        all.sortedPosition(of: place) { $0.place }.map { all.remove(at: $0) }
    }

    /// Gives every view its new place, and takes those out that have none, which are the answer.
    mutating func rekey(_ newPlace: (LayoutPlace) -> LayoutPlace?) -> [ShownView] {
        var gone: [ShownView] = []
        var kept: [ShownView] = []
        for view in all {
            if let place = newPlace(view.place) {
                (view.place, view.oldPlace) = (place, view.place)
                kept.append(view)
            } else {
                view.oldPlace = nil
                gone.append(view)
            }
        }
        all = kept.sorted { $0.place < $1.place }
        return gone
    }
}
