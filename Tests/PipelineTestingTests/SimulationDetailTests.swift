import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a simulation does with what it keeps, and with lists from outside.
@Suite("Details of simulations") struct SimulationDetailTests {
    /// A list may be of other code, in which there was more to choose from.
    @Test(arguments: [
        (listed: -3, value: 0), (0, 0), (1, 1), (2, 1), (.max, 1), (.min, 0),
    ])
    func aChoiceOfAListCountsAsFarAsThereIsSomethingToChoose(
        _ choice: (listed: Int, value: Int)
    ) {
        let simulation = Simulation(
            seed: 1,
            strategy: .choices([choice.listed]),
            faultRates: [.closes: 0.5]
        )
        #expect(simulation.happens(.closes) == (choice.value == 1))
        #expect(simulation.choices == [choice.value])
    }

    @Test func aSignalThatIsGoneIsForgotten() {
        let simulation = Simulation(seed: 1)
        do {
            let signal = simulation.environment.makeSignal()
            signal.signal()
            #expect(simulation.state.withLock { $0.signals.count } == 1)
        }
        #expect(simulation.state.withLock { $0.signals.isEmpty })
    }
}
