import CollectionPipeline

/// A lane that runs work on the caller's thread, one piece after the other.
// Unchecked: used by one thread.
final class InlineLane: Lane, @unchecked Sendable {
    let label: String
    private var work: [@Sendable () -> Void] = []
    private var isRunning = false
    /// Called once, after the next work, as if another thread had been faster than the caller's next
    /// call.
    var afterNext: (() -> Void)?

    init(_ label: String = "store") { self.label = label }

    var isCurrent: Bool { isRunning }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        self.work.append(work)
        if isRunning { return }
        isRunning = true
        while !self.work.isEmpty { self.work.removeFirst()() }
        isRunning = false
        if let afterNext {
            self.afterNext = nil
            afterNext()
        }
    }
}
