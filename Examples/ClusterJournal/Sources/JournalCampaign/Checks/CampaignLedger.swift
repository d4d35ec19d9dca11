/// What members told, and what is wrong with it: a value that knows nothing of processes.
///
/// Members show and acknowledge only what the log gave back (`afterBroker`), so what was acknowledged is lost by the loss of
/// the broker's store alone (``StoreLoss``).
package struct CampaignLedger {
    package private(set) var violations: [Violation] = []
    package private(set) var acknowledgedEdits = 0
    package private(set) var leaderships = 0
    package private(set) var shownStates = 0
    package private(set) var events: [String: Int] = [:]

    /// The first that was shown at a version: the digest, and by whom.
    private var shown: [String: (digest: String, member: MemberLife)] = [:]
    /// What readers of each member were shown last.
    private var last: [MemberLife: EditMark] = [:]
    private var acknowledged: [CampaignTerm: [Acknowledgement]] = [:]
    private var openings: [Opening] = []
    private var losses: [StoreLoss] = []

    /// What a leadership began with.
    private struct Opening {
        let term: CampaignTerm
        let time: UInt64
        let marks: [EditMark]

        /// The last edit of an earlier leadership that it began with; nil where that is not told.
        func number(of other: CampaignTerm) -> Int? {
            if let mark = marks.first(where: { $0.term == other }) { return mark.number }
            let oldest = marks.map(\.term.epoch).min() ?? 0
            return other.epoch >= oldest ? 0 : nil
        }
    }

    package init() {}

    /// Notes that something must not be, and is.
    package mutating func note(_ kind: Violation.Kind, _ message: String) {
        violations.append(Violation(kind: kind, message: message))
    }

    // MARK: Members

    package mutating func take(_ report: TimedReport, from member: MemberLife) {
        switch report.report {
        case .began(let term, let marks):
            leaderships += 1
            began(Opening(term: term, time: report.time, marks: marks))
        case .ended(_, let reason): events["ended \(reason)", default: 0] += 1
        case .acknowledged(let mark, let submitted):
            acknowledgedEdits += 1
            let acknowledgement = Acknowledgement(
                number: mark.number,
                submitted: submitted,
                time: report.time
            )
            take(acknowledgement, of: mark.term)
        case .shown(let version, let digest, let mark, let isReset):
            shownStates += 1
            take(version, digest, from: member)
            if let mark { take(mark, isReset, version, from: member) }
        case .event(let kind):
            events[kind, default: 0] += 1
            if kind == Self.snapshotTaken {
                for index in losses.indices { losses[index].snapshotTaken(at: report.time) }
            }
        case .misfit(let text): note(.order, "member \(member): \(text)")
        case .status, .marks: break
        }
    }

    /// The event of a snapshot.
    package static let snapshotTaken = "snapshot"

    private mutating func take(_ version: String, _ digest: String, from member: MemberLife) {
        guard let first = shown[version] else {
            shown[version] = (digest, member)
            return
        }
        guard first.digest != digest else { return }
        note(
            .digests,
            "at \(version) member \(first.member) showed \(first.digest), and member \(member)"
                + " shows \(digest)"
        )
    }

    private mutating func take(
        _ mark: EditMark,
        _ isReset: Bool,
        _ version: String,
        from member: MemberLife
    ) {
        let old = last.updateValue(mark, forKey: member)
        // What does not follow on what was shown may be from before it, where the broker went back.
        guard let old, !isReset else { return }
        let way = "member \(member) shows \(mark) after \(old), at \(version)"
        if mark.term == old.term {
            if mark.number < old.number { note(.order, way) }
        } else if mark.term.epoch <= old.term.epoch {
            note(.writers, way)
        }
    }

    // MARK: Acknowledgements

    private mutating func take(_ acknowledgement: Acknowledgement, of term: CampaignTerm) {
        acknowledged[term, default: []].append(acknowledgement)
        let mark = EditMark(term, acknowledgement.number)
        for index in losses.indices {
            losses[index].acknowledged(mark, submitted: acknowledgement.submitted)
        }
        for opening in openings { check(acknowledgement, of: term, opening) }
    }

    private mutating func began(_ opening: Opening) {
        openings.append(opening)
        for (term, acknowledgements) in acknowledged {
            guard let newest = acknowledgements.last else { continue }
            check(newest, of: term, opening)
        }
    }

    /// The order of the log decides: a later leadership begins with everything that an earlier one acknowledges, whenever
    /// it is told so.
    private mutating func check(
        _ acknowledgement: Acknowledgement,
        of term: CampaignTerm,
        _ opening: Opening
    ) {
        guard opening.term.epoch > term.epoch, let number = opening.number(of: term),
            acknowledgement.number > number
        else { return }
        // A broker that went back in between has another order than the one that it had.
        let first = min(acknowledgement.submitted, opening.time)
        let last = max(acknowledgement.time, opening.time)
        if losses.contains(where: { $0.lies(between: first, and: last) }) { return }
        note(
            .fenced,
            "edit \(EditMark(term, acknowledgement.number)) was acknowledged at"
                + " \(acknowledgement.time), and \(opening.term) began with edit \(number) of it,"
                + " at \(opening.time)"
        )
    }

    // MARK: Faults of the broker

    /// A fault begins by which the broker may lose what it has.
    ///
    /// - Parameter keptUntil: what was acknowledged before is still there.
    package mutating func lossBegan(
        at time: UInt64,
        keptUntil: UInt64 = 0,
        leader: CampaignTerm?,
        needsSnapshot: Bool = false
    ) {
        losses.append(
            StoreLoss(
                start: time,
                keptUntil: keptUntil,
                leader: leader,
                needsSnapshot: needsSnapshot
            )
        )
    }

    /// The last such fault is over.
    package mutating func lossEnded(at time: UInt64) {
        guard let index = losses.lastIndex(where: { $0.end == nil }) else { return }
        losses[index].end = time
    }

    /// Until when everything that was acknowledged is in a copy of the store that is made now.
    package func copyIsComplete(at time: UInt64) -> UInt64 {
        losses.filter { !$0.isMadeGood }.map(\.keptUntil).min().map { min($0, time) } ?? time
    }

    // MARK: The end of a round

    /// All faults have ended, and all members have one state, with these last edits: nothing that was acknowledged is
    /// missing but what faults excuse. What is there counts as acknowledged from now on.
    package mutating func checkEnd(_ marks: [EditMark], at time: UInt64) {
        let numbers = Dictionary(marks.map { ($0.term, $0.number) }) { first, _ in first }
        let terms = acknowledged.keys.sorted { ($0.epoch, $0.nonce) < ($1.epoch, $1.nonce) }
        for term in terms {
            let found = numbers[term] ?? 0
            let missing = acknowledged[term, default: []].filter { $0.number > found }
            let lost = missing.filter { edit in !losses.contains { $0.excuses(edit) } }
            guard let first = lost.first else { continue }
            note(
                .lost,
                "of \(term) edits up to \(found) are there, but edit \(first.number) was"
                    + " acknowledged at \(first.time), and \(lost.count - 1) others behind it"
            )
        }
        (acknowledged, openings, losses) = ([:], [], [])
        for mark in marks {
            acknowledged[mark.term] = [
                Acknowledgement(number: mark.number, submitted: time, time: time)
            ]
        }
    }
}
