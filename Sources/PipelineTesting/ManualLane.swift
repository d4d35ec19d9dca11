import CollectionPipeline

/// A lane for single-threaded tests of a view: work waits until the test runs it.
///
/// A view on this lane does nothing on its own, so the test decides when each turn runs and can
/// look at the view in between. Use a ``Simulation`` to test a whole pipeline in many orders.
///
/// ```swift
/// let lane = ManualLane()
/// let view = SimulatedCollectionView(size: Size(width: 100, height: 300), layout: ListLayout())
/// let adapter = DataSourceAdapter(dataSource: rows, view: view, lane: lane)
/// lane.run()
/// #expect(view.visibleCells.count == 7)
/// ```
///
/// Threading: belongs to the one thread that makes it; ``isCurrent`` is always `true`.
public final class ManualLane: Lane, @unchecked Sendable {
    // Unchecked: belongs to the one thread of the test that made it.
    private var waiting: [@Sendable () -> Void] = []

    /// Creates a lane without waiting work.
    public init() {}

    /// The name of the lane: "manual".
    public let label = "manual"

    /// Whether the caller is on the lane: always `true`.
    public var isCurrent: Bool { true }

    /// The number of waiting closures.
    public var count: Int { waiting.count }

    /// Adds a closure that waits until the test runs it.
    public func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    /// Runs the closure that has waited longest, if there is one.
    public func runOne() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst()()
    }

    /// Runs closures in order, including those that they enqueue, until none is left.
    ///
    /// - Parameter limit: The maximum number of closures to run.
    /// - Returns: `false` if some were left, which usually means that the work never ends.
    @discardableResult
    public func run(limit: Int = 1000) -> Bool {
        for _ in 0..<max(0, limit) where !waiting.isEmpty { runOne() }
        return waiting.isEmpty
    }
}
