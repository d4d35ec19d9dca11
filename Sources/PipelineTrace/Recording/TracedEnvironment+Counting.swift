import CollectionElements
import SimulatedView

extension TracedEnvironment {
    /// Takes down what something numbers now; from anywhere.
    ///
    /// ```swift
    /// traced.count("readers", [.init("readers", hub.numberOfReaders)])
    /// ```
    ///
    /// - Parameters:
    ///   - name: what is counted: one graph of the trace.
    ///   - values: the numbers, always the same ones in the same order.
    public func count(_ name: String, _ values: [TraceEntry.Count.Value]) {
        receiver.receive(.count(TraceEntry.Count(name, in: pipeline, values, at: now)))
    }

    /// Takes down how many items of a view are visible, and how many more are in its display and its preload range;
    /// nothing where the view has no range controller. On the view's lane.
    ///
    /// Complexity: O(n) in what is in the ranges.
    public func countRanges(of view: SimulatedCollectionView) {
        guard let ranges = view.rangeController else { return }
        func count(_ state: InterfaceState) -> Int {
            ranges.elements(in: state).count { $0.kind == nil }
        }
        let (visible, display, preload) = (count(.visible), count(.display), count(.preload))
        // They are drawn one above the other, and each range contains the one before.
        self.count(
            "items in ranges",
            [
                TraceEntry.Count.Value("visible", visible),
                TraceEntry.Count.Value("display", max(0, display - visible)),
                TraceEntry.Count.Value("preload", max(0, preload - display)),
            ]
        )
    }
}
