/// What opening a journal may drop that cannot be read.
@nonexhaustive
public enum JournalCut: Hashable, Sendable {
    /// Nothing: any fault is an error.
    case nothing
    /// What nobody was promised: a torn end, and what follows a gap in records that were not synced. The
    /// default.
    case unpromised
    /// Everything from the first fault on, also records that are whole: the way to save what comes before.
    case everythingAfterDamage
}
