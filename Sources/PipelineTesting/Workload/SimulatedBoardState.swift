import CollectionPipeline
import CollectionSnapshots

/// A state of a ``SimulatedBoard``: a snapshot, which may lack the model of its last item.
struct SimulatedBoardState: CollectionState {
    typealias Snapshot = CollectionSnapshot<Int, Int>

    let snapshot: Snapshot
    /// Whether it gives no model for the last item, which is new: it must be rejected, and nothing may be left of it.
    let isShort: Bool

    init() { self.init(Snapshot(), isShort: false) }

    init(_ snapshot: Snapshot, isShort: Bool) {
        self.snapshot = snapshot
        self.isShort = isShort
    }

    var shape: HierarchyShape { snapshot.shape }
    var accepted: SimulatedBoardState { Self(snapshot.accepted, isShort: isShort) }

    func superseding(_ older: SimulatedBoardState) -> SimulatedBoardState {
        Self(snapshot.superseding(older.snapshot), isShort: isShort)
    }

    func models(at items: Range<Int>, inSection section: Int) -> [Int] {
        let models = snapshot.models(at: items, inSection: section)
        guard isShort, let last = snapshot.itemIdentifiers.last else { return models }
        return models.filter { $0 != last }
    }

    func changes(
        from old: SimulatedBoardState,
        options: DifferenceOptions,
        isCancelled: () -> Bool
    ) throws(DifferenceError) -> ValidatedChangeSet {
        try snapshot.changes(from: old.snapshot, options: options, isCancelled: isCancelled)
    }
}
