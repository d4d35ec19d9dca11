import CollectionPipeline

/// Change sets that a replica has missed, one edit each: a few stay, and most come and go again later.
struct MissedChanges {
    let shape: HierarchyShape
    /// What is left of all.
    let lasting: [ValidatedChangeSet]
    /// Of these nothing is left, so that they may follow one another any number of times.
    let passing: [ValidatedChangeSet]

    /// - Parameters:
    ///   - items: in one section.
    ///   - lasting: so many items stay deleted or inserted, half and half.
    ///   - passing: so many items are inserted and deleted again, a dozen at a time.
    init(items: Int, lasting lastingCount: Int, passing passingCount: Int) throws {
        var random = SplitMix64()
        var count = items
        shape = [items]
        func update(inserting isInsertion: Bool, at item: Int) throws -> ValidatedChangeSet {
            let paths = [ItemPath(section: 0, item: item)]
            let operation: HierarchyChangeSet.Operation =
                isInsertion ? .insertItems(paths, .automatic) : .deleteItems(paths, .automatic)
            let old = count
            count += isInsertion ? 1 : -1
            return try HierarchyChangeSet([operation]).validated(from: [old], to: [count])
        }
        lasting = try (0..<lastingCount).map { number in
            let item = Int.random(in: 0..<count, using: &random)
            return try update(inserting: number.isMultiple(of: 2), at: item)
        }
        // Where those that will be deleted again are now, oldest first.
        var present: [Int] = []
        var passing: [ValidatedChangeSet] = []
        func delete() throws {
            let item = present.removeFirst()
            passing.append(try update(inserting: false, at: item))
            for index in present.indices where present[index] > item { present[index] -= 1 }
        }
        for _ in 0..<passingCount {
            let item = Int.random(in: 0...count, using: &random)
            passing.append(try update(inserting: true, at: item))
            for index in present.indices where present[index] >= item { present[index] += 1 }
            present.append(item)
            if present.count > 12 { try delete() }
        }
        while !present.isEmpty { try delete() }
        self.passing = passing
    }

    /// Composes what lasts and then what passes, over and over, up to `count` in all.
    func composed(_ count: Int) throws -> ChangeSetComposition {
        var composition = ChangeSetComposition(from: shape)
        for update in lasting { try composition.append(update) }
        var rest = count - lasting.count
        while rest >= passing.count {
            for update in passing { try composition.append(update) }
            rest -= passing.count
        }
        return composition
    }

    /// How many that are.
    func composedCount(_ count: Int) -> Int {
        lasting.count + max(0, count - lasting.count) / passing.count * passing.count
    }
}
