import CollectionElements
import PipelineSimulation
import PipelineTestSupport

/// Fates for real threads: chances from one seed, and pauses that make threads overlap.
struct JitteredFates: WorkloadFates {
    private let jitter: Jitter
    private let chances: Chances

    private final class Chances: Sendable {
        private let random: Lock<SeededGenerator>

        init(seed: UInt64) { random = Lock(SeededGenerator(seed: seed)) }

        func draw(_ rate: Double) -> Bool { random.withLock { $0.chance(rate) } }
    }

    init(_ jitter: Jitter, seed: UInt64) {
        self.jitter = jitter
        chances = Chances(seed: seed)
    }

    func happens(_ fault: FaultPoint) -> Bool { chances.draw(Self.rate(of: fault)) }

    private static func rate(of fault: FaultPoint) -> Double {
        switch fault {
        case .viewIsBusy: 0.4
        case .viewRefuses, .viewDropsUpdate, .viewDropsLater, .providerThrows, .measurementThrows,
            .layoutThrows:
            0.03
        default: 0
        }
    }

    func pause() { jitter.sleep() }
}
