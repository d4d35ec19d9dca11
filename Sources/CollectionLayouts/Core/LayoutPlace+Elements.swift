import CollectionElements

// From places on a layout to what a map has there, and back.

extension LayoutPlace {
    /// The view of an element.
    public init(_ place: ElementPlace) {
        self.init(place.kind.map { .supplementary($0) } ?? .cell, place.path)
    }

    /// The element whose view this is; nil for a decoration, which has none.
    public var elementPlace: ElementPlace? {
        switch category {
        case .cell: ElementPlace(path: path)
        case .supplementary(let kind): ElementPlace(path: path, kind: kind)
        case .decoration: nil
        }
    }
}

extension ElementMap {
    /// The element whose view is at `place`, or nil if there is none.
    ///
    /// Shape: the place is one of the state that this map is of; of the view's visible map, where a layout says it.
    /// Complexity: O(log n), without allocation.
    public func element(at place: LayoutPlace) -> CollectionElement? {
        place.elementPlace.flatMap(element)
    }

    /// What the element whose view is at `place` shows in this map.
    public func content(at place: LayoutPlace) -> ElementContent? {
        place.elementPlace.flatMap(content)
    }
}
