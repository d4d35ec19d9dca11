import CollectionChanges
import CollectionElements
import TestSupport
import Testing

/// A map and the arrays that it must equal, from the same change sets.
struct EditedArrays {
    private(set) var map = ElementMap.empty(generation: 0)
    private(set) var items: [[ElementContent]] = []
    private(set) var sections: [CollectionSection] = []
    private(set) var headers: [Int: ElementContent] = [:]
    private var nextSectionID = 0
    private let surroundings = ElementSurroundings(Traits())

    private func freshElement(_ kind: SupplementaryKind? = nil) -> CollectionElement {
        let terms = ElementTerms(kind: kind, sizeRange: .unconstrained, surroundings: surroundings)
        return ProvidedElement(model: nil, provider: nil, terms: terms)
    }

    private func furtherContent(of element: CollectionElement) -> ElementContent {
        ElementContent(revising: element, model: nil, sizeRange: .unconstrained, provider: nil)
    }

    mutating func apply(_ update: ValidatedChangeSet, headersIn headerSections: [Int] = []) throws {
        var change = ElementMapChange()
        var fresh: [ItemPath: ElementContent] = [:]
        var newSections: [CollectionSection?] = (0..<update.newShape.numberOfSections).map { new in
            update.oldSection(for: new).map { sections[$0] }
        }
        for edit in update.sectionInsertions where edit.role != .move {
            let section = CollectionSection(id: nextSectionID, context: nil)
            nextSectionID += 1
            newSections[edit.section] = section
            let paths = update.freshPaths(ofSection: edit)
            let elements = paths.map { _ in freshElement() }
            for (path, element) in zip(paths, elements) { fresh[path] = element.firstContent }
            change.freshSections.append(.init(section: section, elements: elements))
        }
        for edit in update.itemInsertions {
            let element = edit.role == .move ? nil : freshElement()
            change.insertedItems.append(element)
            fresh[edit.path] = element?.firstContent
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
            let path = reconfiguration.newPath
            let content = furtherContent(of: items[path.section][path.item].element)
            change.reconfiguredContents.append(content)
            items[path.section][path.item] = content
        }
        sections = newSections.compactMap { $0 }
        for newSection in headerSections {
            let element = freshElement(.header)
            change.supplementaries.append(
                .init(newSection: newSection, runs: [(SupplementaryRun(kind: .header), [element])])
            )
            headers[sections[newSection].id] = element.firstContent
        }
        map = map.applying(update, change, generation: map.generation + 1)
    }

    mutating func reconfigure(_ paths: [ItemPath]) {
        let contents = paths.map { path in
            (path: path, content: furtherContent(of: items[path.section][path.item].element))
        }
        for (path, content) in contents { items[path.section][path.item] = content }
        map = map.replacingContents(
            contents,
            supplementaries: [],
            generation: map.generation
        )
    }

    /// What the map shows otherwise than the arrays, or nil.
    func difference() -> String? {
        if let fault = map.brokenInvariant() { return fault }
        let counts = items.map(\.count)
        guard map.shape.itemCounts == counts else { return "\(map.shape), not \(counts)" }
        guard (0..<sections.count).map({ map.section(at: $0) }) == sections else {
            return "other sections"
        }
        let shown = items.indices.map { section in
            items[section].indices.map { item in
                map.content(at: ItemPath(section: section, item: item))
            }
        }
        guard shown == items else { return "other items" }
        guard map.items.map({ $0.content }) == items.flatMap({ $0 }) else {
            return "other items when iterating"
        }
        let shownHeaders = sections.indices.map { section in
            map.supplementaries(inSection: section).flatMap { Array($0.contents) }
        }
        let ownHeaders = sections.map { headers[$0.id].map { [$0] } ?? [] }
        guard shownHeaders == ownHeaders else {
            return "other headers"
        }
        guard map.numberOfItems == counts.reduce(0, +) else { return "\(map.numberOfItems) items" }
        guard map.numberOfElements == map.numberOfItems + ownHeaders.flatMap({ $0 }).count else {
            return "\(map.numberOfElements) elements"
        }
        for item in map.items where map.path(of: item.element) != item.path {
            return "a look-up of \(item.path) leads elsewhere"
        }
        for (section, own) in ownHeaders.enumerated() {
            for content in own where map.path(of: content.element)?.section != section {
                return "a look-up of the header of \(section) leads elsewhere"
            }
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
        var random = SeededNumbers(seed: seed)
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
        changes.moveSection(5, toSection: 250)
        changes.moveItem(at: ItemPath(section: 5, item: 3), to: ItemPath(section: 0, item: 10))
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
