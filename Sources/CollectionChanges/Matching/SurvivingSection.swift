/// A section that is there before and after.
@usableFromInline
package struct SurvivingSection: Hashable, Sendable {
    @usableFromInline package var oldSection: Int
    @usableFromInline package var newSection: Int

    /// Whether the section and all that is in it is to be replaced, as by a reload.
    @usableFromInline package var isReplaced: Bool

    @inlinable
    package init(oldSection: Int, newSection: Int, isReplaced: Bool = false) {
        self.oldSection = oldSection
        self.newSection = newSection
        self.isReplaced = isReplaced
    }
}
