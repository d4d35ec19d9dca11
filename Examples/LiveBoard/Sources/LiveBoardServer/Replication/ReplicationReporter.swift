import CollectionPublishing
import CollectionReplication
import CoreMetrics
import Logging
import Metrics
import Synchronization

/// Tells swift-log and swift-metrics what happens to a member of a log, and keeps what a health report says of it.
final class ReplicationReporter: ReplicationObserver {
    private let list: String
    private let mayLead: Bool
    private let logger: Logger
    private let state = Mutex(State())

    private let leading: Meter
    private let current: Meter
    private let epochs: Meter
    private let positions: Meter
    private let behind: Meter
    private let secondsBehind: Meter
    private let pending: Meter

    private struct State {
        var epoch: UInt64 = 0
        var isLeading = false
        var wasCurrent = false
        /// Who is told once the log was read to its end.
        var waiting: [@Sendable () -> Void] = []
        var recoveries: [String: Int] = [:]
    }

    init(list: String, mayLead: Bool, logger: Logger) {
        self.list = list
        self.mayLead = mayLead
        self.logger = logger
        let dimensions = [("list", list)]
        leading = Meter(label: "replication_leading", dimensions: dimensions)
        current = Meter(label: "replication_current", dimensions: dimensions)
        epochs = Meter(label: "replication_epoch", dimensions: dimensions)
        positions = Meter(label: "replication_log_position", dimensions: dimensions)
        behind = Meter(label: "replication_records_behind", dimensions: dimensions)
        secondsBehind = Meter(label: "replication_seconds_behind", dimensions: dimensions)
        pending = Meter(label: "replication_pending_records", dimensions: dimensions)
    }

    /// The epoch that was opened by this member last.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    /// How often it had to find its place again, by why.
    var recoveries: [String: Int] { state.withLock { $0.recoveries } }

    var role: String {
        if state.withLock({ $0.isLeading }) { return "leading" }
        return mayLead ? "standing" : "following"
    }

    /// Calls `body` once everything was read that was in the log, or at once, inline, where it was.
    func whenCurrent(_ body: @escaping @Sendable () -> Void) {
        let wasCurrent = state.withLock { state in
            if !state.wasCurrent { state.waiting.append(body) }
            return state.wasCurrent
        }
        if wasCurrent { body() }
    }

    /// Sets the numbers that change without an event.
    func measure(_ status: ReplicationStatus) {
        current.set(status.isCurrent ? 1 : 0)
        positions.set(Double(status.logPosition))
        behind.set(Double(status.recordsBehind))
        secondsBehind.set(status.timeBehind / .seconds(1))
        pending.set(status.pendingRecords)
        if let position = status.position { epochs.set(Double(position.epoch)) }
        leading.set(status.isLeading ? 1 : 0)
    }

    func observe(_ event: ReplicationEvent) {
        switch event {
        case .following(let version): log(.info, "follows its log", ["version": "\(version)"])
        case .current: becameCurrent()
        case .leading(let epoch):
            state.withLock { state in
                state.isLeading = true
                state.epoch = epoch
            }
            log(.notice, "this server leads", ["epoch": "\(epoch)"])
            becameCurrent()
        case .resigned(let reason):
            state.withLock { $0.isLeading = false }
            log(.notice, "this server does not lead any more", ["reason": "\(reason.rawValue)"])
        case .recovering(let reason):
            state.withLock { $0.recoveries[reason.rawValue, default: 0] += 1 }
            count("replication_recoveries_total", reason.rawValue)
            log(.notice, "looks for its place in the log", ["reason": "\(reason.rawValue)"])
        case .passedOver(let reason):
            count("replication_passed_over_total", reason.rawValue)
            log(.debug, "passed over a record", ["reason": "\(reason.rawValue)"])
        case .failed(let error):
            count("replication_failures_total", error.code.rawValue)
            // Before anybody has led there is no log.
            let level: Logger.Level = error.code == .missing ? .info : .warning
            log(level, "the broker did not do what it was asked", ["error": "\(error)"])
        case .snapshotTaken(let version, let bytes):
            log(.info, "put a snapshot", ["version": "\(version)", "bytes": "\(bytes)"])
        case .journalFailed(let message):
            log(.error, "the journal failed", ["error": "\(message)"])
        case .unpublishable(let message):
            log(.error, "something cannot be published", ["error": "\(message)"])
        @unknown default: break
        }
    }

    private func becameCurrent() {
        let waiting = state.withLock { state in
            state.wasCurrent = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    private func count(_ label: String, _ reason: String) {
        Counter(label: label, dimensions: [("list", list), ("reason", reason)]).increment()
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ more: Logger.Metadata) {
        logger.log(level: level, message, metadata: more.merging(["list": "\(list)"]) { $1 })
    }
}
