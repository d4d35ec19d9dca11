import CollectionChanges
import CollectionElements
import PipelineTestSupport

@testable import CollectionPublishing
@testable import CollectionReplication
@testable import PipelineTesting

/// Members of one log on a broker in memory, in a simulation.
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

    /// Adds a member, whose connection may be not as it should be.
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

    /// Makes a member that nobody has asked for anything, and that the stage does not keep.
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

    /// A member is gone, as if its process had died.
    func forget(_ name: String) { members[name] = nil }

    /// Lets everything happen for a while, and what it has led to without more time.
    func run(_ duration: Duration = .seconds(5)) {
        let end = simulation.now + duration
        while simulation.now < end, simulation.step() {}
        settle()
    }

    /// Lets everything happen that waits for no time: though some may pass meanwhile.
    func settle() {
        for _ in 0..<20_000 {
            let isIdle = simulation.state.withLock { $0.ready.isEmpty }
            if isIdle || !simulation.step() { return }
        }
    }
}

/// A member with what it was told.
final class StagedMember: ReplicationObserver, @unchecked Sendable {  // one thread
    let name: String
    let replica: ReplicatedHub
    private(set) var events: [String] = []
    /// What it was told of its leadership.
    private(set) var changes: [String] = []
    /// Its connection.
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

    /// Stands for leadership; publishes from a source of its own when it leads.
    func lead() {
        replica.lead { [weak self] change in
            guard let self else { return }
            switch change {
            case .began(let snapshot):
                changes.append("began")
                let source = StagedSource(snapshot, environment)
                self.source = source
                replica.publish(from: source.hub)
            case .ended(let reason):
                changes.append("ended \(reason)")
                source = nil
            }
        }
    }

    /// Publishes some random updates.
    func publish(_ count: Int = 1) {
        for _ in 0..<count { source?.publish(&random) }
    }

    var state: PublishedState { replica.hub.snapshot.state }
    var version: PublishedVersion { replica.hub.snapshot.version }
}
