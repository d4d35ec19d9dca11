/// What a profile lets survive. What it does not is removed and inserted anew.
struct SurvivalRules {
    /// Whether items and sections move at all. `texture` takes every move apart.
    let movesAtAll: Bool

    /// Whether items move out of deleted and replaced sections, and into inserted and replaced ones.
    let movesAcrossFreshSections: Bool

    /// Whether an item moves between two sections of which the new one has the number that the old one had.
    /// Early UIKit then counts it as staying.
    let movesBetweenEqualNumbers: Bool

    /// Whether a reload stands beside moves. UIKit takes no account of moves when it places a reload, so it may
    /// meet one.
    let reloadsBesideMoves: Bool

    /// Whether anything is reloaded at all, or removed and inserted anew.
    let reloads: Bool
}

/// What becomes of a run of items that are the same before and after.
enum SurvivalFate: UInt8 {
    /// It is removed, and inserted anew: the profile has no move for it, or it is replaced out of its place.
    case ends
    case stays
    case moves
    /// Every item of the run is replaced at its place.
    case isReplaced
}
