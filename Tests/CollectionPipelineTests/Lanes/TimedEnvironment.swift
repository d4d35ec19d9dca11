import CollectionPipeline
import PipelineTestSupport

/// Notes each timer that is asked for.
struct TimedEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    let delays = Journal<Duration>()

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        delays.append(delay)
        base.schedule(after: delay, on: lane, work)
    }
}
