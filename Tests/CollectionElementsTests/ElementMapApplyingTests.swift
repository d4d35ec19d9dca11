import CollectionChanges
import CollectionElements
import PipelineTestSupport
import Testing

/// A map and the arrays that it must equal, from the same change sets.
struct EditedArrays {
    struct Item: Hashable {
        let element: CollectionElement
        let content: ObjectIdentifier

        init(_ slot: ElementSlot) {
            element = slot.element
            content = ObjectIdentifier(slot.content)
        }
    }

    private(set) var map = ElementMap.empty(generation: 0)
    private(set) var items: [[Item]] = []
    private(set) var sections: [CollectionSection] = []
    private(set) var headers: [Int: Item] = [:]
    private var nextSectionID = 0
    private let traits = TraitSource(Traits())

    private func freshSlot(_ kind: SupplementaryKind? = nil) -> ElementSlot {
        let content = freshContent()
        return ElementSlot(CollectionElement(kind: kind, content: content, traits: traits), content)
    }

    private func freshContent() -> ElementContent {
        ElementContent(model: nil, sizeRange: .unconstrained, provider: nil)
    }

    mutating func apply(_ update: ValidatedChangeSet, headersIn headerSections: [Int] = []) throws {
        var change = ElementMapChange()
        var fresh: [ItemPath: Item] = [:]
        var newSections: [CollectionSection?] = (0..<update.newShape.numberOfSections).map { new in
            update.oldSection(for: new).map { sections[$0] }
        }
        for edit in update.sectionPutIns where edit.role != .move {
            let section = CollectionSection(id: nextSectionID, context: nil)
            nextSectionID += 1
            newSections[edit.section] = section
            let paths = update.freshPaths(ofSection: edit)
            let slots = paths.map { _ in freshSlot() }
            for (path, slot) in zip(paths, slots) { fresh[path] = Item(slot) }
            change.freshSections.append(.init(section: section, slots: slots))
        }
        for edit in update.itemPutIns {
            let slot = edit.role == .move ? nil : freshSlot()
            change.putInItems.append(slot)
            fresh[edit.path] = slot.map(Item.init)
        }
        let old = update.isReloadData ? [] : items
        items =
            try update.isReloadData
            ? update.newShape.itemCounts.indices.map { section in
                try (0..<update.newShape.itemCounts[section]).map { item in
                    try #require(fresh[ItemPath(section: section, item: item)])
                }
            }
            : update.apply(to: old) { try #require(fresh[$0]) }
        for reconfiguration in update.reconfigurations {
            let content = freshContent()
            change.reconfiguredContents.append(content)
            let path = reconfiguration.newPath
            let element = items[path.section][path.item].element
            items[path.section][path.item] = Item(ElementSlot(element, content))
        }
        sections = newSections.compactMap { $0 }
        for newSection in headerSections {
            let slot = freshSlot(.header)
            change.supplementaries.append(
                (newSection, [SupplementarySlot(kind: .header, item: 0, slot: slot)])
            )
            headers[sections[newSection].id] = Item(slot)
        }
        map = map.applying(update, change, generation: map.generation + 1)
    }

    mutating func reconfigure(_ paths: [ItemPath]) {
        let contents = paths.map { ($0, freshContent()) }
        for (path, content) in contents {
            let element = items[path.section][path.item].element
            items[path.section][path.item] = Item(ElementSlot(element, content))
        }
        map = map.replacingContents(
            contents.map { (path: $0, content: $1) },
            supplementaries: [],
            generation: map.generation
        )
    }

    /// What the map shows otherwise than the arrays, or nil.
    func difference() -> String? {
        #if DEBUG
            if let fault = map.brokenInvariant() { return fault }
        #endif
        let counts = items.map(\.count)
        guard map.shape.itemCounts == counts else { return "\(map.shape), not \(counts)" }
        guard (0..<sections.count).map({ map.section(at: $0) }) == sections else {
            return "other sections"
        }
        let shown = items.indices.map { section in
            items[section].indices.map { item in
                map.slot(at: ItemPath(section: section, item: item)).map(Item.init)
            }
        }
        guard shown == items else { return "other items" }
        guard map.items.map({ $0.element }) == items.flatMap({ $0.map(\.element) }) else {
            return "other items when iterating"
        }
        let shownHeaders = sections.indices.map { map.supplementarySlots(inSection: $0) }
        let ownHeaders = sections.map { headers[$0.id].map { [$0] } ?? [] }
        guard shownHeaders.map({ $0.map { Item($0.slot) } }) == ownHeaders else {
            return "other headers"
        }
        guard map.numberOfItems == counts.reduce(0, +) else { return "\(map.numberOfItems) items" }
        guard map.count == map.numberOfItems + ownHeaders.flatMap({ $0 }).count else {
            return "\(map.count) elements"
        }
        for item in map.items where map.path(of: item.element) != item.path {
            return "a look-up of \(item.path) leads elsewhere"
        }
        for (index, section) in sections.enumerated() where map.index(of: section) != index {
            return "a look-up of section \(index) leads elsewhere"
        }
        return nil
    }
}

struct ElementMapApplyingTests {
    private func reload(_ model: inout EditedArrays, to shape: HierarchyShape) throws {
        var changes = HierarchyChangeSet()
        changes.reloadData()
        try model.apply(changes.validated(from: model.map.shape, to: shape))
    }

    @Test(arguments: UInt64(1)...12)
    func randomChangeSetsMatchTheArraysAndLeaveOlderMapsAlone(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = EditedArrays()
        try reload(&model, to: HierarchyShape((0..<6).map { _ in random.next(below: 150) }))
        var kept: [EditedArrays] = []
        for step in 0..<25 {
            kept.append(model)
            if kept.count > 4 { kept.remove(at: random.next(below: 4)) }
            let rate = [0, 0.03, 0.5, 1][random.next(below: 4)]
            let draw = RandomUpdate(from: model.map.shape, &random, rate: rate)
            let update = try draw.changes.validated(from: model.map.shape, to: draw.newShape)
            var headers: Set<Int> = []
            // Fresh sections come without a header, reloaded ones lose theirs.
            for section in draw.newShape.itemCounts.indices where random.chance(0.3) {
                headers.insert(section)
            }
            try model.apply(update, headersIn: headers.sorted())
            if step % 5 == 0 {
                let paths = model.map.items.map(\.path).filter { _ in random.chance(0.05) }
                model.reconfigure(paths)
            }
            for model in kept + [model] {
                if let difference = model.difference() {
                    Issue.record("seed \(seed), step \(step): \(difference)")
                    return
                }
            }
        }
        try reload(&model, to: [3, 0, 2])
        #expect(model.difference() == nil)
    }

    @Test func sectionsThatNothingTouchesAreShared() throws {
        var model = EditedArrays()
        try reload(&model, to: HierarchyShape(Array(repeating: 10, count: 300)))
        let old = model
        var changes = HierarchyChangeSet()
        changes.moveSection(5, to: 250)
        changes.moveItem(from: ItemPath(section: 5, item: 3), to: ItemPath(section: 0, item: 10))
        let counts = (0..<300).map { $0 == 0 ? 11 : $0 == 250 ? 9 : 10 }
        try model.apply(changes.validated(from: old.map.shape, to: HierarchyShape(counts)))
        #expect(model.difference() == nil)
        #expect(old.difference() == nil)
        let moved = ItemPath(section: 5, item: 3)
        #expect(model.map.convert(moved, from: old.map) == ItemPath(section: 0, item: 10))
    }

    @Test func iteratingBeginsAtAnyPath() throws {
        var model = EditedArrays()
        try reload(&model, to: [0, 3, 0, 0, 100, 0])
        let paths = model.map.items.map(\.path)
        for section in -1...6 {
            for item in [-1, 0, 1, 2, 3, 50, 99, 100, 200] {
                let start = ItemPath(section: section, item: item)
                #expect(model.map.items(from: start).map(\.path) == paths.filter { $0 >= start })
            }
        }
    }
}
