import Dispatch

/// A counter that a thread can wait on: every `wait` takes one `signal`.
public protocol PipelineSignal: Sendable {
    /// Lets one waiter go, now or when it comes.
    func signal()

    /// Blocks until there is a signal to take.
    func wait()
}

/// A signal that blocks its thread.
package struct SemaphoreSignal: PipelineSignal {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func signal() { semaphore.signal() }

    package func wait() { semaphore.wait() }
}
