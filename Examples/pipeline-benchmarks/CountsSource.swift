import CollectionPipeline
import Dispatch

/// A model of which only the counts are kept, so that changing it costs next to nothing.
final class CountsSource: ModelDataSource {
    var counts: [Int]
    /// Whether the pipeline is spared the questions about sections that no plan touches.
    var namesChangedSections = false
    /// How many questions were asked so far.
    var asks = 0
    /// For plans that are made on the main lane.
    var random = SplitMix64()
    private let lifetime: DispatchGroup

    /// - Parameter lifetime: entered until the source, and with it its controller, is gone.
    init(_ counts: [Int], lifetime: DispatchGroup) {
        self.counts = counts
        self.lifetime = lifetime
        lifetime.enter()
    }

    deinit { lifetime.leave() }

    func numberOfSections() -> Int {
        asks += 1
        return counts.count
    }

    func numberOfItems(inSection section: Int) -> Int {
        asks += 1
        return counts[section]
    }

    /// A plan touches whatever changes, and that is asked about in any case.
    func changedSections() -> SectionSet? {
        asks += 1
        return namesChangedSections ? [] : nil
    }

    let makeNode: @Sendable (Int) throws -> any CollectionNode = { PlainNode($0) }

    func models(at items: Range<Int>, inSection section: Int) -> Range<Int> {
        asks += 1
        return items
    }

    /// Changes the model and records it.
    func apply(_ plan: EditPlan, _ changes: inout some ChangeRecording & ~Copyable) {
        for (section, change) in plan.growth { counts[section] += change }
        plan.record(into: &changes)
    }

    /// Deletes five items and inserts five, chosen now.
    func applyRandomPlan(to changes: inout some ChangeRecording & ~Copyable) {
        apply(.randomTen(in: counts, using: &random), &changes)
    }
}
