import CollectionPublishing
import CollectionReplication
import Glibc
import JournalSupport

/// The process of a member: does what it is told by lines, and tells what happens by lines.
final class MemberProcess: Sendable {
    private let replica: ReplicatedHub
    private let reporter = MemberReporter()
    private let gate = EditingGate()
    private let pause: Duration
    private let run = Guarded<LeadershipRun?>(nil)
    private let watcher = Guarded(CollectionReplica())
    private let reader = Guarded<HubReader?>(nil)

    /// How many of the last leaderships are told with a new one.
    private static let toldLeaderships = 12

    init(_ options: MemberOptions) throws {
        let path = options.journal
        pause = options.pause
        replica = ReplicatedHub(
            log: try options.makeLog(),
            journal: { () throws(JournalError) in try FileJournalStorage(path: path) },
            configuration: options.configuration,
            observer: reporter
        )
        let reader = try replica.hub.addReader(policy: .individually(limit: 64)) { [weak self] in
            self?.watch($0)
            return .more
        }
        self.reader.withLock { $0 = reader }
        replica.follow()
        if options.stands { stand() }
    }

    // MARK: What it is told

    func obey() {
        while let line = readLine() {
            switch line {
            case "stand": stand()
            case "resign": replica.resign()
            case "quiet": gate.isOpen = false
            case "edit": gate.isOpen = true
            case "status": tellStatus()
            case "marks":
                let contents = EditedContents(replica.hub.snapshot.state)
                reporter.tell(.marks(contents?.marks ?? []))
            default: break
            }
        }
    }

    private func tellStatus() {
        let (status, snapshot) = (replica.status, replica.hub.snapshot)
        reporter.tell(
            .status(
                MemberStatus(
                    isLeading: status.isLeading,
                    // Readers are shown a moment later what was taken in.
                    isCurrent: status.isCurrent
                        && status.position?.version == snapshot.version.number,
                    pendingRecords: status.pendingRecords,
                    version: snapshot.version.description,
                    digest: snapshot.digest.description
                )
            )
        )
    }

    // MARK: Leading

    private func stand() {
        replica.lead { [weak self] change in
            guard let self else { return }
            switch change {
            case .began(let snapshot): began(snapshot)
            case .ended(let reason): ended(reason.rawValue)
            @unknown default: break
            }
        }
    }

    private func began(_ snapshot: PublishedSnapshot) {
        guard let contents = EditedContents(snapshot.state) else {
            return reporter.tell(.misfit("it began with what is no list of the campaign"))
        }
        let term = CampaignTerm(epoch: reporter.epoch, nonce: .random(in: .min ... .max))
        reporter.tell(.began(term, contents.marks.suffix(Self.toldLeaderships)))
        let run = LeadershipRun(term, replica, reporter, gate, pause: pause)
        self.run.withLock { $0 = run }
        run.start(from: contents)
    }

    private func ended(_ reason: String) {
        let ended = run.withLock { run in
            defer { run = nil }
            return run
        }
        guard let ended else { return }
        ended.end()
        reporter.tell(.ended(ended.term, reason: reason))
    }

    // MARK: Watching what its readers are shown

    private func watch(_ message: HubMessage) {
        let report: MemberReport? = watcher.withLock { replica in
            do throws(ReplicaError) {
                try replica.apply(message)
            } catch {
                return .misfit("a reader cannot follow: \(error)")
            }
            guard let isReset = message.isReset, let version = replica.version else { return nil }
            guard let contents = EditedContents(replica.state) else {
                return .misfit("\(version) is no list of the campaign")
            }
            if let misfit = contents.misfit { return .misfit("at \(version) \(misfit)") }
            return .shown(
                version: version.description,
                digest: replica.digest.description,
                contents.last,
                isReset: isReset
            )
        }
        if let report { reporter.tell(report) }
    }
}

extension HubMessage {
    /// Whether it brings everything; nil where it brings nothing.
    fileprivate var isReset: Bool? {
        switch self {
        case .reset: true
        case .update: false
        default: nil
        }
    }
}
