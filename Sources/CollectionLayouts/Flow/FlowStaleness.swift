/// What was invalidated since a flow layout was last prepared. One that has laid out nothing yet asks for
/// everything regardless.
struct FlowStaleness {
    /// Not even sizes that views asked for are kept.
    var everything = false
    /// Sizes and metrics must be asked for again.
    var metrics = false
    /// The view's counts may be others.
    var counts = false
    /// Lines must be broken again.
    var attributes = false
    /// Items whose sizes must be asked for again.
    var items: Set<ItemPath> = []
    /// Sections whose headers and footers must be asked for again.
    var sections: Set<Int> = []
    /// What made all of it stale, where that was not as it should be.
    var mistake: LayoutError?

    /// Takes single items and sections along to where they are now; what went is no longer asked for.
    mutating func follow(_ update: ValidatedChangeSet) {
        items = Set(items.compactMap(update.newPath))
        sections = Set(sections.compactMap(update.newSection))
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
}
