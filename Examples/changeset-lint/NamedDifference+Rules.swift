import CollectionPipeline

extension NamedDifference {
    /// The rule by which `standard` and `strict` accept what `texture` rejects for `code`.
    static func accepting(_ code: HierarchyUpdateError.Code) -> NamedDifference? {
        switch code {
        case .emptyItemOp, .emptySectionOp: .emptyOperations
        case .reloadDataTwice: .repeatedReloadData
        default: nil
        }
    }

    /// The rule by which `standard` and `strict` reject for `code` what `texture` accepts.
    ///
    /// Where both check the same, they agree: so a range is at fault only where the original does
    /// not look, and a reload conflicts only with the delete of its whole section.
    static func refusing(_ code: HierarchyUpdateError.Code) -> NamedDifference? {
        switch code {
        case .duplicateDeleteItem, .duplicateDeleteSection, .duplicateInsertItem,
            .duplicateInsertSection:
            .duplicatesRejected
        case .deleteAndReloadItem: .reloadConflicts
        case .deleteItemSectionRange, .deleteItemRange, .insertItemSectionRange, .insertItemRange,
            .moveItemSourceSectionRange, .moveItemSourceRange, .moveItemTargetSectionRange,
            .moveItemTargetRange:
            .boundsChecked
        case .deleteAndMoveItem, .deleteAndMoveSection, .insertAndMoveItem, .insertAndMoveSection,
            .moveItemToTwoPlaces, .moveSectionToTwoPlaces, .moveTwoItemsToOnePlace,
            .moveTwoSectionsToOnePlace:
            .movesRejected
        default: nil
        }
    }
}
