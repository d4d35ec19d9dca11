import CollectionPipeline

/// Takes what a trace is made of: a ``TraceRecorder`` keeps it, a ``ChromeTraceStream`` writes it at once.
///
/// Both are observers of pipelines, of any number of them that have different names
/// (`PipelineConfiguration.name`): submissions of two with one name could not be told apart. As an observer alone one
/// hears what events say; a ``TracedEnvironment`` adds who was busy when.
///
/// ```swift
/// let recorder = TraceRecorder()
/// let traced = TracedEnvironment("feed", receiver: recorder)
/// let controller = DataController(
///     dataSource: Feed(), view: view, configuration: named("feed"),
///     lane: traced.mainLane(EmulatedMainLane()), environment: traced, observer: recorder)
/// …
/// let bytes = ChromeTrace.json(of: recorder.entries, leftOut: recorder.leftOut)
/// ```
///
/// Threading: called by any thread, several at once, in order on each lane. It must not block.
public protocol TraceReceiver: PipelineObserver {
    /// Something to show.
    func receive(_ entry: TraceEntry)
}

extension TraceReceiver {
    /// Takes an event; the pipeline calls it.
    public func observe(_ event: PipelineEvent) { receive(.event(TraceEntry.Event(event))) }
}
