import Synchronization

/// Suspends the task until the callback that `start` is given is called, which must happen once, and
/// returns what it is called with.
///
/// What the callback's thread did before is visible to the task afterwards, and the atomic flag makes
/// ThreadSanitizer see that too: a continuation's own synchronisation is invisible to it.
package func suspend<Value: Sendable>(
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let fence = Fence()
    let value = await withCheckedContinuation { continuation in
        start { value in
            fence.flag.store(true, ordering: .releasing)
            continuation.resume(returning: value)
        }
    }
    _ = fence.flag.load(ordering: .acquiring)
    return value
}

private final class Fence: Sendable {
    let flag = Atomic<Bool>(false)
}
