extension UpdateJournal {
    /// What is wrong where a walk ended.
    static func recovery(
        of walk: JournalWalk,
        in storage: any JournalStorage,
        _ size: Int
    ) throws(JournalError) -> JournalRecovery {
        let rest = size - walk.offset
        var recovery = JournalRecovery(finding: .whole, offset: walk.offset, bytesCut: rest)
        if rest == 0 { return recovery }
        let durable = try storage.durableSequence(saidAfter: walk.offset, before: size)
        if walk.misfit != nil {
            // No crash makes a record with right checksums that does not fit.
            recovery.finding = .damage
        } else if let durable {
            recovery.finding = durable > walk.sequence ? .damage : .unsyncedGap
        } else {
            recovery.finding = .tornTail
        }
        return recovery
    }

    /// Throws where a finding is not to be cut.
    static func check(
        _ recovery: JournalRecovery,
        against cut: JournalCut,
        _ walk: JournalWalk
    ) throws(JournalError) {
        let isAllowed =
            switch (recovery.finding, cut) {
            case (.whole, _), (_, .everythingAfterDamage): true
            case (.tornTail, .unpromised), (.unsyncedGap, .unpromised): true
            case (.tornTail, .nothing), (.unsyncedGap, .nothing), (.damage, _): false
            }
        if isAllowed { return }
        let reason = walk.misfit.map { " (\($0))" } ?? ""
        throw JournalError(
            .damaged,
            "a record must follow record \(walk.sequence) at byte \(walk.offset), but the"
                + " \(recovery.bytesCut) bytes from there are none: \(recovery.finding)\(reason)",
            offset: walk.offset
        )
    }
}
