/// Neighbours that stay neighbours: `count` items from `oldPath` on are those from `newPath` on.
///
/// A run lies in one section on either side; it says that its items are the same before and after, not whether
/// they stay or move. Nothing is checked.
@usableFromInline
package struct SurvivingRun: SurvivorRun, Hashable, Sendable {
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
