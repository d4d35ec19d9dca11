import CollectionReplication
import Foundation
import Logging
import Synchronization

/// Where the server is that leads a list: kept by it in a register beside the logs, and read by whoever has an edit for it.
///
/// What stands there may be old, or wrong: whoever is asked knows whether it leads. So that it is right again when the
/// broker has forgotten it, a leader looks every so often.
final class LeaderAddress: Sendable {
    /// What the register has.
    private struct Entry: Codable, Equatable {
        var address: String
        var epoch: UInt64
    }

    private let log: any ReplicatedLog
    private let interval: Duration
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        var own: ServerAddress?
        var task: Task<Void, Never>?
    }

    /// How long an answer of the broker may take.
    private static let patience = Duration.seconds(2)

    init(log: any ReplicatedLog, own: ServerAddress?, interval: Duration, logger: Logger) {
        self.log = log
        self.interval = interval
        self.logger = logger
        state = Mutex(State(own: own))
    }

    /// Where this server listens, which is its address unless it was told another.
    func listens(at address: ServerAddress) {
        state.withLock { $0.own = $0.own ?? address }
    }

    /// This server leads.
    func announce(epoch: UInt64) {
        let task = Task { [weak self, interval] in
            while !Task.isCancelled {
                let isThere = await self?.put(epoch) ?? true
                try? await Task.sleep(for: isThere ? interval : interval / 10)
            }
        }
        let old = state.withLock { state in
            defer { state.task = task }
            return state.task
        }
        old?.cancel()
    }

    /// This server does not lead any more.
    func withdraw() {
        let task = state.withLock { state in
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    /// Where the leader is, as far as is known.
    func find() async throws -> ServerAddress? {
        try await read().entry.flatMap { ServerAddress($0.address) }
    }

    private func read() async throws -> (entry: Entry?, revision: UInt64?) {
        let value = try await log.value(of: .head, within: Self.patience)
        let entry = value.flatMap { try? JSONDecoder().decode(Entry.self, from: Data($0.bytes)) }
        return (entry, value?.revision)
    }

    /// Sees to it that the address is there; false where it may not be.
    private func put(_ epoch: UInt64) async -> Bool {
        guard let own = state.withLock({ $0.own }) else { return false }
        let entry = Entry(address: own.description, epoch: epoch)
        do {
            let (there, revision) = try await read()
            // A later leader's is better.
            if there == entry || there.map({ $0.epoch > epoch }) == true { return true }
            let bytes = [UInt8](try JSONEncoder().encode(entry))
            try await log.put(bytes, in: .head, expecting: revision, within: Self.patience)
            return true
        } catch {
            logger.info("where this server is could not be told: \(error)")
            return false
        }
    }
}
