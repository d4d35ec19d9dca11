import CollectionPipeline

/// An intended difference between a result and the recorded one, with its reason.
enum NamedDifference: String, CaseIterable, Sendable {
    // Differences from Texture's results in every profile.

    case modifyCompleted
    case readIncomplete
    case mappingBeforeComplete
    case completeTwice
    case completedByProbe
    case duplicatesAppliedOnce
    case reloadedRows
    case reloadDataEdits

    // Differences of `standard` and `strict` from the results in `texture`.

    case ownFaults
    case emptyOperations
    case repeatedReloadData
    case duplicatesRejected
    case reloadConflicts
    case boundsChecked
    case realMoves
    case movesRejected
    case movedCounts
    case earlyFaults

    var reason: String {
        switch self {
        case .modifyCompleted, .readIncomplete, .mappingBeforeComplete, .completeTwice:
            "recording and result are values of two types, so this misuse does not compile"
        case .completedByProbe:
            "a recording cannot be completed early, so the fault cannot appear there"
        case .duplicatesAppliedOnce:
            "Texture counts a repeated path once and applies it twice; here it is applied once"
        case .reloadedRows:
            "Texture maps items through a section that was replaced; here they map to nothing"
        case .reloadDataEdits:
            "Texture has no edits for a reload of all data; here every old section is deleted and"
                + " every new one is inserted"
        case .ownFaults:
            "both reject; the fault is found, named and worded as in UIKit"
        case .emptyOperations:
            "Texture asserts that an operation is not empty; here it may be empty"
        case .repeatedReloadData:
            "Texture asserts that data is reloaded once; here the second reload changes nothing"
        case .duplicatesRejected:
            "Texture counts a repeated index once; here it is a fault"
        case .reloadConflicts:
            "Texture drops the reload of an item in a deleted section; here it is a fault"
        case .boundsChecked:
            "Texture accepts edits in deleted, inserted and reloaded sections unchecked; here every"
                + " path must exist"
        case .realMoves:
            "Texture deletes and inserts an item that moves; here it keeps its identity"
        case .movesRejected:
            "a move is not a delete and an insert here, so it must not coincide with either"
        case .movedCounts:
            "a moved item or section keeps its identity here, so the counts must match at both ends"
        case .earlyFaults:
            "standard accepts it, as Texture does; strict rejects what some versions of UIKit rejected"
        }
    }
}

extension NamedDifference {
    /// Returns the rule by which `standard` and `strict` accept a change set that `texture` rejects
    /// with `code`.
    static func accepting(_ code: HierarchyUpdateError.Code) -> NamedDifference? {
        switch code {
        case .emptyItemOp, .emptySectionOp: .emptyOperations
        case .reloadDataTwice: .repeatedReloadData
        default: nil
        }
    }

    /// Returns the rule by which `standard` and `strict` reject with `code` a change set that
    /// `texture` accepts.
    ///
    /// Wherever both profiles check the same thing, they agree. So a range is invalid only where
    /// Texture does not check it, and a reload conflicts only with the delete of its whole section.
    static func rejecting(_ code: HierarchyUpdateError.Code) -> NamedDifference? {
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
