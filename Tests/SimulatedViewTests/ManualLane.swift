import CollectionPipeline

/// A lane that is wherever its test is, and runs what was enqueued when it is told: a view on it does
/// nothing by itself, so that a test says between which turns it looks.
final class ManualLane: Lane, @unchecked Sendable {
    // Unchecked: belongs to the one thread of the test that made it.
    private var waiting: [@Sendable () -> Void] = []

    let label = "manual"

    var isCurrent: Bool { true }

    /// How much was enqueued and has not run.
    var count: Int { waiting.count }

    func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    /// Runs what was enqueued first.
    func runOne() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst()()
    }

    /// Runs until nothing is left.
    ///
    /// - Returns: false where `limit` turns were not enough: work that never ends.
    @discardableResult
    func run(limit: Int = 1000) -> Bool {
        var turns = 0
        while !waiting.isEmpty, turns < limit {
            runOne()
            turns += 1
        }
        return waiting.isEmpty
    }
}
