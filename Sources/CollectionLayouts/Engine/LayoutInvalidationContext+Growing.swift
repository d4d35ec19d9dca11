extension LayoutInvalidationContext {
    /// Says what it does to the content that an element takes another size.
    ///
    /// - Parameters:
    ///   - growth: that of the content and not of the element, which may differ in the last digit: whoever
    ///     adds it to the content size must get what is answered from then on.
    ///   - oldFrame: where the element was, in content coordinates.
    ///   - visible: what is to stay where it is, in the same; nil without a view.
    ///   - isReversed: whether what is first lies at the far end of the scroll direction.
    func adjust(
        by growth: Double,
        of oldFrame: Rect,
        keeping visible: Rect?,
        _ direction: ScrollDirection,
        isReversed: Bool = false
    ) {
        contentSizeAdjustment = Size(along: growth, across: 0, direction)
        guard let visible else { return }
        let (old, shown) = (AxisRect(oldFrame, direction), AxisRect(visible, direction))
        // From far to near, what comes before an element moves, and what comes behind it stays.
        let movesWhatIsShown =
            isReversed ? old.along < shown.alongEnd : old.alongEnd <= shown.along
        if movesWhatIsShown {
            contentOffsetAdjustment = Point(along: growth, across: 0, direction)
        }
    }
}
