import Foundation

/// A clock that is put forward by hand, or goes on by a step with every look at it.
final class TestClock: @unchecked Sendable {  // everything under the lock
    private let lock = NSLock()
    private var instant = ContinuousClock.Instant.now
    private let step: Duration

    init(step: Duration = .zero) { self.step = step }

    func advance(by duration: Duration) { lock.withLock { instant += duration } }

    @Sendable func now() -> ContinuousClock.Instant {
        lock.withLock {
            defer { instant += step }
            return instant
        }
    }
}
