import CollectionPipeline

/// An environment over another one, which does everything that it does not do itself.
package protocol ForwardingEnvironment: PipelineEnvironment {
    var base: any PipelineEnvironment { get }
}

extension ForwardingEnvironment {
    package func makeLane(label: String) -> any Lane { base.makeLane(label: label) }

    package func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(parts: parts, joinOn: lane, body: body, join: join)
    }

    package var workerCount: Int { base.workerCount }

    package var isCurrentWorker: Bool { base.isCurrentWorker }

    package func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    package var now: Duration { base.now }

    package func makeSignal() -> any PipelineSignal { base.makeSignal() }
}
