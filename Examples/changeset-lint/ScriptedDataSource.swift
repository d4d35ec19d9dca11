import CollectionPipeline

/// A data source that answers the counts it was given, and takes down what it is asked to make.
final class ScriptedDataSource: CollectionDataSource {
    private(set) var counts: [Int]
    /// Requests for content since the script began: `cS` for the context of a section, `bS.I` for
    /// the node of an item.
    private(set) var asks: [String] = []
    private var sectionCount = 0
    private var itemCount = 0
    /// Models differ before and after the update, so that a reconfigured item has a new one.
    private var revision = 0

    init(counts: [Int]) { self.counts = counts }

    /// Changes the counts; asks are numbered from 0 again.
    func begin(_ newCounts: [Int]) {
        counts = newCounts
        asks = []
        (sectionCount, itemCount) = (0, 0)
        revision += 1
    }

    func numberOfSections() -> Int { counts.count }

    func numberOfItems(inSection section: Int) -> Int { counts[section] }

    func context(forSection section: Int) -> (any SectionContext)? {
        asks.append("c\(section)")
        defer { sectionCount += 1 }
        return NumberedContext(number: sectionCount)
    }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { revision }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        asks.append("b\(path.section).\(path.item)")
        defer { itemCount += 1 }
        let number = itemCount
        return { NumberedNode(number: number) }
    }
}
