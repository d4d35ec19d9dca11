/// Neighbours that stay neighbours: `count` items from `oldPath` on are those from `newPath` on.
///
/// A run lies in one section on either side; it says that its items are the same before and after, not whether
/// they stay or move. Nothing is checked.
@usableFromInline
package struct SurvivingRun: Hashable, Sendable {
    @usableFromInline package var oldSection: Int
    @usableFromInline package var oldItem: Int
    @usableFromInline package var newSection: Int
    @usableFromInline package var newItem: Int
    @usableFromInline package var count: Int

    @inlinable
    package init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int) {
        self.oldSection = oldSection
        self.oldItem = oldItem
        self.newSection = newSection
        self.newItem = newItem
        self.count = count
    }
}

extension SurvivingRun {
    var oldItems: Range<Int> { oldItem..<(oldItem + count) }

    func oldPath(at offset: Int) -> ItemPath {
        ItemPath(section: oldSection, item: oldItem + offset)
    }

    func newPath(at offset: Int) -> ItemPath {
        ItemPath(section: newSection, item: newItem + offset)
    }

    /// The part of the run that has some of its old items.
    func part(_ oldItems: Range<Int>) -> SurvivingRun {
        SurvivingRun(
            oldSection: oldSection,
            oldItem: oldItems.lowerBound,
            newSection: newSection,
            newItem: newItem + (oldItems.lowerBound - oldItem),
            count: oldItems.count
        )
    }
}
