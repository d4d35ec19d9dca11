import CollectionLayouts
import SimulatedView

extension LayoutPicture {
    /// Takes a picture of a view as it is now: whatever its layout answers for the part that is drawn,
    /// whether or not it is visible, with the view's insets and selection. Where the view has a range controller
    /// its ranges are in the picture, how near to the viewport each element is, and whether it has a node. An
    /// inverted view is drawn as a reader sees it.
    ///
    /// The view lays itself out first, if it must; it does nothing else on account of being pictured, and
    /// makes no views of what is out of sight.
    ///
    /// ```swift
    /// let picture = LayoutPicture(of: view) { _, element in
    ///     (element?.nodeIfAllocated as? PostNode)?.text
    /// }
    /// ```
    ///
    /// Shape: places are of the state that the view shows. Of a place that the layout answers twice the
    /// first counts, as in the view.
    ///
    /// Threading: the view's main lane, where the closures are called too.
    ///
    /// - Parameters:
    ///   - view: what is pictured.
    ///   - title: what stands above it.
    ///   - area: the part to draw; nil for the viewport and the content, as far as ``largestExtent`` allows.
    ///   - text: what stands on an element, where it is wrapped to the width; nothing by default.
    ///   - key: who is at a place, whatever the place; nil, the default, where nobody knows. Both are given
    ///     the pipeline's element, nil where there is none: for decorations, and in a view that a data
    ///     source of views fills.
    ///
    /// Complexity: that of the layout's answer, and O(m) for m characters of text.
    public init(
        of view: SimulatedCollectionView,
        title: String = "",
        area: Rect? = nil,
        text: (_ place: LayoutPlace, _ element: CollectionElement?) -> String? = { _, _ in nil },
        key: (_ place: LayoutPlace, _ element: CollectionElement?) -> String? = { _, _ in nil }
    ) {
        view.layoutIfNeeded()
        self.init(bounds: view.bounds, contentSize: view.contentSize)
        self.title = title
        self.area = area
        insets = view.adjustedContentInset + view.layoutMargins
        isRightToLeft = view.isRightToLeft
        invertedAxis = view.isInverted ? view.collectionViewLayout.scrollDirection : nil
        let controller = view.rangeController
        ranges = controller.map(PicturedRanges.init)
        let states = controller.map(Self.states)
        let map = view.map
        let selected = Set(view.indexPathsForSelectedItems)
        var seen: Set<LayoutPlace> = []
        let shown = PictureArea(self).shown
        for attributes in view.collectionViewLayout.layoutAttributesForElements(in: shown) {
            let place = attributes.place
            guard seen.insert(place).inserted else { continue }
            let element = map.element(at: place)
            var pictured = PicturedElement(
                attributes,
                key: key(place, element),
                lines: PictureText.lines(
                    of: text(place, element) ?? "",
                    width: attributes.size.width
                ),
                isSelected: place.category == .cell && selected.contains(place.path)
            )
            if let states, let element {
                pictured.interfaceState = states[element] ?? []
                pictured.hasNode = element.nodeIfAllocated != nil
            }
            elements.append(pictured)
        }
    }

    /// What the elements around the viewport were found to be in; looked up and never iterated.
    private static func states(
        _ controller: RangeController
    ) -> [CollectionElement: InterfaceState] {
        var states: [CollectionElement: InterfaceState] = [:]
        for state in [InterfaceState.preload, .display, .visible] {
            for element in controller.elements(in: state) {
                states[element, default: []].insert(state)
            }
        }
        return states
    }
}

extension ElementMap {
    fileprivate func element(at place: LayoutPlace) -> CollectionElement? {
        switch place.category {
        case .cell: element(at: place.path)
        case .supplementary(let kind): supplementary(ofKind: kind, at: place.path)
        case .decoration: nil
        }
    }
}
