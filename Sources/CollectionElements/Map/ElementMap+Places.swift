extension ElementMap {
    /// The element at `place`, item or supplementary, or nil if there is none.
    ///
    /// Complexity: O(log n), without allocation.
    public func element(at place: ElementPlace) -> CollectionElement? {
        content(at: place)?.element
    }

    /// What the element at `place` shows in this map.
    public func content(at place: ElementPlace) -> ElementContent? {
        guard let kind = place.kind else { return content(at: place.path) }
        return supplementaryContent(ofKind: kind, at: place.path)
    }

    /// Where `element` is, with its kind, or nil if it is not in this map.
    ///
    /// Complexity: that of ``path(of:)``.
    public func place(of element: CollectionElement) -> ElementPlace? {
        path(of: element).map { ElementPlace(path: $0, kind: element.kind) }
    }
}
