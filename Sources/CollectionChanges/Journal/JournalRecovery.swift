/// The result of opening a journal: its condition, and the part that was cut.
///
/// The search for later records examines every byte. If an incompletely written payload contains
/// bytes of a journal, a torn tail can therefore look like a gap or damage. The surviving records
/// are the same.
public struct JournalRecovery: Hashable, Sendable {
    /// The condition of a journal when it was opened.
    @nonexhaustive
    public enum Condition: Hashable, Sendable {
        /// Every byte belongs to a record.
        case whole
        /// The last bytes do not form a record, and no record follows them. Either a write did not
        /// finish, or the very last record is damaged; the two cannot be distinguished.
        case tornTail
        /// Some bytes do not form a record, and complete records follow, none of which reports that
        /// these bytes had been synced. A crash can cause this if the system writes later pages
        /// first.
        case unsyncedGap
        /// Some bytes do not form a record, and a later record reports that they had been synced;
        /// or a complete record does not continue the journal.
        case damage
    }

    /// The condition of the journal.
    public var condition: Condition

    /// The offset of the first byte that does not belong to a valid record; the number of bytes if
    /// all do.
    public var offset: Int

    /// The number of bytes from `offset` to the end, which were cut.
    public var discardedByteCount: Int
}

/// The policy that determines which unreadable parts are dropped when a journal is opened.
@nonexhaustive
public enum JournalRecoveryPolicy: Hashable, Sendable {
    /// Drops nothing: any fault is an error.
    case nothing
    /// Drops only the parts whose durability was never promised: a torn tail, and everything after
    /// a gap in records that were not synced. This is the default.
    case dropUnsynced
    /// Drops everything from the first fault on, even complete records, to preserve the part before
    /// it.
    case truncateAtDamage
}

extension UpdateJournal {
    /// Returns the condition for the position at which a reader stopped.
    static func recovery(
        of walk: JournalReader,
        in storage: any JournalStorage,
        _ size: Int
    ) throws(JournalError) -> JournalRecovery {
        let rest = size - walk.offset
        var recovery = JournalRecovery(
            condition: .whole,
            offset: walk.offset,
            discardedByteCount: rest
        )
        if rest == 0 { return recovery }
        let durable = try storage.durableSequence(reportedAfter: walk.offset, before: size)
        if walk.mismatchReason != nil {
            // A crash cannot produce a record that has correct checksums but does not continue the
            // journal.
            recovery.condition = .damage
        } else if let durable {
            recovery.condition = durable > walk.sequence ? .damage : .unsyncedGap
        } else {
            recovery.condition = .tornTail
        }
        return recovery
    }

    /// Throws if the policy does not allow cutting in this condition.
    static func check(
        _ recovery: JournalRecovery,
        against cut: JournalRecoveryPolicy,
        _ walk: JournalReader
    ) throws(JournalError) {
        let isAllowed =
            switch (recovery.condition, cut) {
            case (.whole, _), (_, .truncateAtDamage): true
            case (.tornTail, .dropUnsynced), (.unsyncedGap, .dropUnsynced): true
            case (.tornTail, .nothing), (.unsyncedGap, .nothing), (.damage, _): false
            }
        if isAllowed { return }
        let reason = walk.mismatchReason.map { " (\($0))" } ?? ""
        throw JournalError(
            .damaged,
            "a record must follow record \(walk.sequence) at byte \(walk.offset), but the remaining"
                + " \(recovery.discardedByteCount) bytes are not valid: \(recovery.condition)\(reason)",
            offset: walk.offset
        )
    }
}
