import CollectionPublishing
import PipelineTestSupport

/// Draws a sequence of random updates with their contents from a seed.
struct PublishedUpdates {
    private(set) var model = StateModel()
    private var random: SeededGenerator
    private var source: ContentGenerator
    /// Whether a changed item without a new payload keeps its old one.
    private let keepsUnrendered: Bool
    /// The items of the last update that got no new payload.
    private(set) var unrendered: Set<ItemPath> = []

    /// - Parameter isComplete: whether every element gets a payload.
    init(seed: UInt64, isComplete: Bool = false, keepsUnrendered: Bool = false) {
        random = SeededGenerator(seed: seed)
        source = ContentGenerator(isComplete: isComplete)
        self.keepsUnrendered = keepsUnrendered
    }

    /// Draws an update from the model's state and applies it to the model.
    mutating func next(rate: Double = 0.3) throws -> (ValidatedChangeSet, PublishedContents) {
        let update = try draw(rate)
        return (update, take(update))
    }

    /// Like ``next(rate:)``, but stops the test if the drawn update is invalid.
    mutating func drawn(rate: Double) -> (ValidatedChangeSet, PublishedContents) {
        do { return try next(rate: rate) } catch { fatalError("drawn updates are valid: \(error)") }
    }

    /// Continues from another state.
    mutating func go(to state: StateModel) { model = state }

    /// Changes an item's payload without an edit.
    mutating func change(_ path: ItemPath) {
        guard let payload = source.payload() else { return }
        let number = model.sections[path.section].items[path.item].number
        let item = PublishedItem(number: number, payload: payload)
        model.sections[path.section].items[path.item] = item
        unrendered.remove(path)
    }

    /// Changes a header's payload without an edit.
    ///
    /// - Parameter canGo: whether the header may be removed.
    mutating func changeHeader(_ section: Int, canGo: Bool) {
        let payload = source.payload()
        if payload == nil, !canGo { return }
        let number = model.sections[section].section.number
        model.sections[section].section = PublishedSection(number: number, payload: payload)
    }

    /// Draws an update of one edit in a list of about twenty items, most of which survive many
    /// updates.
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

    /// Applies an update chosen by the caller.
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
            // This includes sections with items that move inside or out.
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
