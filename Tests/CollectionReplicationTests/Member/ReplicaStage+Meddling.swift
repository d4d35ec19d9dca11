import CollectionChanges
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

// What somebody can do to a broker who has the key, or its disk.

extension ReplicaStage {
    /// Records of the log, as somebody who has the key reads them.
    var records: [LogRecord] {
        (broker.contents?.log ?? []).compactMap { try? LogRecord(decoding: $0, key: .usual) }
    }

    var head: LogHead? {
        broker.contents?.read(.head).flatMap { try? LogHead(decoding: $0.bytes, key: .usual) }
    }

    /// Appends another form of the last record, sealed by somebody who has the key.
    func appendForged(_ change: (inout LogRecord) -> Void) throws {
        var record = try #require(records.last)
        change(&record)
        broker.appendFromStranger(record.seal(key: .usual))
    }

    /// Sets a register to something else.
    func overwrite(_ register: LogRegister, with bytes: [UInt8]) {
        broker.change { state in
            let revision = state.contents?.read(register)?.revision
            _ = try? state.contents?.set(bytes, in: register, expecting: revision)
        }
    }

    /// Puts other records in place of all, at positions from 1 on; snapshots and registers stay.
    func replaceLog(_ change: (inout [[UInt8]]) -> Void) {
        guard let old = broker.contents else { return }
        var log = old.log
        change(&log)
        var new = BrokerContents()
        for register in LogRegister.allCases {
            guard let value = old.read(register) else { continue }
            _ = try? new.set(value.bytes, in: register, expecting: nil)
        }
        for name in old.snapshotNames {
            for index in 0... {
                guard let chunk = old.chunk(at: index, of: name) else { break }
                try? new.put(chunk, at: index, of: name, broker.configuration)
            }
        }
        for record in log { new.add(record, broker.configuration) }
        broker.restore(new)
    }

    /// Whether all members have what the one who leads has, who is the only one.
    ///
    /// - Parameter isQuiet: whether nothing goes wrong any more, so that all must be at the end of the log.
    func checkConverged(_ note: Comment = "", leader: String? = nil, isQuiet: Bool = true) {
        let leaders = members.values.filter { $0.replica.status.isLeading }
        #expect(leaders.count == 1, note)
        guard let first = leaders.first else { return }
        if let leader { #expect(first.name == leader, note) }
        for member in members.values {
            #expect(member.replica.status.isCurrent || !isQuiet, note)
            #expect(member.version == first.version, "\(note) \(member.name): \(member.events)")
            #expect(member.state == first.state, note)
            #expect(member.digest == first.digest, note)
        }
    }
}

extension StagedMember {
    var digest: StateDigest { replica.hub.snapshot.digest }

    /// Whether something was told.
    func has(_ event: ReplicationEvent) -> Bool { events.contains("\(event)") }

    /// How often something was told, by how its text begins.
    func count(_ event: String) -> Int { events.count { $0.hasPrefix(event) } }
}
