import BrokerProcesses
import CollectionReplication
import Dispatch
import Foundation
import NATSJournal
import RedisJournal

/// Over the adapter.
final class AdapterSide: BenchSide, DeliverySide {
    private let kind: BrokerKind
    private let port: UInt16
    private let collection: String
    private let log: any ReplicatedLog

    init(_ kind: BrokerKind, port: UInt16, _ collection: String) throws {
        self.kind = kind
        self.port = port
        self.collection = collection
        log = try Self.log(kind, port, collection)
        try Waiting<Void>.wait { log.create($0) }
    }

    static func log(
        _ kind: BrokerKind,
        _ port: UInt16,
        _ collection: String
    ) throws -> any ReplicatedLog {
        switch kind {
        case .nats:
            try NATSConnection(NATSOptions(servers: ["nats://127.0.0.1:\(port)"]))
                .log(named: collection)
        case .redis: try RedisConnection(RedisOptions(port: port)).log(named: collection)
        }
    }

    func roundTrips(count: Int, size: Int) throws -> [Double] {
        let record = [UInt8](repeating: 7, count: size)
        return try (0..<UInt64(count)).map { position in
            try seconds {
                _ = try Waiting<UInt64>.wait {
                    log.append(record, id: "h.1.\(position)", after: position, $0)
                }
            }
        }
    }

    func deliveries(count: Int, size: Int) throws -> [Double] {
        let record = [UInt8](repeating: 7, count: size)
        let reader = try Self.log(kind, port, collection)
        let limit = LogReadLimit(records: 256, bytes: 1 << 20)
        let tally = Tally()
        let done = DispatchSemaphore(value: 0)
        return try (0..<UInt64(count)).map { position in
            // It waits already when the record comes.
            reader.read(from: position + 1, limit: limit, wait: .seconds(5)) { result in
                if case .failure(let error) = result { tally.fail(error.message) }
                done.signal()
            }
            if position == 0 { Thread.sleep(forTimeInterval: 0.2) }
            let time = seconds {
                log.append(record, id: "h.1.\(position)", after: position) { result in
                    if case .failure(let error) = result { tally.fail(error.message) }
                }
                done.wait()
            }
            if let failure = tally.failure { throw BenchFailure(failure) }
            return time
        }
    }

    func appendAll(count: Int, size: Int, readers: Int) throws -> Double {
        let record = [UInt8](repeating: 7, count: size)
        let places = DispatchSemaphore(value: window)
        let tally = Tally()
        let readersDone = DispatchGroup()
        for _ in 0..<readers {
            let log = try Self.log(kind, port, collection)
            readersDone.enter()
            Self.follow(log, from: 1, to: UInt64(count), tally, readersDone)
        }
        let time = seconds {
            for position in 0..<UInt64(count) {
                places.wait()
                log.append(record, id: "h.1.\(position)", after: position) { result in
                    if case .failure(let error) = result { tally.fail(error.message) }
                    places.signal()
                }
            }
            for _ in 0..<window { places.wait() }
        }
        for _ in 0..<window { places.signal() }
        readersDone.wait()
        if let failure = tally.failure { throw BenchFailure(failure) }
        return time
    }

    private static func follow(
        _ log: any ReplicatedLog,
        from position: UInt64,
        to end: UInt64,
        _ tally: Tally,
        _ done: DispatchGroup
    ) {
        guard position <= end else { return done.leave() }
        let limit = LogReadLimit(records: 256, bytes: 1 << 20)
        log.read(from: position, limit: limit, wait: .seconds(5)) { result in
            switch result {
            case .failure(let error):
                tally.fail(error.message)
                done.leave()
            case .success(let batch):
                // On another thread, as a member would, and so that no stack grows.
                DispatchQueue.global().async {
                    let next = batch.start + UInt64(batch.records.count)
                    follow(log, from: next, to: end, tally, done)
                }
            }
        }
    }
}
