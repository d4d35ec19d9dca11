/// Where an answer means to differ from a recorded one, and why.
enum NamedDifference: String, CaseIterable, Sendable {
    // Of every profile, from what the original answers.

    case modifyCompleted
    case readIncomplete
    case mappingBeforeComplete
    case completeTwice
    case completedByProbe
    case duplicatesAppliedOnce
    case reloadedRows
    case reloadDataEdits

    // Of `standard` and `strict`, from what `texture` answers.

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
            "recording and result are values of two types, so the misuse cannot be written"
        case .completedByProbe:
            "nothing completes in the middle of recording, so the fault cannot show there"
        case .duplicatesAppliedOnce:
            "the original counts a repeated path once and applies it twice; here it is applied once"
        case .reloadedRows:
            "the original maps items through a section that was replaced; here they map to nothing"
        case .reloadDataEdits:
            "the original has no edits then; here every section is deleted, every new one inserted"
        case .ownFaults:
            "both reject; the fault is named, found and worded as UIKit does"
        case .emptyOperations:
            "the original asserts that an operation names something; here it may name nothing"
        case .repeatedReloadData:
            "the original asserts that data is reloaded once; here the second time changes nothing"
        case .duplicatesRejected:
            "the original counts a repeated index once; here it is a fault"
        case .reloadConflicts:
            "the original drops the reload of an item in a deleted section; here it is a fault"
        case .boundsChecked:
            "the original absorbs edits in deleted, inserted and reloaded sections unchecked; here"
                + " every path must exist"
        case .realMoves:
            "the original deletes and inserts what moves; here it keeps its identity"
        case .movesRejected:
            "a move is not a delete and an insert here, and must not meet either at its ends"
        case .movedCounts:
            "what moves keeps its identity and items here, so the counts must come out at both ends"
        case .earlyFaults:
            "standard accepts it as the original does; strict rejects what any UIKit ever rejected"
        }
    }
}
