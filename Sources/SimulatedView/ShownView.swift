import CollectionLayouts

/// A view in the viewport, or on its way there. Main lane.
final class ShownView {
    let view: CollectionReusableView
    fileprivate(set) var place: LayoutPlace
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
}

/// The views that are shown, ascending by place: cells, then supplementary views, then decorations.
///
/// Complexity: look-ups are O(log v) for v views; putting one in at the end, as passes mostly do, is
/// O(log v) too.
struct ShownViews {
    private(set) var all: [ShownView] = []

    private func position(of place: LayoutPlace) -> Int {
        partitionPoint(all.count) { !(all[$0].place < place) }
    }

    subscript(place: LayoutPlace) -> ShownView? {
        let position = position(of: place)
        guard position < all.count, all[position].place == place else { return nil }
        return all[position]
    }

    /// The views of cells.
    var cells: ArraySlice<ShownView> {
        all[..<partitionPoint(all.count) { all[$0].place.category != .cell }]
    }

    mutating func insert(_ view: ShownView) {
        all.insert(view, at: position(of: view.place))
    }

    mutating func remove(_ place: LayoutPlace) -> ShownView? {
        let position = position(of: place)
        guard position < all.count, all[position].place == place else { return nil }
        return all.remove(at: position)
    }

    /// Gives every view its new place, and takes those out that have none, which are the answer.
    mutating func rekey(_ newPlace: (LayoutPlace) -> LayoutPlace?) -> [ShownView] {
        var gone: [ShownView] = []
        var kept: [ShownView] = []
        for view in all {
            if let place = newPlace(view.place) {
                view.place = place
                kept.append(view)
            } else {
                gone.append(view)
            }
        }
        all = kept.sorted { $0.place < $1.place }
        return gone
    }
}
