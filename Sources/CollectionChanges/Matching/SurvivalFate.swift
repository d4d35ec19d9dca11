/// What becomes of a run of items that are the same before and after.
enum SurvivalFate: UInt8 {
    /// It is removed, and inserted anew: the profile has no move for it, or it is replaced out of its place.
    case ends
    case stays
    case moves
    /// Every item of the run is replaced at its place.
    case isReplaced
}
