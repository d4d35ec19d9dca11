/// A point that all earlier submissions reach, and that somebody may wait for.
///
/// Each can be awaited by a task, called back at, and waited for by a thread:
/// ``DataController/reached(_:)``, ``DataController/whenReached(_:_:)``,
/// ``DataController/waitUntilReached(_:)``.
@nonexhaustive
public enum Milestone: Hashable, Sendable {
    /// Every change set that was accepted before the wait began was handed to the view, which may
    /// deploy it later, or was cancelled by a close.
    case handedOver

    /// Every submission has completed, animations included; also those that were made since the wait began,
    /// and those that wait for room.
    case completed
}
