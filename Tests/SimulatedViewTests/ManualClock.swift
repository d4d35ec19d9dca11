import CollectionPipeline
import PipelineTestSupport

/// A clock that stands still until its test lets a frame pass: what is due then comes at once, on no lane, so that
/// nothing else comes before it.
final class ManualClock: ForwardingEnvironment, @unchecked Sendable {
    // Unchecked: belongs to the one thread of the test that made it.
    private var numberOfFrames = 0
    private var waiting: [@Sendable () -> Void] = []

    /// How many wait for a frame.
    var numberOfWaiting: Int { waiting.count }

    /// From the number of frames, so that sixty of them are exactly a second.
    var now: Duration { .seconds(numberOfFrames) / 60 }

    let base: any PipelineEnvironment = DispatchEnvironment()

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) { waiting.append(work) }

    /// Lets so many frames pass, as far as anybody waits for them.
    ///
    /// - Parameter late: by how many frames each of them comes late, which skip what they missed.
    func frames(_ count: Int = 1, late: Int = 0) {
        for _ in 0..<count {
            numberOfFrames += 1 + late
            let due = waiting
            waiting = []
            for work in due { work() }
        }
    }
}
