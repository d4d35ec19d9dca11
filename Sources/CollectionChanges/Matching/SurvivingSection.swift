/// A section that is there before and after.
package struct SurvivingSection: Hashable, Sendable {
    package var oldSection: Int
    package var newSection: Int

    /// Whether the section and all that is in it is to be replaced, as by a reload.
    package var isReplaced: Bool

    @inlinable
    package init(oldSection: Int, newSection: Int, isReplaced: Bool = false) {
        self.oldSection = oldSection
        self.newSection = newSection
        self.isReplaced = isReplaced
    }
}
