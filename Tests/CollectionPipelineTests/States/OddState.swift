import CollectionPipeline
import PipelineTestSupport

/// So many items; what compares it is told of, may have to wait, or gives an update to another number.
struct OddState: CollectionState {
    var count = 0
    var gate: Gate?
    var lie = 0
    var onComparing: (@Sendable () -> Void)?
    /// Whatever else it keeps.
    var baggage: (any AnyObject & Sendable)?

    init() {}

    init(_ count: Int, gate: Gate? = nil, lie: Int = 0) {
        (self.count, self.gate, self.lie) = (count, gate, lie)
    }

    var shape: HierarchyShape { [count] }

    func models(at items: Range<Int>, inSection section: Int) -> Range<Int> { items }

    func changes(
        from old: OddState,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        onComparing?()
        gate?.pass()
        return try ValidatedChangeSet(
            fromIdentifiers: [(0, Array(0..<old.count))],
            to: [(0, Array(0..<(count + lie)))],
            options: options,
            isCancelled: isCancelled
        )
    }
}
