import CollectionPipeline
import CollectionPublishing

/// One reader of a ``SimulatedHub``, which keeps a replica, and takes now one message and now many.
final class SimulatedReader: @unchecked Sendable {  // one thread
    private unowned let owner: SimulatedHub
    let number: Int
    private let wanted: PublishedVersion?
    private let policy: ReaderPolicy
    private let lane: any Lane
    private var random: SeededGenerator
    private(set) var replica = CollectionReplica()
    private var reader: HubReader?
    private var isPaused = false
    private var isAdded = false
    private var hasLeft = false
    /// How many it was told.
    private var messages = 0
    private(set) var isClosed = false

    init(
        _ owner: SimulatedHub,
        from version: PublishedVersion?,
        policy: ReaderPolicy,
        lane: any Lane,
        _ random: SeededGenerator
    ) {
        self.owner = owner
        wanted = version
        self.policy = policy
        self.lane = lane
        self.random = random
        number = owner.takeNumber()
    }

    // MARK: What it does

    func join() {
        guard !hasLeft else { return }
        if let wanted {
            // It has what was there when it left, or whatever else it claims.
            if let snapshot = owner.snapshot(at: wanted) {
                try? replica.apply(.reset(snapshot, .joined))
            }
        }
        do throws(HubError) {
            reader = try owner.hub.addReader(from: wanted, policy: policy) { [weak self] message in
                self?.take(message) ?? .pause
            }
            isAdded = true
        } catch {
            owner.note("No Gap No Double", "a reader was not let in: \(error)")
        }
    }

    func resume() {
        lane.enqueue { [self] in
            guard isAdded, isPaused else { return }
            isPaused = false
            reader?.resume()
        }
    }

    func leave() {
        hasLeft = true
        lane.enqueue { [self] in reader = nil }
    }

    // MARK: What it is told

    /// On the hub's lane.
    private func take(_ message: HubMessage) -> ReaderDemand {
        messages += 1
        if isPaused { owner.note("Slow Hurts Nobody", "\(name) is told more than it takes") }
        if isClosed { owner.note("No Gap No Double", "\(name) is told more after the close") }
        checkKind(of: message)
        let old = replica
        do throws(ReplicaError) {
            try replica.apply(message)
        } catch {
            let guarantee =
                error.code == .otherDigest || error.code == .misfit
                ? "Converges" : "No Gap No Double"
            owner.note(guarantee, "\(name): \(error)")
            return .more
        }
        owner.check(replica, "the message of \(name)")
        switch message {
        case .reset(_, let reason): checkReset(reason)
        case .update(let update): check(update, old)
        case .upToDate: owner.mark("up to date")
        case .closed: isClosed = true
        }
        if isClosed || random.isTrue(oneIn: 3) {
            isPaused = !isClosed
            return .pause
        }
        return .more
    }

    private var name: String { "reader \(number)" }

    /// Who comes back with a version is told what it missed, or that it has everything.
    private func checkKind(of message: HubMessage) {
        guard messages == 1 else { return }
        switch message {
        case .reset: break
        case .update(let update): if update.from == wanted { owner.mark("resumed") }
        case .upToDate(let version, _): if version == wanted { owner.mark("resumed") }
        case .closed: owner.note("No Gap No Double", "\(name) is told nothing before the close")
        }
    }

    private func checkReset(_ reason: ResetReason) {
        owner.mark("reset \(reason.rawValue)")
        let configuration = owner.configuration
        let keepsAll =
            configuration.resumableUpdates >= 1000 && configuration.resumableEdits >= 1000
        // Who is there is kept, and who comes back while everything is.
        let isExpected =
            switch reason {
            case .joined: messages == 1 && wanted == nil
            case .otherHistory: messages == 1 && wanted?.handle != configuration.handle
            case .unknownVersion:
                messages == 1 && !(0...owner.newestShown).contains(wanted?.number ?? 0)
            case .forgotten: messages == 1 ? !keepsAll : !configuration.keepsPaused
            }
        if !isExpected {
            owner.note("Resume Costs The Difference", "\(name) is given everything: \(reason)")
        }
    }

    /// An update brings what the reader does not have, and nothing else.
    private func check(_ update: PublishedUpdate, _ old: CollectionReplica) {
        if update.from.number < (old.version?.number ?? 0) { return }
        if update.changeSet.isReloadData { return owner.mark("reloaded") }
        var numbers: Set<UInt64> = []
        for section in 0..<old.state.numberOfSections {
            numbers.formUnion(old.state.items(inSection: section).map(\.number))
        }
        let fresh = update.contents.freshSections.flatMap(\.items) + update.contents.insertedItems
        for item in fresh where numbers.contains(item.number) {
            owner.note("Resume Costs The Difference", "\(name) is given item \(item.number) again")
        }
        if update.contents.changedItems.contains(where: { !numbers.contains($0.number) }) {
            owner.note("Resume Costs The Difference", "\(name) is told a change of what it lacks")
        }
    }

    /// At rest it has everything, unless it does not take it.
    func checkAtRest(newest: Int) {
        guard isAdded, !isPaused, !isClosed else { return }
        let found = replica.version?.number ?? -1
        if found != newest {
            owner.note("Slow Hurts Nobody", "\(name) has version \(found) of \(newest) at rest")
        }
    }
}

extension HubConfiguration {
    /// Whether whoever is there stays known however long it is paused.
    fileprivate var keepsPaused: Bool { retainedVersions >= 1000 && retainedEdits >= 1000 }
}
