/// Everything that a pipeline does not decide itself: where its background work runs, what time it is,
/// and how a thread waits.
///
/// The library uses nothing else of this kind, so an environment that chooses every step makes a
/// whole pipeline repeatable. ``DispatchEnvironment`` is the real one.
public protocol PipelineEnvironment: Sendable {
    /// Makes a serial lane for background work.
    func makeLane(label: String) -> any Lane

    /// Runs `body` once for each of `parts` indexes, in any order and in parallel, on workers that
    /// all pipelines share, and then `join` on `lane`. The caller does not wait.
    ///
    /// Every part happens before `join`. `parts` is at least 1.
    func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    )

    /// How many parts of a fork can run at the same time.
    var workerCount: Int { get }

    /// Whether the caller runs inside a part of a fork.
    var isCurrentWorker: Bool { get }

    /// Runs `work` on `lane` when at least that much time has passed: after a negative `delay` at once, and one of
    /// more than a century may be cut short.
    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    )

    /// The time, from an arbitrary start, never going back. It is not negative, and only the difference
    /// between two of the same environment means something.
    var now: Duration { get }

    /// Makes something that a thread can wait for.
    func makeSignal() -> any PipelineSignal
}
