import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// Members of one log on a broker in memory, run by a simulation.
final class ReplicaStage {
    let seed: UInt64
    let simulation: Simulation
    let broker: MemoryBroker
    private(set) var members: [String: StagedMember] = [:]

    init(
        seed: UInt64 = 1,
        broker configuration: MemoryBrokerConfiguration = MemoryBrokerConfiguration(),
        faults: BrokerFaults? = nil
    ) {
        self.seed = seed
        simulation = Simulation(seed: seed)
        broker = MemoryBroker(
            environment: simulation.environment,
            configuration: configuration,
            faults: faults
        )
    }

    /// Adds a member; `twist` may wrap its connection.
    func add(
        _ name: String,
        configured configuration: ReplicationConfiguration? = nil,
        journal: (any JournalStorage)? = nil,
        _ configure: (inout ReplicationConfiguration) -> Void = { _ in },
        over twist: ((MemoryLog) -> any ReplicatedLog)? = nil
    ) -> StagedMember {
        var configuration = configuration ?? ReplicationConfiguration()
        configuration.name = name
        configure(&configuration)
        let member = StagedMember(name, self, configuration, journal, twist)
        members[name] = member
        return member
    }

    /// Makes a member that does nothing yet and that the stage does not retain.
    func makeMember(
        _ configuration: ReplicationConfiguration = ReplicationConfiguration(),
        environment: (any PipelineEnvironment)? = nil,
        observer: (any ReplicationObserver)? = nil,
        journal: (@Sendable () throws(JournalError) -> any JournalStorage)? = nil
    ) -> ReplicatedHub {
        ReplicatedHub(
            log: broker.makeLog(label: "own"),
            journal: journal,
            configuration: configuration,
            environment: environment ?? simulation.environment,
            observer: observer,
            seed: seed
        )
    }

    /// Releases a member, as if its process had died.
    func forget(_ name: String) { members[name] = nil }

    /// Runs for a duration, and then until no work is ready.
    func run(_ duration: Duration = .seconds(5)) {
        let end = simulation.now + duration
        while simulation.now < end, simulation.step() {}
        settle()
    }

    /// Runs until no work is ready; some time may pass meanwhile.
    func settle() {
        for _ in 0..<20_000 {
            let isIdle = simulation.state.withLock { $0.ready.isEmpty }
            if isIdle || !simulation.step() { return }
        }
    }
}

/// A member with the events and notifications that it reported.
final class StagedMember: ReplicationObserver, @unchecked Sendable {  // one thread
    let name: String
    let replica: ReplicatedHub
    private(set) var events: [String] = []
    /// The leadership changes that it reported.
    private(set) var changes: [String] = []
    /// The member's own connection to the broker.
    let log: MemoryLog
    private(set) var source: StagedSource?
    private var random: SeededGenerator
    private let environment: any PipelineEnvironment

    private final class Box: ReplicationObserver, @unchecked Sendable {  // one thread
        weak var member: StagedMember?
        func observe(_ event: ReplicationEvent) { member?.observe(event) }
    }

    init(
        _ name: String,
        _ stage: ReplicaStage,
        _ configuration: ReplicationConfiguration,
        _ journal: (any JournalStorage)?,
        _ twist: ((MemoryLog) -> any ReplicatedLog)?
    ) {
        self.name = name
        log = stage.broker.makeLog(label: name)
        environment = stage.simulation.environment
        let seed = name.utf8.reduce(stage.seed) { $0 &* 31 &+ UInt64($1) }
        random = SeededGenerator(seed: seed)
        let box = Box()
        var open: (@Sendable () throws(JournalError) -> any JournalStorage)?
        if let journal {
            nonisolated(unsafe) let journal = journal
            open = { () throws(JournalError) -> any JournalStorage in journal }
        }
        replica = ReplicatedHub(
            log: twist?(log) ?? log,
            journal: open,
            configuration: configuration,
            environment: stage.simulation.environment,
            observer: box,
            seed: seed
        )
        box.member = self
        replica.follow()
    }

    func observe(_ event: ReplicationEvent) { events.append("\(event)") }

    /// Campaigns for leadership; publishes from a new source while it leads.
    func campaign() {
        replica.campaign { [weak self] change in
            guard let self else { return }
            switch change {
            case .began(let snapshot):
                changes.append("began")
                let source = StagedSource(snapshot.state, environment)
                self.source = source
                replica.publish(from: source.hub)
            case .ended(let reason):
                changes.append("ended \(reason)")
                source = nil
            }
        }
    }

    func publish(_ count: Int = 1) {
        for _ in 0..<count { source?.publish(&random) }
    }

    var state: PublishedState { replica.hub.snapshot.state }
    var version: PublishedVersion { replica.hub.snapshot.version }
}

// Manipulations by an attacker with the key or access to the broker's disk.

extension ReplicaStage {
    /// The readable records of the log.
    var records: [LogRecord] {
        (broker.contents?.log ?? []).compactMap { try? LogRecord(decoding: $0, key: .usual) }
    }

    var head: LogHead? {
        broker.contents?.read(.head).flatMap { try? LogHead(decoding: $0.bytes, key: .usual) }
    }

    /// Appends a changed copy of the last record with a valid hash.
    func appendForged(_ change: (inout LogRecord) -> Void) throws {
        var record = try #require(records.last)
        change(&record)
        broker.appendFromStranger(record.seal(key: .usual))
    }

    func overwrite(_ register: LogRegister, with bytes: [UInt8]) {
        broker.change { state in
            let revision = state.contents?.read(register)?.revision
            _ = try? state.contents?.set(bytes, in: register, expecting: revision)
        }
    }

    /// Replaces all records; the new ones have positions from 1 on. Snapshots and registers stay.
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

    /// Checks that there is one leader and that all members have its state.
    func checkConverged(_ note: Comment = "", leader: String? = nil) {
        let leaders = members.values.filter { $0.replica.status.isLeading }
        #expect(leaders.count == 1, note)
        guard let first = leaders.first else { return }
        if let leader { #expect(first.name == leader, note) }
        for member in members.values {
            #expect(member.replica.status.isCurrent, note)
            #expect(member.version == first.version, "\(note) \(member.name): \(member.events)")
            #expect(member.state == first.state, note)
            #expect(member.digest == first.digest, note)
        }
    }
}

extension StagedMember {
    var digest: StateDigest { replica.hub.snapshot.digest }

    func has(_ event: ReplicationEvent) -> Bool { events.contains("\(event)") }

    /// Returns how often events were reported whose text begins with `event`.
    func count(_ event: String) -> Int { events.count { $0.hasPrefix(event) } }
}
