import CollectionPipeline
import CollectionPublishing
import Dispatch
import Synchronization

/// A controller over a metered main lane, loaded and idle.
final class LoadedCollection {
    let lane = MeteredLane()
    let controller: DataController<CountsSource>
    /// The work of the main lane during loading.
    let loading: MeteredLane.Times
    /// Entered until the collection is released.
    let ended = DispatchGroup()

    private let view = ImmediateView()
    private var random = SplitMix64()

    init(_ outline: Outline) throws {
        controller = DataController(
            dataSource: CountsSource(outline.counts, lifetime: ended),
            view: view,
            lane: lane
        )
        try controller.reload()
        loading = lane.takeTimes()
        guard map.numberOfItems == outline.numberOfItems else {
            throw Failure("expected \(outline) after loading, found \(map.shape)")
        }
    }

    /// The map that the view shows.
    var map: ElementMap { controller.visibleMap }

    /// Returns the time that five deletes and five inserts at random places keep the main lane
    /// busy.
    func nanosecondsOfTenEdits() throws -> Double { Double(try deployTenEdits().nanoseconds) }

    /// Submits five deletes and five inserts on the main lane, and returns the work of the lane
    /// from the block that submits them to the block that completes them.
    func deployTenEdits() throws -> MeteredLane.Times {
        let counts = controller.pendingMap.shape.itemCounts
        let plan = EditPlan.ofTen(in: counts, using: &random)
        try controller.deploy { source, changes in
            source.asks = 0
            source.apply(plan, &changes)
        }
        return lane.takeTimes()
    }

    /// The number of calls of the data source since the last submission.
    var asks: Int {
        let asks = Tally()
        lane.enqueue { [controller] in asks.add(controller.assumeIsolated().dataSource.asks) }
        lane.takeTimes()
        return asks.count
    }
}

/// The shape of a collection whose sections are equally long.
struct Outline {
    let sections: Int
    let itemsPerSection: Int

    static let million = Outline(sections: 10, itemsPerSection: 100_000)
    static let thousand = Outline(sections: 10, itemsPerSection: 100)

    var counts: [Int] { Array(repeating: itemsPerSection, count: sections) }

    var numberOfItems: Int { sections * itemsPerSection }
}

/// A model that keeps only counts, so that changing it costs next to nothing.
final class CountsSource: ModelDataSource {
    private var counts: [Int]
    /// The number of calls so far.
    var asks = 0
    /// For plans that are made on the main lane.
    private var random = SplitMix64()
    private let lifetime: DispatchGroup

    /// - Parameter lifetime: entered until the source, and with it its controller, is released.
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

    func changedSections() -> SectionSet? {
        asks += 1
        return nil
    }

    let makeNode: @Sendable (Int) throws -> any CollectionNode = { PlainNode($0) }

    func models(at items: Range<Int>, inSection section: Int) -> Range<Int> {
        asks += 1
        return items
    }

    /// Changes the model and records the change.
    func apply(_ plan: EditPlan, _ changes: inout some ChangeRecording & ~Copyable) {
        plan.apply(to: &counts)
        plan.record(into: &changes)
    }

    /// Deletes five random items and inserts five at random places.
    func applyTenEdits(_ changes: inout some ChangeRecording & ~Copyable) {
        apply(.ofTen(in: counts, using: &random), &changes)
    }
}

/// A node that costs as little as a node can: a row of one line.
final class PlainNode: ReconfigurableNode {
    private let model: Atomic<Int>

    init(_ model: Int) { self.model = Atomic(model) }

    func measure(in range: SizeRange) -> Size { range.clamp(Size(width: 80, height: 1)) }

    func measure(_ model: Int, in range: SizeRange) -> Size { measure(in: range) }

    func update(to model: Int) { self.model.store(model, ordering: .relaxed) }
}

extension PlainNode: PublishedNode {
    private static let row = PublishedPayload(utf8: "<li>row</li>")

    var payload: PublishedPayload? { Self.row }
}

/// A view with nothing to draw: it deploys and finishes every update immediately.
final class ImmediateView: CollectionView {
    let elementSizeRange = SizeRange.width(80)

    var firstVisiblePath: ItemPath? { ItemPath(section: 0, item: 0) }

    func attach(to lane: any Lane) {}

    func perform(_ update: ViewUpdate) {
        update.deploy { _ in }
        update.finish()
    }
}

/// A valid change set: items to delete and to insert at random places, all distinct.
struct EditPlan {
    /// Old paths, in random order.
    private(set) var deletions: [ItemPath] = []
    /// New paths, in random order.
    private(set) var insertions: [ItemPath] = []
    /// The change of each section's item count.
    private var growth: [Int: Int] = [:]

    /// Makes a plan for a collection of these counts. Every item is as likely to be deleted as any
    /// other, so sections do not drift apart.
    init(
        in counts: [Int],
        deletions deletionCount: Int,
        insertions insertionCount: Int,
        using random: inout SplitMix64
    ) {
        let total = counts.reduce(0, +)
        var chosen = Set<Int>()
        while chosen.count < deletionCount {
            let ordinal = Int.random(in: 0..<total, using: &random)
            guard chosen.insert(ordinal).inserted else { continue }
            let path = Self.path(ofItem: ordinal, in: counts)
            deletions.append(path)
            growth[path.section, default: 0] -= 1
        }
        let sections = (0..<insertionCount).map { _ in
            Int.random(in: counts.indices, using: &random)
        }
        for section in sections { growth[section, default: 0] += 1 }
        var filled = Set<ItemPath>()
        for section in sections {
            let count = counts[section] + (growth[section] ?? 0)
            var path: ItemPath
            repeat {
                path = ItemPath(section: section, item: Int.random(in: 0..<count, using: &random))
            } while !filled.insert(path).inserted
            insertions.append(path)
        }
    }

    /// Makes the plan of ten edits that most figures use: five deletes and five inserts.
    static func ofTen(in counts: [Int], using random: inout SplitMix64) -> EditPlan {
        EditPlan(in: counts, deletions: 5, insertions: 5, using: &random)
    }

    /// Changes the counts to those afterwards.
    func apply(to counts: inout [Int]) {
        for (section, change) in growth { counts[section] += change }
    }

    /// Records the edits as a caller would.
    func record(into changes: inout some ChangeRecording & ~Copyable) {
        if !deletions.isEmpty { changes.deleteItems(at: deletions) }
        if !insertions.isEmpty { changes.insertItems(at: insertions) }
    }

    /// The record of the edits.
    var changes: HierarchyChangeSet {
        var changes = HierarchyChangeSet()
        record(into: &changes)
        return changes
    }

    func validated(from counts: [Int]) throws -> ValidatedChangeSet {
        var newCounts = counts
        apply(to: &newCounts)
        return try changes.validated(from: HierarchyShape(counts), to: HierarchyShape(newCounts))
    }

    private static func path(ofItem ordinal: Int, in counts: [Int]) -> ItemPath {
        var item = ordinal
        for (section, count) in counts.enumerated() {
            if item < count { return ItemPath(section: section, item: item) }
            item -= count
        }
        fatalError("there is no item \(ordinal)")
    }
}
