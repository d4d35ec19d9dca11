import BrokerProcesses
import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import Glibc
import JournalSupport
import NATSJournal
import RedisJournal

/// A member in a process of its own. It follows the log, campaigns for leadership, and makes an
/// edit every ten milliseconds while it leads. Its output reports shown states and acknowledged
/// edits.
final class Member: Sendable {
    private let replica: ReplicatedHub
    private let shown = LockedValue(CollectionReplica())
    private let reader = LockedValue<HubReader?>(nil)
    private let leadership = LockedValue<Leadership?>(nil)

    /// Starts a member.
    ///
    /// - Parameter arguments: The broker, its port, the journal's path and the visibility.
    init(arguments: [String]) throws {
        guard arguments.count == 4, let kind = BrokerKind(rawValue: arguments[0]),
            let port = UInt16(arguments[1])
        else { throw BrokerProcess.Failure(description: "wrong arguments: \(arguments)") }
        let path = arguments[2]
        // Short times, so that many events occur within a minute.
        var configuration = ReplicationConfiguration()
        if arguments[3] == "immediately" { configuration.visibility = .immediately }
        configuration.leaseDuration = .milliseconds(500)
        configuration.answerTimeout = .milliseconds(500)
        configuration.readWait = .milliseconds(300)
        configuration.retryInterval = .milliseconds(50)
        configuration.rollbackGracePeriod = .seconds(2)
        configuration.snapshotInterval = 200
        replica = ReplicatedHub(
            log: try Self.log(kind, port, answerTimeout: configuration.answerTimeout),
            journal: { () throws(JournalError) in try FileJournalStorage(path: path) },
            configuration: configuration
        )
        let reader = try replica.hub.addReader(policy: .separate(limit: 64)) { [weak self] in
            self?.show($0)
            return .more
        }
        self.reader.withLock { $0 = reader }
        replica.follow()
        replica.campaign { [weak self] change in
            switch change {
            case .began(let snapshot): self?.begin(from: snapshot)
            case .ended: self?.end()
            @unknown default: break
            }
        }
    }

    private static func log(
        _ kind: BrokerKind,
        _ port: UInt16,
        answerTimeout: Duration
    ) throws -> any ReplicatedLog {
        switch kind {
        case .nats:
            var options = NATSOptions(servers: ["nats://127.0.0.1:\(port)"])
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            options.connectTimeout = .milliseconds(500)
            options.pingInterval = .seconds(1)
            return try NATSConnection(options).log(named: "board")
        case .redis:
            var options = RedisOptions(port: port)
            options.answerTimeout = answerTimeout
            options.reconnectWait = .milliseconds(50)
            return try RedisConnection(options).log(named: "board")
        }
    }

    /// Writes a line, which is short enough for an atomic write to a pipe.
    fileprivate static func report(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        // If the pipe has no reader, a signal ends the process.
        if write(1, bytes, bytes.count) != bytes.count { _exit(1) }
    }

    private func show(_ message: HubMessage) {
        let line: String? = shown.withLock { replica in
            do throws(ReplicaError) {
                try replica.apply(message)
            } catch {
                return "a reader cannot follow: \(error)"
            }
            guard let version = replica.version else { return nil }
            let edits = EditList.texts(of: replica.state).joined(separator: " ")
            return "shows \(version) \(replica.digest) \(edits)"
        }
        if let line { Self.report(line) }
    }

    private func begin(from snapshot: PublishedSnapshot) {
        let edits = EditList.texts(of: snapshot.state).compactMap(Edit.init)
        let begun = Leadership(replica, edits)
        leadership.withLock { $0 = begun }
        Self.report("leads")
        begun.start()
    }

    private func end() {
        leadership.withLock { $0.take() }?.end()
        Self.report("follows")
    }
}

/// One leadership of a member.
private final class Leadership: Sendable {
    private let replica: ReplicatedHub
    private let first: [Edit]
    private let state = LockedValue((isOver: false, editsUnderWay: 0))

    init(_ replica: ReplicatedHub, _ first: [Edit]) {
        (self.replica, self.first) = (replica, first)
    }

    func start() {
        Task { [self] in
            do {
                try await edit()
            } catch {
                if !isOver { Member.report("an edit was rejected: \(error)") }
            }
        }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the leadership. The member's lane calls this before a later leadership starts.
    func end() { state.withLock { $0.isOver = true } }

    private func edit() async throws {
        let hub = UpdateHub()
        let controller = DataController(dataSource: EditList(first), view: hub)
        try await controller.reloadData()
        // Publishing only enqueues. The lock orders it before the member's work after the end.
        state.withLock { if !$0.isOver { replica.publish(from: hub) } }
        let author = UInt32.random(in: .min ... .max)
        var number = first.last?.number ?? 0
        while !isOver {
            try? await Task.sleep(for: .milliseconds(10))
            let mayEdit = state.withLock { state in
                if state.isOver || state.editsUnderWay >= 64 { return false }
                state.editsUnderWay += 1
                return true
            }
            guard mayEdit else { continue }
            number += 1
            let edit = Edit(number: number, author: author)
            let result = try await controller.performBatchUpdates { list, changes in
                list.append(edit, &changes)
            }
            guard let generation = result.generation else { continue }
            replica.whenVisible(sourceVersion: generation) { [weak self] version in
                self?.finishEdit(edit, isShown: version != nil)
            }
        }
        await controller.close(draining: false)
    }

    private func finishEdit(_ edit: Edit, isShown: Bool) {
        // The member's next source counts its own generations.
        let isCurrent = state.withLock { state in
            state.editsUnderWay -= 1
            return !state.isOver
        }
        if isCurrent, isShown { Member.report("acknowledges \(edit)") }
    }
}

/// The leader's list: a row for each of the newest edits, oldest first, on the main lane.
private final class EditList: CollectionDataSource {
    private var edits: [Edit]

    /// Small enough for a state to fit into one atomic write to a pipe.
    private static let limit = 16

    init(_ edits: [Edit]) { self.edits = edits }

    func numberOfItems(inSection section: Int) -> Int { edits.count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let text = edits[path.item].description
        return { PayloadNode(PublishedPayload(utf8: text)) }
    }

    func append(_ edit: Edit, _ changes: inout BatchRecorder) {
        if edits.count == Self.limit {
            edits.removeFirst()
            changes.deleteItems(at: [ItemPath(section: 0, item: 0)])
        }
        edits.append(edit)
        changes.insertItems(at: [ItemPath(section: 0, item: edits.count - 1)])
    }

    /// The rows of a state; empty before the first leader has published.
    static func texts(of state: PublishedState) -> [String] {
        (0..<state.numberOfSections).flatMap { section in
            state.items(inSection: section).map { item in
                String(decoding: item.payload?.bytes ?? [], as: UTF8.self)
            }
        }
    }
}
