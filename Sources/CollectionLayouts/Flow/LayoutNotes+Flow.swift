extension LayoutNotes {
    /// Takes note of a section that was laid out in lines.
    mutating func laidOut(_ section: FlowSection, _ index: Int) -> FlowSection {
        work.laidOutSections += 1
        work.brokenLines += section.brokenLineCount
        if section.hasOversizeItem {
            diagnostics.report(
                .oversizeItem(inSection: index, section.rules.environment.direction)
            )
        }
        return section
    }
}

extension LayoutError {
    static func oversizeItem(
        inSection section: Int,
        _ direction: ScrollDirection
    ) -> LayoutError {
        let (extent, first, second) =
            direction == .vertical ? ("width", "left", "right") : ("height", "top", "bottom")
        return LayoutError(
            .itemExceedsLine,
            message: """
                The behavior of the UICollectionViewFlowLayout is not defined because: the item \
                \(extent) must be less than the \(extent) of the UICollectionView minus the section \
                insets \(first) and \(second) values, minus the content insets \(first) and \
                \(second) values. Please check the values returned by the delegate. (section \
                \(section))
                """
        )
    }
}
