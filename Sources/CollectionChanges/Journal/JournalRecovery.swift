/// What opening a journal found, and what was cut.
///
/// Later records are looked for byte by byte: a payload that holds bytes of a journal, and was not written whole, can make
/// a torn tail look like a gap or damage. What survives is the same.
public struct JournalRecovery: Hashable, Sendable {
    /// What is wrong with a journal, or nothing.
    @nonexhaustive
    public enum Finding: Hashable, Sendable {
        /// Every byte is of a record.
        case whole
        /// The last bytes are of no record, and nothing follows them: a write that did not end, or damage
        /// in the very last record, which looks the same.
        case tornTail
        /// Bytes are of no record, and whole records follow; none says that they had been synced. A crash
        /// can do that where the system writes later pages first.
        case unsyncedGap
        /// Bytes are of no record, or of one that does not fit, and a later record says that they had been
        /// synced.
        case damage
    }

    /// What was found.
    public var finding: Finding

    /// Where the bytes begin that are of no record; the number of bytes where all are.
    public var offset: Int

    /// How many bytes were cut from there on.
    public var bytesCut: Int
}

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
