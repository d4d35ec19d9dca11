import BrokerProcesses
import CollectionPublishing
import CollectionReplication
import Foundation
import JournalSupport
import NATSJournal
import RedisJournal

/// A member over a connection of its own, and a reader of its hub that notes when it is shown what.
final class BenchMember: Sendable {
    let replica: ReplicatedHub
    private let state = Guarded(State())
    private let reader = Guarded<HubReader?>(nil)

    private struct State {
        var version = 0
        var updates = 0
        var shownAt = DispatchTime.now()
        var awaited: (version: Int, signal: DispatchSemaphore)?
    }

    init(
        _ kind: BrokerKind,
        port: UInt16,
        _ collection: String,
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in }
    ) throws {
        let log: any ReplicatedLog
        switch kind {
        case .nats:
            let options = NATSOptions(servers: ["nats://127.0.0.1:\(port)"])
            log = try NATSConnection(options).log(named: collection)
        case .redis: log = try RedisConnection(RedisOptions(port: port)).log(named: collection)
        }
        var configuration = ReplicationConfiguration()
        // A machine with more to do than it can would renew too late.
        configuration.leaseDuration = .seconds(10)
        configuration.answerTimeout = .seconds(10)
        configure(&configuration)
        replica = ReplicatedHub(log: log, configuration: configuration)
        let reader = try replica.hub.addReader(policy: .individually(limit: 64)) { [weak self] in
            self?.take($0)
            return .more
        }
        self.reader.withLock { $0 = reader }
        replica.follow()
    }

    /// How many updates its readers were told, each by itself or several as one.
    var updates: Int { state.withLock { $0.updates } }

    private func take(_ message: HubMessage) {
        let version = message.version.number
        state.withLock { state in
            state.version = version
            state.shownAt = .now()
            if case .update = message { state.updates += 1 }
            if let awaited = state.awaited, awaited.version <= version {
                state.awaited = nil
                awaited.signal.signal()
            }
        }
    }

    /// Waits until its readers are shown a version, and says since when they are.
    func wait(for version: Int) throws -> DispatchTime {
        let signal = DispatchSemaphore(value: 0)
        let isThere = state.withLock { state in
            if state.version >= version { return true }
            state.awaited = (version, signal)
            return false
        }
        if !isThere, signal.wait(timeout: .now() + 300) == .timedOut {
            throw BenchFailure("a member was not shown version \(version)")
        }
        return state.withLock { $0.shownAt }
    }

    /// Waits until something is so.
    static func wait(_ what: String, until isTrue: () -> Bool) throws {
        for _ in 0..<60_000 {
            if isTrue() { return }
            usleep(2_000)
        }
        throw BenchFailure("not in two minutes: \(what)")
    }

    func close() {
        let done = DispatchSemaphore(value: 0)
        replica.close { done.signal() }
        done.wait()
    }
}
