import CollectionPipeline

/// One valid change set: items to delete and to insert at random places, all distinct.
struct EditPlan: Equatable {
    /// In the index space before, in random order.
    var oldPaths: [ItemPath] = []
    /// In the index space after, in random order.
    var newPaths: [ItemPath] = []
    /// How many more items a section has afterwards.
    var growth: [Int: Int] = [:]

    init() {}

    /// Deletes a single item.
    init(deleting path: ItemPath) {
        oldPaths = [path]
        growth = [path.section: -1]
    }

    /// A plan for a collection of these counts, which must have that many items. Every item is as
    /// likely to be deleted as any other, so sections do not drift apart.
    static func random(
        in counts: [Int],
        deletions: Int,
        insertions: Int,
        using random: inout SplitMix64
    ) -> EditPlan {
        var plan = EditPlan()
        let total = counts.reduce(0, +)
        var chosen = Set<Int>()
        while chosen.count < deletions {
            let ordinal = Int.random(in: 0..<total, using: &random)
            guard chosen.insert(ordinal).inserted else { continue }
            let path = path(ofItem: ordinal, in: counts)
            plan.oldPaths.append(path)
            plan.growth[path.section, default: 0] -= 1
        }
        let sections = (0..<insertions).map { _ in
            Int.random(in: counts.indices, using: &random)
        }
        for section in sections { plan.growth[section, default: 0] += 1 }
        var filled = Set<ItemPath>()
        for section in sections {
            let count = counts[section] + (plan.growth[section] ?? 0)
            var path: ItemPath
            repeat {
                path = ItemPath(section: section, item: Int.random(in: 0..<count, using: &random))
            } while !filled.insert(path).inserted
            plan.newPaths.append(path)
        }
        return plan
    }

    /// How many deletes, and how many inserts, there are in ten edits.
    static let half = 5

    /// Ten edits, which is what most figures speak of: five deletes and five inserts.
    static func randomTen(in counts: [Int], using random: inout SplitMix64) -> EditPlan {
        Self.random(in: counts, deletions: half, insertions: half, using: &random)
    }

    /// The counts afterwards.
    func applied(to counts: [Int]) -> [Int] {
        var counts = counts
        for (section, change) in growth { counts[section] += change }
        return counts
    }

    /// What a caller records.
    func record(into changes: inout some ChangeRecording & ~Copyable) {
        if !oldPaths.isEmpty { changes.deleteItems(at: oldPaths) }
        if !newPaths.isEmpty { changes.insertItems(at: newPaths) }
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
