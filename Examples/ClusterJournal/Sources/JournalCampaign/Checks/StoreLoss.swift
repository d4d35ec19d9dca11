/// A fault by which the broker may have lost what it had: what that excuses, and what not.
///
/// An edit that was acknowledged before may be lost by it where nobody puts it back. Who led when it happened does: once
/// that leadership acknowledges an edit that was submitted afterwards, everything that it had is there again, and the
/// fault excuses nothing.
package struct StoreLoss: Hashable, Sendable {
    /// Between which times it happened; the second one is not known while it lasts.
    package let start: UInt64
    package var end: UInt64?
    /// What was acknowledged before this time is in what the broker has.
    package let keptUntil: UInt64
    /// Who led; nil where nobody did.
    package let leader: CampaignTerm?
    /// Whether the leader's next snapshot alone makes it good, since records are gone that late members need.
    package let needsSnapshot: Bool
    private var isAnswered = false
    private var hasSnapshot = false

    package init(start: UInt64, keptUntil: UInt64, leader: CampaignTerm?, needsSnapshot: Bool) {
        (self.start, self.keptUntil, self.leader) = (start, keptUntil, leader)
        self.needsSnapshot = needsSnapshot
    }

    /// Whether what was there is there again.
    package var isMadeGood: Bool { isAnswered && (hasSnapshot || !needsSnapshot) }

    mutating func acknowledged(_ mark: EditMark, submitted: UInt64) {
        if let end, mark.term == leader, submitted > end { isAnswered = true }
    }

    mutating func snapshotTaken(at time: UInt64) {
        if let end, time > end { hasSnapshot = true }
    }

    /// Whether an edit may be lost by it.
    func excuses(_ acknowledgement: Acknowledgement) -> Bool {
        !isMadeGood && acknowledgement.time >= keptUntil
            && acknowledgement.submitted <= end ?? .max
    }

    /// Whether it may have happened between two times.
    func lies(between first: UInt64, and last: UInt64) -> Bool {
        start <= last && end ?? .max >= first
    }
}

/// That an edit is as durable as is promised.
package struct Acknowledgement: Hashable, Sendable {
    package var number: Int
    package var submitted: UInt64
    package var time: UInt64
}
