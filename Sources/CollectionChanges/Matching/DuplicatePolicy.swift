/// What a difference makes of identifiers that occur more than once on one side.
@nonexhaustive
public enum DuplicatePolicy: Hashable, Sendable {
    /// Equal identifiers are told apart by their occurrence.
    ///
    /// As many survive as both sides have. Those found by comparing both sides in order are matched first; of the
    /// others the first old one is matched with the first new one, the second with the second, and so on.
    case byOccurrence

    /// A second occurrence on one side, in whatever section, is an error that names both.
    ///
    /// That there is none shows only when every identifier was hashed, which takes several times as long as the
    /// difference of two sides of which most is the same.
    case refuse
}
