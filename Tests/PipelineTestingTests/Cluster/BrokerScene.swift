import CollectionElements
import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// A broker with a log, and a connection to it, in a simulation in which some faults happen until they are ended.
struct BrokerScene {
    let simulation: Simulation
    let faults: BrokerFaults
    let broker: MemoryBroker
    let log: MemoryLog

    /// - Parameter records: how many records the log has at first, of a byte each.
    init(
        _ rates: [FaultPoint: Double],
        seed: UInt64 = 1,
        strategy: SchedulingStrategy = .random,
        foreignRecords: [[UInt8]] = [],
        rememberedAppends: Int = 100,
        records: Int = 0
    ) {
        simulation = Simulation(seed: seed, strategy: strategy, faultRates: rates)
        faults = BrokerFaults(in: simulation, seed: seed, foreignRecords: foreignRecords)
        var configuration = MemoryBrokerConfiguration()
        configuration.rememberedAppends = rememberedAppends
        broker = MemoryBroker(
            environment: simulation.environment,
            configuration: configuration,
            faults: faults
        )
        log = broker.makeLog(label: "member")
        // Made by nobody's request, so that no fault happens yet.
        broker.restore(BrokerContents())
        for number in 0..<records { broker.appendFromStranger([UInt8(number)]) }
    }

    /// Asks for something, and runs until nothing is left to do.
    @discardableResult
    func ask<Value: Sendable>(
        _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) -> Result<Value, LogError>? {
        let answers = Journal<Result<Value, LogError>>()
        call { answers.append($0) }
        simulation.run()
        #expect(answers.count <= 1)
        return answers.values.first
    }

    func append(_ byte: UInt8, after position: UInt64) -> Result<UInt64, LogError>? {
        ask { log.append([byte], id: "\(byte)", after: position, $0) }
    }

    var records: [[UInt8]]? { broker.contents?.log }
}
