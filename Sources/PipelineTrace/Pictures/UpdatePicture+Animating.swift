import CollectionLayouts
import SimulatedView

extension UpdatePicture {
    /// Returns a moment of the update's animation. Elements that are inserted, deleted or moved are
    /// on their way; all others are at their place in ``new``. Deleted elements look as in ``old``,
    /// all others as in ``new``.
    ///
    /// ```swift
    /// let picture = UpdatePicture(old: before, new: after, edits: [])
    /// let middle = picture.moment(0.5, of: view.transitions)
    /// ```
    ///
    /// Shape: the places of deleted elements are in the index space before the update, so that a
    /// place may occur twice.
    ///
    /// - Parameters:
    ///   - progress: The progress of the animation, from 0, the beginning, to 1, the end. Values
    ///     outside are clamped.
    ///   - transitions: The view's transitions, read directly after the update.
    ///
    /// Complexity: O(n + t) for n elements in the pictures and t transitions.
    public func moment(_ progress: Double, of transitions: [ViewTransition]) -> LayoutPicture {
        // The comparison is also false if `progress` is not a number.
        let progress = progress > 0 ? min(progress, 1) : 0
        func place(_ element: PicturedElement) -> LayoutPlace { element.attributes.place }
        let leaving = Dictionary(old.elements.map { (place($0), $0) }, uniquingKeysWith: { $1 })
        var underway: [LayoutPlace: LayoutAttributes] = [:]
        var picture = new
        picture.elements = []
        for transition in transitions {
            let attributes = transition.start.moved(progress, towards: transition.end)
            if let place = transition.newPlace {
                underway[place] = attributes
            } else if let oldPlace = transition.oldPlace {
                var element = leaving[oldPlace] ?? PicturedElement(attributes)
                element.attributes = attributes
                picture.elements.append(element)
            }
        }
        for var element in new.elements {
            if let attributes = underway[place(element)] { element.attributes = attributes }
            picture.elements.append(element)
        }
        picture.bounds.origin = old.bounds.origin.moved(progress, towards: new.bounds.origin)
        return picture
    }
}

extension LayoutAttributes {
    fileprivate func moved(_ progress: Double, towards end: LayoutAttributes) -> LayoutAttributes {
        func between(_ value: KeyPath<LayoutAttributes, Double>) -> Double {
            self[keyPath: value].moved(progress, towards: end[keyPath: value])
        }
        var attributes = end
        attributes.center = center.moved(progress, towards: end.center)
        attributes.size.width = between(\.size.width)
        attributes.size.height = between(\.size.height)
        attributes.alpha = between(\.alpha)
        attributes.transform = AffineTransform(
            a: between(\.transform.a),
            b: between(\.transform.b),
            c: between(\.transform.c),
            d: between(\.transform.d),
            tx: between(\.transform.tx),
            ty: between(\.transform.ty)
        )
        return attributes
    }
}

extension Point {
    fileprivate func moved(_ progress: Double, towards end: Point) -> Point {
        Point(x: x.moved(progress, towards: end.x), y: y.moved(progress, towards: end.y))
    }
}

extension Double {
    fileprivate func moved(_ progress: Double, towards end: Double) -> Double {
        // The sum may miss the end by a rounding error.
        progress == 1 ? end : self + (end - self) * progress
    }
}
