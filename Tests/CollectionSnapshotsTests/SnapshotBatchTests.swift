import CollectionChanges
import CollectionSnapshots
import TestSupport
import Testing

/// An identifier with a limited number of hash values.
private struct Colliding: Hashable, Sendable {
    let number: Int
    let hashes: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number % hashes) }

    static func == (left: Colliding, right: Colliding) -> Bool { left.number == right.number }
}

/// Batches that become tables of their own, between smaller edits.
struct SnapshotBatchTests {
    private typealias Batched = CollectionSnapshot<Int, Colliding>

    /// Returns the first fault. A section is a list of numbers; its identifier is its index, which
    /// never changes.
    private func fault(_ snapshot: Batched, _ model: [[Int]], _ hashes: Int, all: Int) -> String? {
        if snapshot.shape.itemCounts != model.map(\.count) { return "shape" }
        if snapshot.itemIdentifiers.map(\.number) != model.flatMap({ $0 }) { return "items" }
        var paths: [Int: ItemPath] = [:]
        for (section, items) in model.enumerated() {
            for (item, number) in items.enumerated() {
                paths[number] = ItemPath(section: section, item: item)
            }
        }
        for number in stride(from: 0, to: all, by: 7) {
            let id = Colliding(number: number, hashes: hashes)
            if snapshot.path(of: id) != paths[number] { return "path of \(number)" }
            if snapshot.containsItem(id) != (paths[number] != nil) { return "contains \(number)" }
        }
        return nil
    }

    @Test(arguments: [3, 1 << 40], UInt64(1)...3)
    func batchesOfAnySizeMatchArrays(hashes: Int, seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let all = hashes == 3 ? 300 : 3000
        func ids(_ numbers: [Int]) -> [Colliding] {
            numbers.map { Colliding(number: $0, hashes: hashes) }
        }
        var snapshot = Batched()
        try snapshot.appendSections(0..<3)
        var model: [[Int]] = [[], [], []]
        var kept: [(Batched, [[Int]])] = []
        for step in 0..<Effort.number(400, usually: hashes == 3 ? 25 : 50) {
            let most = [1, 3, 70, 200, all / 2][random.next(below: 5)]
            let batch = Array(
                (0..<all).shuffled(using: &random).prefix(1 + random.next(below: most))
            )
            let anchor = model.flatMap { $0 }.randomElement(using: &random)
            let gone = Set(batch)
            let without = model.map { section in section.filter { !gone.contains($0) } }
            switch random.next(below: 5) {
            case 0:
                try snapshot.deleteItems(ids(batch))
                model = without
            case 1 where anchor.map { !gone.contains($0) } == true:
                try snapshot.insertItems(ids(batch), afterItem: ids([anchor!])[0])
                model = without.map { section in
                    guard let place = section.firstIndex(of: anchor!) else { return section }
                    return Array(section[...place]) + batch + Array(section[(place + 1)...])
                }
            default:
                let section = random.next(below: 3)
                try snapshot.appendItems(ids(batch), toSection: section)
                model = without
                model[section] += batch
            }
            if let fault = fault(snapshot, model, hashes, all: all) {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
            if random.isTrue(oneIn: 4) { kept.append((snapshot, model)) }
            if random.isTrue(oneIn: 10), let old = kept.randomElement(using: &random) {
                (snapshot, model) = old
            }
        }
        for (old, oldModel) in kept {
            #expect(fault(old, oldModel, hashes, all: all) == nil, "seed \(seed): a copy changed")
        }
    }
}
