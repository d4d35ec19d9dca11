/// Told of everything that happens in a pipeline.
///
/// Called on the lane or worker where it happened, in order on each lane. It must not block and must
/// not call the controller. A close completes after the last call has returned (Quiet After Close).
/// Without an observer there is no clock read and no allocation.
public protocol PipelineObserver: Sendable {
    /// Something happened.
    func observe(_ event: PipelineEvent)
}
