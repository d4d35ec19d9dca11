/// For how long nobody led.
package struct LeaderClock {
    private var leaders: Set<MemberLife> = []
    private var since: UInt64?
    /// The longest time without a leader, in nanoseconds.
    package private(set) var longest: UInt64 = 0

    package init() {}

    package mutating func began(_ member: MemberLife, at time: UInt64) {
        leaders.insert(member)
        guard let since else { return }
        longest = max(longest, time - min(since, time))
        self.since = nil
    }

    /// It does not lead any more, does not live, or stands still.
    package mutating func ended(_ member: MemberLife, at time: UInt64) {
        if leaders.remove(member) != nil, leaders.isEmpty { since = time }
    }
}
