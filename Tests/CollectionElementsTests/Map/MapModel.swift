import TestSupport

@testable import CollectionElements

/// Makes maps by hand, and the obviously correct arrays to compare them with.
struct MapModel {
    private(set) var map = ElementMap.empty(generation: 0)
    /// What the map is to hold.
    private(set) var elements: [[CollectionElement]] = []
    private(set) var sections: [CollectionSection] = []
    private var nextSectionID = 0
    let surroundings = ElementSurroundings(Traits())
    let book = NodeBook()

    init(_ itemCounts: [Int] = []) {
        var changes = HierarchyChangeSet()
        changes.insertSections(SectionSet(0..<itemCounts.count))
        guard let update = try? changes.validated(from: [], to: HierarchyShape(itemCounts)) else {
            fatalError("inserting sections into nothing is always valid")
        }
        apply(update)
    }

    func element(_ text: String, kind: SupplementaryKind? = nil) -> CollectionElement {
        ProvidedElement(
            model: text,
            provider: { [book] in try book.makeNode(text) },
            terms: ElementTerms(kind: kind, sizeRange: .width(10), surroundings: surroundings)
        )
    }

    func content(_ text: String, of element: CollectionElement) -> ElementContent {
        ElementContent(
            revising: element,
            model: text,
            sizeRange: .width(10),
            provider: { [book] in try book.makeNode(text) }
        )
    }

    /// Applies `update` to the map, and to the arrays edit by edit.
    mutating func apply(
        _ update: ValidatedChangeSet,
        supplementaries: [ElementMapChange.Supplementaries] = []
    ) {
        var change = ElementMapChange()
        change.supplementaries = supplementaries
        var fresh: [ItemPath: CollectionElement] = [:]
        var freshSections: [CollectionSection] = []
        for edit in update.sectionInsertions where edit.role != .move {
            let elements = update.freshPaths(ofSection: edit).map { path in
                let element = element("fresh \(path)")
                fresh[path] = element
                return element
            }
            let section = CollectionSection(id: nextSectionID, context: nil)
            nextSectionID += 1
            change.freshSections.append(.init(section: section, elements: elements))
            freshSections.append(section)
        }
        for edit in update.itemInsertions {
            if edit.role == .move {
                change.insertedItems.append(nil)
            } else {
                let element = element("fresh \(edit.path)")
                fresh[edit.path] = element
                change.insertedItems.append(element)
            }
        }
        elements = update.applyUnchecked(to: elements) { path in
            guard let element = fresh[path] else { fatalError("nothing was made for \(path)") }
            return element
        }
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            change.reconfiguredContents.append(
                content("reconfigured \(path)", of: elements[path.section][path.item])
            )
        }
        applySections(update, freshSections)
        map = map.applying(update, change, generation: map.generation + 1)
    }

    private mutating func applySections(
        _ update: ValidatedChangeSet,
        _ fresh: [CollectionSection]
    ) {
        var carried: [Int: CollectionSection] = [:]
        for edit in update.sectionRemovals {
            let section = sections.remove(at: edit.section)
            if edit.role == .move, let target = edit.associatedWith { carried[target] = section }
        }
        var next = 0
        for edit in update.sectionInsertions {
            if let section = carried[edit.section] {
                sections.insert(section, at: edit.section)
            } else {
                sections.insert(fresh[next], at: edit.section)
                next += 1
            }
        }
    }

    /// The first way in which the map is not what the arrays say, or nil.
    var difference: String? {
        if map.shape.itemCounts != elements.map(\.count) { return "shape \(map.shape)" }
        if map.elements != elements { return "elements by iteration" }
        for (index, section) in sections.enumerated() {
            if map.section(at: index) !== section { return "section at \(index)" }
            if map.index(of: section) != index { return "index of section \(index)" }
        }
        for (section, row) in elements.enumerated() {
            for (item, element) in row.enumerated() {
                let path = ItemPath(section, item)
                if map.element(at: path) !== element { return "element at \(path)" }
                if map.path(of: element) != path { return "path of the element at \(path)" }
                if map.sectionIndex(of: element) != section { return "section of \(path)" }
            }
        }
        return nil
    }
}
