import CollectionPipeline

/// A data source that returns the counts it was given and records all requests for content.
final class ScriptedDataSource: CollectionDataSource {
    private(set) var counts: [Int]
    private var requests = Requests()
    /// The model of every item. It differs before and after the update, so a reconfigured item has
    /// a new one.
    private var revision = 0

    /// The requests since the last call of `begin(_:)`.
    private struct Requests {
        var names: [String] = []
        var sectionCount = 0
        var itemCount = 0
    }

    init(counts: [Int]) { self.counts = counts }

    /// The requests for content since the last call of `begin(_:)`: `cS` for the context of a
    /// section, `bS.I` for the node of an item.
    var contentRequests: [String] { requests.names }

    /// Changes the counts. Requests are numbered from 0 again.
    func begin(_ newCounts: [Int]) {
        counts = newCounts
        requests = Requests()
        revision += 1
    }

    func numberOfSections() -> Int { counts.count }

    func numberOfItems(inSection section: Int) -> Int { counts[section] }

    func context(forSection section: Int) -> (any SectionContext)? {
        requests.names.append("c\(section)")
        defer { requests.sectionCount += 1 }
        return NumberedContext(number: requests.sectionCount)
    }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { revision }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        requests.names.append("b\(path.section).\(path.item)")
        defer { requests.itemCount += 1 }
        let number = requests.itemCount
        return { NumberedNode(number: number) }
    }
}

/// A view that is always ready: it deploys every update immediately and keeps the last one.
///
/// Its state is confined to the main lane, on which the pipeline calls all its methods except
/// `attach(to:)`.
final class RecordingView: CollectionView, @unchecked Sendable {  // on the main lane
    private(set) var lastUpdate: ViewUpdate?

    /// Does nothing, because the view needs no lane.
    func attach(to lane: any Lane) {}

    var elementSizeRange: SizeRange { .unconstrained }

    var firstVisiblePath: ItemPath? { nil }

    func perform(_ update: ViewUpdate) {
        update.deploy { self.lastUpdate = $0 }
        update.finish()
    }
}

/// A section context that holds the number of its request.
final class NumberedContext: SectionContext {
    let number: Int

    init(number: Int) { self.number = number }
}

/// A node that holds the number of its request. It accepts every model, so a reconfiguration keeps
/// it.
final class NumberedNode: ReconfigurableNode {
    let number: Int

    init(number: Int) { self.number = number }

    // Nothing is laid out, so the size does not matter.

    func measure(in range: SizeRange) -> Size { .zero }

    func measure(_ model: Int, in range: SizeRange) -> Size { .zero }

    func update(to model: Int) {}
}
