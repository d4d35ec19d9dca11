import CollectionChanges
import CollectionElements
import CollectionPublishing

/// The driver of a ``Member``: performs its effects on the member's lane, and the expensive work on
/// large states on a second lane.
final class MemberCore: Sendable {
    let configuration: ReplicationConfiguration
    private let environment: any PipelineEnvironment
    private let log: any ReplicatedLog
    private let observer: (any ReplicationObserver)?
    let hub: UpdateHub
    private let lane: any Lane
    private let stateLane: any Lane
    private let journal: JournalWriter?

    // nonisolated(unsafe): only the member's lane reads and writes these.
    private nonisolated(unsafe) var member: Member
    private nonisolated(unsafe) var hasBegun = false
    private nonisolated(unsafe) var isClosed = false
    /// The requests without a response, with the time at which each one times out.
    private nonisolated(unsafe) var deadlines: [LogTicket: Duration] = [:]
    private nonisolated(unsafe) var isSweeping = false
    /// The number of updates that the hub has not published yet.
    private nonisolated(unsafe) var unpublished = 0
    /// A read that is postponed until the hub has published most of its updates.
    private nonisolated(unsafe) var heldRead: (LogTicket, LogRequest)?
    private nonisolated(unsafe) var source: SourceReader?
    /// The callers that wait for an update of the source to become visible.
    private nonisolated(unsafe) var waiting: [Waiter] = []
    private nonisolated(unsafe) var shownNumber: (source: Int, version: PublishedVersion)?
    private nonisolated(unsafe) var leadership: (@Sendable (LeadershipChange) -> Void)?

    /// The number of unpublished updates up to which the member continues to read.
    private static let unpublishedLimit = 256
    /// The last status, for callers on any thread.
    private let status: Lock<LastStatus>

    private struct LastStatus {
        var status = ReplicationStatus()
        var behindSince: Duration?
    }

    /// A caller that waits until readers may see an update of the source.
    private struct Waiter {
        let number: Int
        let body: @Sendable (PublishedVersion?) -> Void
    }

    init(
        _ log: any ReplicatedLog,
        _ openJournal: JournalWriter.Open?,
        _ configuration: ReplicationConfiguration,
        _ environment: any PipelineEnvironment,
        _ observer: (any ReplicationObserver)?,
        seed: UInt64
    ) {
        let configuration = configuration.bounded
        self.log = log
        self.configuration = configuration
        self.environment = environment
        self.observer = observer
        hub = UpdateHub(configuration: configuration.hub, environment: environment)
        let lane = environment.makeLane(label: configuration.name)
        self.lane = lane
        let journalLane = environment.makeLane(label: configuration.name + " journal")
        journal = openJournal.map {
            JournalWriter(configuration, home: lane, lane: journalLane, open: $0)
        }
        stateLane = environment.makeLane(label: configuration.name + " states")
        member = Member(configuration, hasJournal: openJournal != nil, seed: seed)
        status = Lock(LastStatus())
    }

    var currentStatus: ReplicationStatus {
        var (status, behindSince) = status.withLock { ($0.status, $0.behindSince) }
        if let behindSince { status.timeBehind = environment.now - behindSince }
        return status
    }

    // MARK: Calls from the hub

    func begin() {
        lane.enqueue { [self] in
            guard !hasBegun, !isClosed else { return }
            hasBegun = true
            guard let journal else { return handle(.begin) }
            journal.restore { [weak self] in self?.restored($0) }
        }
    }

    private func restored(_ result: Result<RecordJournal.Restored?, JournalError>) {
        guard !isClosed else { return }
        switch result {
        case .success(let restored?):
            if restored.discardedByteCount > 0 {
                notify(
                    .journalFailed(
                        "the last \(restored.discardedByteCount) bytes could not be read"
                    )
                )
            }
            member.restore(restored.chain, restored.ancestors)
        case .success(nil): break
        case .failure(let error): handle(.journalFailed(error.message))
        }
        handle(.begin)
    }

    func campaign(_ body: @escaping @Sendable (LeadershipChange) -> Void) {
        lane.enqueue { [self] in
            leadership = body
            if !isClosed { handle(.campaign) }
        }
    }

    func resign() { lane.enqueue { [self] in if !isClosed { handle(.resign) } } }

    func publish(from hub: UpdateHub) {
        lane.enqueue { [self] in
            guard member.isLeading, !isClosed else { return }
            dropSource()
            let reader = SourceReader(hub)
            source = reader
            member.pending.beginSource()
            do throws(HubError) {
                try reader.begin { [weak self, weak reader] change in
                    self?.lane.enqueue { [weak self, weak reader] in
                        guard let self, let reader else { return }
                        if reader === source, !isClosed { handle(.published(change)) }
                        reader.handled(isHeld: member.pending.isSourcePaused)
                    }
                }
            } catch {
                notify(.unpublishable("\(error)"))
            }
        }
    }

    func whenVisible(_ number: Int, _ body: @escaping @Sendable (PublishedVersion?) -> Void) {
        lane.enqueue { [self] in
            if let shownNumber, shownNumber.source >= number { return body(shownNumber.version) }
            guard source != nil, !isClosed else { return body(nil) }
            waiting.append(Waiter(number: number, body: body))
        }
    }

    private func notifyWaiters(_ number: Int, _ version: PublishedVersion) {
        shownNumber = (number, version)
        let due = waiting.filter { $0.number <= number }
        waiting.removeAll { $0.number <= number }
        for waiter in due { waiter.body(version) }
    }

    /// Stops reading the source, and notifies the waiting callers that their updates will not
    /// become visible.
    private func dropSource() {
        source = nil
        shownNumber = nil
        for waiter in exchange(&waiting, with: []) { waiter.body(nil) }
    }

    func close(_ completion: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            if !isClosed {
                handle(.resign)
                isClosed = true
                dropSource()
                leadership = nil
                hub.close()
            }
            if let journal { journal.close(completion) } else { lane.enqueue(completion) }
        }
    }

    /// Stops everything, as if the process had ended.
    func abandon() {
        lane.enqueue { [self] in
            isClosed = true
            dropSource()
            leadership = nil
            hub.close()
        }
    }

    // MARK: Effects

    private func handle(_ input: Member.Input) {
        for effect in member.handle(input, at: environment.now) { perform(effect) }
        let last = LastStatus(
            status: ReplicationStatus(of: member),
            behindSince: member.cursor.behindSince
        )
        status.withLock { $0 = last }
    }

    private func perform(_ effect: Member.Effect) {
        switch effect {
        case .ask(let ticket, let request): ask(ticket, request)
        case .wait(let ticket, let delay):
            environment.schedule(after: delay, on: lane) { [weak self] in
                self?.take(.elapsed(ticket))
            }
        case .show(let update, let contents): show(update, contents)
        case .jump(let contents, let version): hub.jump(to: contents, at: version)
        case .shown(let number, let version): notifyWaiters(number, version)
        case .rebaseJournal(let snapshot):
            journal?.rebase(snapshot) { [weak self] in self?.take($0) }
        case .journal(let record): journal?.append(record) { [weak self] in self?.take($0) }
        case .encode(let snapshot, let ticket):
            let key = configuration.key
            stateLane.enqueue { [weak self] in
                let bytes = snapshot.encoded(key: key)
                self?.enqueue(.encoded(bytes, ticket))
            }
        case .decode(let bytes, let ticket):
            let (key, limits) = (configuration.key, configuration.limits)
            stateLane.enqueue { [weak self] in
                let snapshot = try? EncodableSnapshot(decoding: bytes, key: key, limits: limits)
                self?.enqueue(.decoded(snapshot, ticket))
            }
        case .began(let snapshot): leadership?(.began(snapshot))
        case .ended(let reason):
            dropSource()
            journal?.forget()
            leadership?(.ended(reason))
        case .resumeSource: source?.release()
        case .notify(let event): notify(event)
        }
    }

    private func show(_ update: PublishedUpdate, _ contents: StateWithDigest) {
        unpublished += 1
        hub.publish(update, leadingTo: contents) { [weak self] in
            self?.lane.enqueue { [weak self] in
                guard let self else { return }
                unpublished -= 1
                guard unpublished <= Self.unpublishedLimit, let (ticket, request) = heldRead
                else { return }
                heldRead = nil
                if !isClosed { ask(ticket, request) }
            }
        }
    }

    private func notify(_ event: ReplicationEvent) { observer?.observe(event) }

    private func enqueue(_ input: Member.Input) {
        lane.enqueue { [weak self] in self?.take(input) }
    }

    /// Handles an input on the member's lane, after the effect that caused it.
    private func take(_ input: Member.Input) { if !isClosed { handle(input) } }

    // MARK: Requests

    private func ask(_ ticket: LogTicket, _ request: LogRequest) {
        // A member that catches up reads no faster than its hub publishes.
        if ticket.purpose == .reading, unpublished > Self.unpublishedLimit {
            heldRead = (ticket, request)
            return
        }
        var patience = configuration.answerTimeout
        if case .read(_, _, let wait) = request { patience += wait }
        deadlines[ticket] = environment.now + patience
        log.ask(request) { [weak self] answer in
            self?.lane.enqueue { [weak self] in self?.answered(ticket, answer) }
        }
        sweepLater()
    }

    private func answered(_ ticket: LogTicket, _ answer: LogAnswer) {
        // A request that timed out or already has a response is ignored.
        guard deadlines.removeValue(forKey: ticket) != nil, !isClosed else { return }
        handle(.answered(ticket, answer))
    }

    /// Times out the requests whose response is late.
    private func sweepLater() {
        guard !isSweeping, !deadlines.isEmpty else { return }
        isSweeping = true
        environment.schedule(after: configuration.answerTimeout / 2, on: lane) { [weak self] in
            guard let self, !isClosed else { return }
            isSweeping = false
            let now = environment.now
            // Ordered by ticket, because the order of the dictionary is random.
            let late = deadlines.filter { $0.value <= now }.keys.sorted { $0.number < $1.number }
            for ticket in late {
                let error = LogError(.unanswered, "no answer arrived in time")
                answered(ticket, .failed(error))
            }
            sweepLater()
        }
    }
}
