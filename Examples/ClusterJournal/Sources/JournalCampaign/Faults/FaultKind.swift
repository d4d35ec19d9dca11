/// What is done to a cluster.
package enum FaultKind: String, CaseIterable, Sendable {
    case brokerKilled = "broker killed and started again"
    case leaderKilled = "leader killed and started again"
    case followerKilled = "follower killed and started again"
    case leaderStopped = "leader stopped for longer than its lease"
    case linkCut = "link cut"
    case linkSilent = "link silent both ways"
    case brokerDeaf = "link silent to the broker"
    case memberDeaf = "link silent from the broker"
    case storeReplaced = "store replaced by an older copy"
    case logPurged = "log purged under a late joiner"
    case logDeleted = "log deleted"
    case rivals = "two told to lead at once"
    case diskFull = "disk of the broker full"

    /// How often it is chosen, compared with others.
    var weight: Int {
        switch self {
        case .brokerKilled, .leaderKilled, .followerKilled, .leaderStopped: 3
        case .linkCut, .linkSilent, .brokerDeaf, .memberDeaf: 2
        case .storeReplaced, .logPurged, .rivals: 2
        case .logDeleted, .diskFull: 1
        }
    }
}

/// A fault that was done.
package struct Fault: Sendable {
    var kind: FaultKind
    /// In seconds from the beginning of the campaign.
    var start: Double
    var detail: String
}
