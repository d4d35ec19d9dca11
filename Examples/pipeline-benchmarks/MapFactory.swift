import CollectionPipeline

// The only file that reaches behind the public interface: elements and maps without a controller.

/// Makes elements that have a model and no node, and maps of them.
enum MapFactory {
    private static let terms = ModelTerms<Int>(
        sizeRange: .width(80),
        surroundings: ElementSurroundings(Traits()),
        makeNode: { PlainNode($0) }
    )

    /// The elements of such a map, in an array.
    static func makeElements(_ count: Int) -> [CollectionElement] {
        var elements: [CollectionElement] = []
        elements.reserveCapacity(count)
        for model in 0..<count { elements.append(ModelElement(model, terms: terms)) }
        return elements
    }

    static func makeMap(_ outline: LoadedCollection.Outline) throws -> ElementMap {
        let update = try HierarchyChangeSet([.reloadData()])
            .validated(from: .empty, to: HierarchyShape(outline.counts))
        var change = ElementMapChange()
        for section in 0..<outline.sections {
            let elements = makeElements(outline.itemsPerSection)
            let identity = CollectionSection(id: section, context: nil)
            change.freshSections.append(.init(section: identity, elements: elements))
        }
        return ElementMap.empty(generation: 0).applying(update, change, generation: 1)
    }

    /// What inserts one new element into `map`, with everything but the map itself made already.
    static func insertion(at path: ItemPath, into map: ElementMap) throws -> () -> ElementMap {
        var counts = map.shape.itemCounts
        counts[path.section] += 1
        let update = try HierarchyChangeSet([.insertItems([path], .automatic)])
            .validated(from: map.shape, to: HierarchyShape(counts))
        var change = ElementMapChange()
        change.insertedItems = makeElements(1)
        return { map.applying(update, change, generation: map.generation + 1) }
    }
}
