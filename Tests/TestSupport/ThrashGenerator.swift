import CollectionChanges
import CollectionElements

/// Random change sets that are always valid, recorded in an order that is not the fixed one.
///
/// Source: the generator of Texture's thrash tests: random items are reloaded, random sections
/// reloaded, random items deleted where a section has at least five, random sections deleted where
/// there are at least three, then sections and items are inserted.
package struct ThrashGenerator: Sendable {
    /// How likely each index is to be chosen.
    package var fickleness = 0.1
    /// Where sections stop to be inserted; they would go on growing by two in a hundred otherwise.
    package var maximumSections = 20
    private var generator: SeededNumbers
    private var nextItem = 0

    package init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    /// The model to begin with.
    package mutating func initialModel(sections: Int = 10, items: Int = 10) -> [[String]] {
        (0..<sections).map { _ in (0..<items).map { _ in freshItem() } }
    }

    /// A random change of `model`: the record of it, and the model afterwards.
    package mutating func next(after model: [[String]]) -> (changes: HierarchyChangeSet, [[String]])
    {
        let oldSections = Set(model.indices)
        let reloadedSections = pick(model.count)
        let deletedSections =
            model.count >= 3 ? pick(model.count).subtracting(reloadedSections) : []
        var reloadedItems: [ItemPath] = []
        var deletedItems: [ItemPath] = []
        var newModel: [[String]] = []
        let untouched = oldSections.subtracting(reloadedSections).subtracting(deletedSections)
        for section in model.indices where !deletedSections.contains(section) {
            var items = model[section]
            if untouched.contains(section) {
                let reloads = pick(items.count)
                let deletes = items.count >= 5 ? pick(items.count).subtracting(reloads) : []
                for item in reloads.sorted() {
                    reloadedItems.append(ItemPath(section: section, item: item))
                    items[item] = freshItem()
                }
                for item in deletes.sorted(by: >) {
                    deletedItems.append(ItemPath(section: section, item: item))
                    items.remove(at: item)
                }
            } else {
                items = (0..<generator.next(below: 10)).map { _ in freshItem() }
            }
            newModel.append(items)
        }
        var survivors = model.indices.filter { !deletedSections.contains($0) }.map { Optional($0) }
        var insertedSections = SectionSet()
        var position = 0
        while position <= newModel.count {
            if generator.chance(fickleness), newModel.count < maximumSections {
                newModel.insert((0..<10).map { _ in freshItem() }, at: position)
                survivors.insert(nil, at: position)
                insertedSections.insert(position)
            }
            position += 1
        }
        var insertedItems: [ItemPath] = []
        for (section, origin) in survivors.enumerated() {
            guard let origin, untouched.contains(origin) else { continue }
            var item = 0
            while item <= newModel[section].count {
                if generator.chance(fickleness) {
                    newModel[section].insert(freshItem(), at: item)
                    insertedItems.append(ItemPath(section: section, item: item))
                }
                item += 1
            }
        }
        let operations: [HierarchyChangeSet.Operation] = [
            .insertItems(insertedItems, .automatic),
            .insertSections(insertedSections, .automatic),
            .reloadItems(reloadedItems, .automatic),
            .deleteSections(SectionSet(deletedSections.sorted()), .automatic),
            .deleteItems(deletedItems, .automatic),
            .reloadSections(SectionSet(reloadedSections.sorted()), .automatic),
        ]
        return (HierarchyChangeSet(operations.shuffled(using: &generator)), newModel)
    }

    private mutating func pick(_ count: Int) -> Set<Int> {
        var chosen: Set<Int> = []
        for index in 0..<count where generator.chance(fickleness) { chosen.insert(index) }
        return chosen
    }

    private mutating func freshItem() -> String {
        nextItem += 1
        return "item \(nextItem)"
    }
}
