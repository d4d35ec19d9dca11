extension HierarchyUpdateError {
    /// The name of a fault. New codes may come, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // Shapes

        /// A data source reported a negative number of sections.
        public static let negativeSectionCount = Code(rawValue: "negativeSectionCount")
        /// A data source reported a negative number of items.
        public static let negativeItemCount = Code(rawValue: "negativeItemCount")
        /// More sections than the limits allow.
        public static let tooManySections = Code(rawValue: "tooManySections")
        /// More items than the limits allow.
        public static let tooManyItems = Code(rawValue: "tooManyItems")

        // Reload conflicts

        /// The same item is deleted, or lies in a deleted section, and is reloaded.
        public static let deleteAndReloadItem = Code(rawValue: "deleteAndReloadItem")
        /// The same section is deleted and reloaded.
        public static let deleteAndReloadSection = Code(rawValue: "deleteAndReloadSection")

        // Deletes

        /// A section is deleted or reloaded that does not exist.
        public static let deleteSectionRange = Code(rawValue: "deleteSectionRange")
        /// An item is deleted or reloaded in a section that does not exist.
        public static let deleteItemSectionRange = Code(rawValue: "deleteItemSectionRange")
        /// An item is deleted or reloaded that does not exist.
        public static let deleteItemRange = Code(rawValue: "deleteItemRange")
        /// A section is deleted or reloaded, and moved.
        public static let deleteAndMoveSection = Code(rawValue: "deleteAndMoveSection")
        /// An item is deleted or reloaded, and moved.
        public static let deleteAndMoveItem = Code(rawValue: "deleteAndMoveItem")
        /// A section is deleted twice.
        public static let duplicateDeleteSection = Code(rawValue: "duplicateDeleteSection")
        /// An item is deleted twice.
        public static let duplicateDeleteItem = Code(rawValue: "duplicateDeleteItem")

        // Inserts

        /// A section is inserted beyond the new end.
        public static let insertSectionRange = Code(rawValue: "insertSectionRange")
        /// An item is inserted into a section that does not exist.
        public static let insertItemSectionRange = Code(rawValue: "insertItemSectionRange")
        /// An item is inserted beyond the new end of its section.
        public static let insertItemRange = Code(rawValue: "insertItemRange")
        /// A section is inserted where another is moved to.
        public static let insertAndMoveSection = Code(rawValue: "insertAndMoveSection")
        /// An item is inserted where another is moved to.
        public static let insertAndMoveItem = Code(rawValue: "insertAndMoveItem")
        /// A section is inserted twice.
        public static let duplicateInsertSection = Code(rawValue: "duplicateInsertSection")
        /// An item is inserted twice.
        public static let duplicateInsertItem = Code(rawValue: "duplicateInsertItem")

        // Moves

        /// A section is moved that does not exist.
        public static let moveSectionSourceRange = Code(rawValue: "moveSectionSourceRange")
        /// A section is moved beyond the new end.
        public static let moveSectionTargetRange = Code(rawValue: "moveSectionTargetRange")
        /// An item is moved from a section that does not exist.
        public static let moveItemSourceSectionRange = Code(rawValue: "moveItemSourceSectionRange")
        /// An item is moved that does not exist.
        public static let moveItemSourceRange = Code(rawValue: "moveItemSourceRange")
        /// An item is moved into a section that does not exist.
        public static let moveItemTargetSectionRange = Code(rawValue: "moveItemTargetSectionRange")
        /// An item is moved beyond the new end of a section.
        public static let moveItemTargetRange = Code(rawValue: "moveItemTargetRange")
        /// A section is moved to two places.
        public static let moveSectionToTwoPlaces = Code(rawValue: "moveSectionToTwoPlaces")
        /// An item is moved to two places.
        public static let moveItemToTwoPlaces = Code(rawValue: "moveItemToTwoPlaces")
        /// Two sections are moved to one place.
        public static let moveTwoSectionsToOnePlace = Code(rawValue: "moveTwoSectionsToOnePlace")
        /// Two items are moved to one place.
        public static let moveTwoItemsToOnePlace = Code(rawValue: "moveTwoItemsToOnePlace")
        /// An item is moved out of a deleted or reloaded section; `strict` only.
        public static let moveOutOfDeletedSection = Code(rawValue: "moveOutOfDeletedSection")
        /// An item is moved into an inserted or reloaded section; `strict` only.
        public static let moveIntoInsertedSection = Code(rawValue: "moveIntoInsertedSection")

        // In-place updates

        /// An item is reconfigured that does not exist.
        public static let reconfigureItemRange = Code(rawValue: "reconfigureItemRange")
        /// A section is reconfigured that does not exist.
        public static let reconfigureSectionRange = Code(rawValue: "reconfigureSectionRange")
        /// Supplementary elements are reloaded in a section that does not exist.
        public static let supplementarySectionRange = Code(rawValue: "supplementarySectionRange")

        // Counts

        /// The number of sections does not come out.
        public static let sectionCount = Code(rawValue: "sectionCount")
        /// The number of items of a section does not come out.
        public static let itemCount = Code(rawValue: "itemCount")

        // Edits from outside

        /// An edit stands where the fixed order does not allow it.
        public static let editOutOfOrder = Code(rawValue: "editOutOfOrder")
        /// The two halves of a reload or move do not name each other, or an edit has a role that
        /// its run cannot have.
        public static let editUnlinked = Code(rawValue: "editUnlinked")
        /// An edit is legal, but not what the change set amounts to.
        public static let editMismatch = Code(rawValue: "editMismatch")

        // The `texture` profile only. The original judges in two stages. `emptyItemOp`,
        // `emptySectionOp` and `reloadDataTwice` are the faults of the first, the submission of
        // operations: they come before all others, in the order of operations, and name theirs.
        // Every other code belongs to the second, the completion of the set.

        /// An operation names no item.
        public static let emptyItemOp = Code(rawValue: "emptyItemOp")
        /// An operation names no section.
        public static let emptySectionOp = Code(rawValue: "emptySectionOp")
        /// A reloaded section has no place in the new collection.
        public static let reloadDeletedSection = Code(rawValue: "reloadDeletedSection")
        /// None of the items of one reload has a place in the new collection.
        public static let reloadWithoutTarget = Code(rawValue: "reloadWithoutTarget")
        /// The whole collection is reloaded twice in one record.
        public static let reloadDataTwice = Code(rawValue: "reloadDataTwice")
    }
}
