import CollectionPublishing
import CollectionReplication
import Foundation
import Logging
import Synchronization

/// A list that several servers show: whoever leads makes it, and all serve their readers from what they read in its log.
final class ReplicatedList: NamedList {
    let name: String
    let title: String
    let replica: ReplicatedHub
    let streams: ListStreams
    let reporter: ReplicationReporter
    var hub: UpdateHub { replica.hub }

    private let log: any ReplicatedLog
    private let feed: (any ListFeed)?
    private let makeSource: @Sendable (RowNames) -> LiveList
    private let editTimeout: Duration
    private let logger: Logger
    private let states: PublishedStates
    private let term = Mutex<ListTerm?>(nil)
    private let isClosing = Atomic(false)
    /// Who is told that this server leads the list, and that it does not any more.
    private let address: LeaderAddress?

    /// - Parameters:
    ///   - feed: what makes the list's states where this server leads; nil where it only follows.
    ///   - address: where others find out who leads.
    ///   - makeSource: makes the list with its controller.
    init(
        _ plan: ListPlan,
        _ surroundings: ListSurroundings,
        cluster: ClusterOptions,
        address: LeaderAddress?,
        logger: Logger,
        makeSource: @escaping @Sendable (RowNames) -> LiveList
    ) throws {
        (name, title) = (plan.name, plan.title)
        feed = cluster.mayLead ? plan.feed : nil
        self.address = address
        self.makeSource = makeSource
        self.logger = logger
        editTimeout = cluster.editTimeout
        log = try cluster.logs.log(named: plan.name)
        reporter = ReplicationReporter(list: plan.name, mayLead: feed != nil, logger: logger)
        var configuration = ReplicationConfiguration()
        configuration.name = "\(plan.name).replica"
        configuration.key = cluster.key
        configuration.leaseDuration = cluster.leaseDuration
        configuration.hub.name = "\(plan.name).hub"
        configuration.hub.minimumInterval = surroundings.announcementInterval
        configuration.hub.heartbeat = surroundings.heartbeat
        var journal: (@Sendable () throws(JournalError) -> any JournalStorage)?
        if let folder = cluster.journal, feed != nil {
            let path = "\(folder)/\(plan.name).journal"
            journal = { () throws(JournalError) in try FileJournalStorage(path: path) }
        }
        replica = ReplicatedHub(
            log: log,
            journal: journal,
            configuration: configuration,
            observer: reporter
        )
        streams = ListStreams(name: plan.name, hub: replica.hub)
        states = PublishedStates(replica.hub)
    }

    /// The list with its controller, while this server leads and has published it.
    var source: LiveList? { openTerm?.list }

    private var openTerm: ListTerm? { term.withLock { $0 }.flatMap { $0.isOpen ? $0 : nil } }

    func whenLoaded(_ body: @escaping @Sendable () -> Void) { reporter.whenCurrent(body) }

    // MARK: Leading

    /// Follows the log from now on, and stands for leadership where this server may lead.
    func begin() {
        replica.follow()
        stand()
    }

    private func stand() {
        guard feed != nil, !isClosing.load(ordering: .relaxed) else { return }
        replica.lead { [weak self] change in
            switch change {
            case .began(let snapshot): self?.began(snapshot)
            default: self?.ended()
            }
        }
    }

    private func began(_ snapshot: PublishedSnapshot) {
        guard let feed else { return }
        let epoch = reporter.epoch
        let begun = ListTerm(makeSource(RowNames(prefix: "c\(epoch)-")))
        term.withLock { $0 = begun }
        begun.run { [weak self, logger, name] in
            do {
                try await begun.list.show(try await feed.state(from: snapshot.state))
                guard let self else { return }
                begun.open(on: replica)
                address?.announce(epoch: epoch)
                await feed.run(begun.list)
            } catch {
                // It has ended meanwhile, or is about to.
                guard !Task.isCancelled, self?.isClosing.load(ordering: .relaxed) == false else {
                    return
                }
                logger.error("\(name) could not be made, so that another may lead it: \(error)")
                await self?.standLater()
            }
        }
    }

    /// Leaves it to others for a while.
    private func standLater() async {
        replica.resign()
        // Not within the leadership's own task, which ends with it.
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(10))
            self?.stand()
        }
    }

    private func ended() {
        address?.withdraw()
        let ended = term.withLock { term in
            defer { term = nil }
            return term
        }
        ended?.end()
    }

    /// Ends: what was accepted is deployed first, then others may lead, then readers are told.
    func close() async {
        isClosing.store(true, ordering: .relaxed)
        await term.withLock { $0 }?.list.controller.close(timeout: .seconds(5))
        await withCheckedContinuation { continuation in
            replica.close { continuation.resume() }
        }
        // What was asked of the broker last is on its way when something that was asked later is answered.
        _ = try? await log.value(of: .lease, within: .seconds(1))
        states.close()
    }

    // MARK: Edits

    func change(
        context: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion {
        guard let term = openTerm else { throw RequestFault.noLeader }
        let result: UpdateResult
        do throws(UpdateError) {
            result = try await term.list.edit(context: context, updates)
        } catch {
            // It has not reached the list's hub, so nobody was or will be told of it.
            if [.closed, .cancelled].contains(error.code) { throw RequestFault.noLeader }
            throw error
        }
        let number = term.list.number(of: result)
        guard
            let version = await term.whenShown(number, on: replica, within: editTimeout)
        else { throw RequestFault.unconfirmed }
        return version
    }

    // MARK: Its states

    func follow(as identity: AnyObject, _ follower: @escaping @Sendable (ListState) -> Void) {
        states.follow(as: identity, follower)
    }

    func unfollow(_ identity: AnyObject) { states.unfollow(identity) }

    func snapshotText() async throws -> String {
        try await hub.snapshot.text(map: { _ in "elsewhere" })
    }
}
