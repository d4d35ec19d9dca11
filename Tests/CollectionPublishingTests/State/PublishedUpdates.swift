import CollectionPublishing
import PipelineTestSupport

/// Draws updates of every kind that follow each other, and what they bring. Everything follows from the seed.
struct PublishedUpdates {
    private(set) var model = StateModel()
    private var random: SeededGenerator
    private var source: FreshSource
    /// Whether an item that changes and shows nothing keeps what it showed.
    private let keepsUnrendered: Bool
    /// The items of which that is so, by the last update.
    private(set) var unrendered: Set<ItemPath> = []

    /// - Parameter isComplete: whether there is always a payload.
    init(seed: UInt64, isComplete: Bool = false, keepsUnrendered: Bool = false) {
        random = SeededGenerator(seed: seed)
        source = FreshSource(isComplete: isComplete)
        self.keepsUnrendered = keepsUnrendered
    }

    /// An update from the model's state on, after which the model is.
    mutating func next(rate: Double = 0.3) throws -> (ValidatedChangeSet, PublishedContents) {
        let update = try draw(rate)
        return (update, take(update))
    }

    /// The same, where a fault of the drawing stops the test.
    mutating func drawn(rate: Double) -> (ValidatedChangeSet, PublishedContents) {
        do { return try next(rate: rate) } catch { fatalError("drawn updates are valid: \(error)") }
    }

    /// Goes on from another state.
    mutating func go(to state: StateModel) { model = state }

    /// An item shows something else, without an edit.
    mutating func change(_ path: ItemPath) {
        guard let payload = source.payload() else { return }
        let number = model.sections[path.section].items[path.item].number
        let item = PublishedItem(number: number, payload: payload)
        model.sections[path.section].items[path.item] = item
        unrendered.remove(path)
    }

    /// A header shows something else, without an edit.
    ///
    /// - Parameter canGo: whether there may be none then.
    mutating func changeHeader(_ section: Int, canGo: Bool) {
        let payload = source.payload()
        if payload == nil, !canGo { return }
        let number = model.sections[section].section.number
        model.sections[section].section = PublishedSection(number: number, payload: payload)
    }

    /// An update of one edit in a list of some twenty items, of which most are the same after many.
    mutating func nextSmall() throws -> ValidatedChangeSet {
        var counts = model.shape.itemCounts
        var changes = HierarchyChangeSet()
        func place(_ random: inout SeededGenerator, _ offset: Int) -> ItemPath {
            let section = random.next(below: counts.count)
            return ItemPath(section, random.next(below: max(1, counts[section] + offset)))
        }
        let path = place(&random, 0)
        let isThere = path.item < counts[path.section]
        switch random.next(below: 6) {
        case 0, 1:
            guard !isThere || counts.reduce(0, +) < 20 else { fallthrough }
            changes.insertItems(at: [path])
            counts[path.section] += 1
        case 2 where isThere:
            changes.deleteItems(at: [path])
            counts[path.section] -= 1
        case 3 where isThere:
            counts[path.section] -= 1
            let new = place(&random, 1)
            changes.moveItem(at: path, to: new)
            counts[new.section] += 1
        case 4 where isThere: changes.reconfigureItems(at: [path])
        default: changes.reloadSupplementaries(ofKind: .header, in: [path.section])
        }
        let update = try changes.validated(from: model.shape, to: HierarchyShape(counts))
        _ = take(update)
        return update
    }

    /// Goes on by an update that somebody else chose.
    mutating func take(_ update: ValidatedChangeSet) -> PublishedContents {
        let contents = model.apply(update, &source, keepsUnrendered: keepsUnrendered)
        let changes = zip(update.reconfigurations, contents.changedItems)
        unrendered = Set(changes.filter { $1.payload == nil }.map(\.0.newPath))
        return contents
    }

    private mutating func draw(_ rate: Double) throws -> ValidatedChangeSet {
        let old = model.shape
        let draw = RandomUpdate(from: old, &random, rate: rate)
        var changes = draw.changes
        if random.isTrue(oneIn: 16) { changes.reloadData() }
        for section in old.itemCounts.indices where random.isTrue(oneIn: 8) {
            // Also what moves in it, and out of it.
            changes.reconfigureSections([section])
        }
        for section in draw.newShape.itemCounts.indices where random.isTrue(oneIn: 5) {
            changes.reloadSupplementaries(ofKind: .header, in: [section])
        }
        for section in draw.newShape.itemCounts.indices where random.isTrue(oneIn: 9) {
            changes.reloadSupplementaries(ofKind: .footer, in: [section])
        }
        return try changes.validated(from: old, to: draw.newShape)
    }
}
