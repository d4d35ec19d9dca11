import CollectionLayouts
import SimulatedView

extension LayoutPicture {
    /// Creates a picture of the current state of a view: the elements that its layout returns for
    /// the drawn part, visible or not, with the view's insets and selection. If the view has a
    /// range controller, the picture includes the ranges, the interface state of each element, and
    /// whether it has a node. An inverted view is drawn as it appears on the screen.
    ///
    /// The view performs its layout first if necessary. Apart from that, taking a picture has no
    /// effect on the view and creates no cells outside the viewport.
    ///
    /// ```swift
    /// let picture = LayoutPicture(of: view) { _, element in
    ///     (element?.nodeIfAllocated as? PostNode)?.text
    /// }
    /// ```
    ///
    /// Shape: places refer to the state that the view shows. If the layout returns a place twice,
    /// the first counts, as in the view.
    ///
    /// Threading: call it on the view's main lane; the closures are called there too.
    ///
    /// - Parameters:
    ///   - view: The view to draw.
    ///   - title: The title above the picture.
    ///   - area: The part to draw; `nil` for the viewport and the content, as far as
    ///     ``largestExtent`` allows.
    ///   - text: A closure that returns the text of the element at a place, which is then wrapped
    ///     to the width of the element. By default there is no text.
    ///   - key: A closure that returns the identity of the element at a place, which does not
    ///     depend on the place; `nil`, the default, if it is unknown. Both closures receive the
    ///     pipeline's element. It is `nil` for decorations, and in a view whose data source
    ///     provides cells directly.
    ///
    /// Complexity: that of the layout's query, and O(m) for m characters of text.
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

    /// The interface states of the elements around the viewport; looked up and never iterated.
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
