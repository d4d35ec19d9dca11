import CollectionPublishing
import CollectionReplication

/// A reader of some member's hub, which takes its version with it to another; or one that stays, and watches everything
/// that a member shows.
final class ClusterReader: @unchecked Sendable {  // one thread
    let label: String
    private unowned let cluster: SimulatedCluster
    /// Whom it watches; nil for who moves around.
    private weak var watched: SimulatedMember?
    private var random: SeededGenerator
    private(set) var replica = CollectionReplica()
    private var reader: HubReader?
    private(set) weak var member: SimulatedMember?
    private var isPaused = false
    /// Which of its connections this is: what comes from one before is dropped.
    private var connection = 0
    private var hasClosed = false

    init(
        _ cluster: SimulatedCluster,
        label: String,
        watching watched: SimulatedMember?,
        _ random: SeededGenerator
    ) {
        (self.cluster, self.label, self.watched, self.random) = (cluster, label, watched, random)
    }

    // MARK: What it does

    /// Joins, with the version that it has.
    func join(_ member: SimulatedMember) {
        guard let hub = member.hub else { return }
        disconnect()
        self.member = member
        let connection = connection
        var policy = ReaderPolicy.individually(limit: 1000)
        if watched == nil, random.isTrue(oneIn: 2) { policy = .merged }
        do throws(HubError) {
            reader = try hub.addReader(from: replica.version, policy: policy) {
                [weak self] message in
                guard let self, connection == self.connection else { return .pause }
                return take(message)
            }
        } catch {
            cluster.note("No Gap No Double", "\(label) was not let in: \(error)")
        }
    }

    func disconnect() {
        connection += 1
        (reader, member, isPaused, hasClosed) = (nil, nil, false, false)
    }

    func goOn() {
        guard isPaused else { return }
        isPaused = false
        reader?.resume()
    }

    // MARK: What it is told

    private func take(_ message: HubMessage) -> ReaderDemand {
        do throws(ReplicaError) {
            try replica.apply(message)
        } catch {
            let isOther = error.code == .otherDigest || error.code == .misfit
            cluster.note(isOther ? "Converges" : "No Gap No Double", "\(label): \(error)")
            return .more
        }
        var isReset = false
        switch message {
        case .reset(_, let reason):
            isReset = true
            cluster.mark("\(watched == nil ? "reader" : "watcher") reset \(reason.rawValue)")
        case .update: cluster.mark("reader told")
        case .upToDate: break
        case .closed: hasClosed = true
        }
        if let version = replica.version {
            cluster.oracle.shown(replica, at: version, to: label)
            if let watched { cluster.oracle.shown(replica, by: watched, isReset: isReset) }
        }
        if watched == nil, !hasClosed, random.isTrue(oneIn: 4) {
            isPaused = true
            return .pause
        }
        return .more
    }

    /// At rest it has what there is, unless it does not take it.
    func checkAtRest(_ newest: PublishedVersion) {
        guard member != nil, !isPaused, !hasClosed else { return }
        if replica.version != newest {
            let found = replica.version.map { "\($0)" } ?? "nothing"
            cluster.note("Converges", "\(label) has \(found) at rest, and \(newest) is the newest")
        }
    }
}
