import CollectionPipeline

/// A data source that answers the counts it was given, and takes down what it is asked to make.
final class ScriptedDataSource: CollectionDataSource {
    private(set) var counts: [Int]
    private var requests = Requests()
    /// Models differ before and after the update, so that a reconfigured item has a new one.
    private var revision = 0

    /// What was asked for since the script began.
    private struct Requests {
        var asks: [String] = []
        var sectionCount = 0
        var itemCount = 0
    }

    init(counts: [Int]) { self.counts = counts }

    /// Requests for content since the script began: `cS` for the context of a section, `bS.I` for
    /// the node of an item.
    var asks: [String] { requests.asks }

    /// Changes the counts; asks are numbered from 0 again.
    func begin(_ newCounts: [Int]) {
        counts = newCounts
        requests = Requests()
        revision += 1
    }

    func numberOfSections() -> Int { counts.count }

    func numberOfItems(inSection section: Int) -> Int { counts[section] }

    func context(forSection section: Int) -> (any SectionContext)? {
        requests.asks.append("c\(section)")
        defer { requests.sectionCount += 1 }
        return NumberedContext(number: requests.sectionCount)
    }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { revision }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        requests.asks.append("b\(path.section).\(path.item)")
        defer { requests.itemCount += 1 }
        let number = requests.itemCount
        return { NumberedNode(number: number) }
    }
}
