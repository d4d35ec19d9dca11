/// What laying out a flow has cost, and shown.
struct FlowNotes {
    var diagnostics = LayoutDiagnostics()
    var work = FlowWork()

    /// Takes note of a section that was laid out.
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

/// What a flow layout has done, in steps that cost.
package struct FlowWork {
    /// How many sizes of items were asked for.
    package var askedSizes = 0
    /// How many lines were broken.
    package var brokenLines = 0
    /// How many sections were laid out.
    package var laidOutSections = 0
    /// How many items queries have looked at.
    package var visitedItems = 0

    mutating func add(_ more: FlowWork) {
        askedSizes += more.askedSizes
        brokenLines += more.brokenLines
        laidOutSections += more.laidOutSections
        visitedItems += more.visitedItems
    }
}

/// The mean of the sizes that views asked for.
struct PreferredSizeMean {
    private var count = 0.0
    private var width = 0.0
    private var height = 0.0

    mutating func add(_ size: Size) {
        count += 1
        width += size.width
        height += size.height
    }

    /// nil before any, and where the sums are no size.
    var mean: Size? {
        let size = Size(width: width / count, height: height / count)
        return size.isValid ? size : nil
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
