/// A snapshot on its way to the broker.
struct Anchoring: Sendable {
    enum Step: Sendable {
        case waiting
        case creating
        case measuring
        case announcing
        case readingHead
        case encoding(revision: UInt64?)
        case putting([UInt8], next: Int, revision: UInt64?)
        case setting
        case purging
        case removing
    }

    var chain: LogChain
    /// Whether the log does not have what it is of, so that the log is to go on from the snapshot.
    let isJump: Bool
    /// What was taken in when it began.
    var base: ChainPosition?
    /// Where the log goes on.
    var logPosition: UInt64
    /// What opens the epoch of who is about to lead. It is in the log before the head says that this goes on from the
    /// snapshot, so that nothing of an earlier epoch comes between.
    var opening: PendingRecord?
    /// Where that was found.
    var openingAt: UInt64?
    var name = ""
    var step = Step.waiting
    /// What was asked last.
    var request = LogRequest.create
    /// How often a part of it has failed, one time after another.
    var failures = 0
    var head: LogHead?
    var previous: LogHead.Snapshot?
    var byteCount = 0
    var ticket: LogTicket
}
