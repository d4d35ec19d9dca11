import CollectionPipeline
import PipelineTestSupport

/// Notes each timer that is asked for.
struct TimedEnvironment: ForwardingEnvironment {
    let base: any PipelineEnvironment
    let delays = Journal<UInt64>()

    func schedule(
        afterNanoseconds delay: UInt64,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        delays.append(delay)
        base.schedule(afterNanoseconds: delay, on: lane, work)
    }
}
