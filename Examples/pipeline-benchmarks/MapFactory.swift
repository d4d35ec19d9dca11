import CollectionPipeline

// The only file that reaches behind the public interface: elements and maps without a controller.

/// Makes elements that have a model and no node, and maps of them.
enum MapFactory {
    private static let traits = TraitSource(Traits())

    private static func makeSlot(_ model: Int) -> ElementSlot {
        let content = ElementContent(
            model: model,
            sizeRange: .width(80),
            provider: nil,
            keepsNode: true
        )
        return ElementSlot(CollectionElement(kind: nil, content: content, traits: traits), content)
    }

    /// The elements of such a map, in an array.
    static func makeElements(_ count: Int) -> [CollectionElement] {
        var elements: [CollectionElement] = []
        elements.reserveCapacity(count)
        for model in 0..<count { elements.append(makeSlot(model).element) }
        return elements
    }

    static func makeMap(_ outline: LoadedCollection.Outline) throws -> ElementMap {
        let update = try HierarchyChangeSet([.reloadData()])
            .validated(from: .empty, to: HierarchyShape(outline.counts))
        var change = ElementMapChange()
        for section in 0..<outline.sections {
            var slots: [ElementSlot] = []
            slots.reserveCapacity(outline.itemsPerSection)
            for model in 0..<outline.itemsPerSection { slots.append(makeSlot(model)) }
            change.freshSections.append(
                .init(section: CollectionSection(id: section, context: nil), slots: slots)
            )
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
        change.putInItems = [makeSlot(0)]
        return { map.applying(update, change, generation: map.generation + 1) }
    }
}
