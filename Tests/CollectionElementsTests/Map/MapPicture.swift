import PersistentTrees
import TestSupport

@testable import CollectionElements

/// A map and the plain arrays that describe its content.
struct MapPicture {
    private(set) var map: ElementMap
    private(set) var sections: [Section] = []

    struct Section {
        let section: CollectionSection
        var items: [ElementContent] = []
        var supplementaries: [SupplementaryKind: [ElementContent]] = [:]
    }

    init(reclaimer: (any MapReclaimer)? = nil) {
        map = .empty(generation: 0, reclaimer: reclaimer)
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// All places with their contents, in the order of sections, items and then kinds.
    var places: [(place: ElementPlace, content: ElementContent)] {
        var places: [(place: ElementPlace, content: ElementContent)] = []
        for (index, section) in sections.enumerated() {
            for (item, content) in section.items.enumerated() {
                places.append((ElementPlace(path: ItemPath(index, item)), content))
            }
            for (kind, contents) in section.supplementaries.sorted(by: { $0.key < $1.key }) {
                for (item, content) in contents.enumerated() {
                    places.append((ElementPlace(path: ItemPath(index, item), kind: kind), content))
                }
            }
        }
        return places
    }

    var elements: [CollectionElement: ElementPlace] {
        Dictionary(uniqueKeysWithValues: places.map { ($0.content.element, $0.place) })
    }

    // MARK: Changing

    /// The input of a change, and the arrays after it.
    struct Step {
        let update: ValidatedChangeSet
        var change = ElementMapChange()
        var sections: [Section] = []
    }

    /// The numbers of supplementary elements that a section keeps and receives, by kind.
    typealias Counts = [SupplementaryKind: (kept: Int, added: Int)]

    /// Makes a step from this state.
    ///
    /// - Parameter supplementaries: the counts by new section.
    func step(
        _ update: ValidatedChangeSet,
        _ maker: inout ElementMaker,
        supplementaries: [Int: Counts] = [:]
    ) -> Step {
        var step = Step(update: update)
        var inserted: [ItemPath: CollectionElement] = [:]
        var insertedSections: [Int: CollectionSection] = [:]
        for edit in update.sectionInsertions where edit.role != .move {
            let elements = update.newItemPaths(ofSection: edit).map { path in
                let element = maker.element()
                inserted[path] = element
                return element
            }
            let section = maker.section()
            insertedSections[edit.section] = section
            step.change.insertedSections.append(.init(section: section, elements: elements))
        }
        for edit in update.itemInsertions {
            let element = edit.role == .move ? nil : maker.element()
            inserted[edit.path] = element
            step.change.insertedItems.append(element)
        }
        var carried: [Int: Section] = [:]
        step.sections = update.isReloadData ? [] : sections
        if !update.isReloadData {
            for edit in update.sectionRemovals {
                let section = step.sections.remove(at: edit.section)
                if edit.role == .move, let target = edit.associatedWith {
                    carried[target] = section
                }
            }
        }
        for edit in update.sectionInsertions {
            let arriving = insertedSections[edit.section].map { Section(section: $0) }
            if let section = carried[edit.section] ?? arriving {
                step.sections.insert(section, at: edit.section)
            }
        }
        let items = update.applyUnchecked(to: sections.map(\.items)) { path in
            guard let element = inserted[path] else {
                fatalError("no element was made for \(path)")
            }
            return element.firstContent
        }
        for (index, row) in items.enumerated() { step.sections[index].items = row }
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            let old = step.sections[path.section].items[path.item]
            let content = maker.content(of: old.element)
            step.change.reconfiguredContents.append(content)
            step.sections[path.section].items[path.item] = content
        }
        for (newSection, counts) in supplementaries.sorted(by: { $0.key < $1.key }) {
            supply(newSection, counts, to: &step, &maker)
        }
        return step
    }

    private func supply(
        _ newSection: Int,
        _ counts: Counts,
        to step: inout Step,
        _ maker: inout ElementMaker
    ) {
        let section = step.sections[newSection].section
        let oldIndex = sections.firstIndex { $0.section === section }
        let old = oldIndex.map { map.supplementaries(inSection: $0) } ?? []
        var runs: [(kept: SupplementaryRun, added: [CollectionElement])] = []
        var after: [SupplementaryKind: [ElementContent]] = [:]
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            var run = old.first { $0.kind == kind } ?? SupplementaryRun(kind: kind)
            let kept = min(count.kept, run.contents.count)
            var contents = run.contents.transaction()
            contents.removeSubrange(kept..<run.contents.count)
            run.contents = contents.commit()
            let added = (0..<count.added).map { _ in maker.element(kind: kind) }
            guard kept + added.count > 0 else { continue }
            after[kind] = Array(run.contents) + added.map(\.firstContent)
            runs.append((run, added))
        }
        step.change.supplementaries.append(.init(newSection: newSection, runs: runs))
        step.sections[newSection].supplementaries = after
    }

    /// Applies a step that was made from this state.
    func applying(_ step: Step) -> MapPicture {
        var next = self
        next.sections = step.sections
        next.map = map.applying(step.update, step.change, generation: map.generation + 1)
        return next
    }

    /// Records a change and applies it.
    func changed(
        to counts: [Int],
        _ maker: inout ElementMaker,
        supplementaries: [Int: Counts] = [:],
        _ record: (inout HierarchyChangeSet) -> Void
    ) throws -> MapPicture {
        var changes = HierarchyChangeSet()
        record(&changes)
        let update = try changes.validated(from: shape, to: HierarchyShape(counts))
        return applying(step(update, &maker, supplementaries: supplementaries))
    }

    /// Returns the picture after a reload of all data.
    func loaded(
        _ counts: [Int],
        _ maker: inout ElementMaker,
        supplementaries: [Int: Counts] = [:]
    ) throws -> MapPicture {
        try changed(to: counts, &maker, supplementaries: supplementaries) { $0.reloadData() }
    }

    /// Returns the picture after inserting items at a path in one change.
    func inserting(_ count: Int, at path: ItemPath, _ maker: inout ElementMaker) throws
        -> MapPicture
    {
        var counts = shape.itemCounts
        counts[path.section] += count
        return try changed(to: counts, &maker) {
            $0.insertItems(at: (0..<count).map { ItemPath(path.section, path.item + $0) })
        }
    }

    /// Returns the picture after moving an item.
    func moving(_ old: ItemPath, to new: ItemPath, _ maker: inout ElementMaker) throws -> MapPicture
    {
        var counts = shape.itemCounts
        counts[old.section] -= 1
        counts[new.section] += 1
        return try changed(to: counts, &maker) { $0.moveItem(at: old, to: new) }
    }

    /// Returns the picture with new contents at some places, as after measuring them again.
    func replacing(at places: [ElementPlace], _ maker: inout ElementMaker) -> MapPicture {
        var next = self
        var items: [(path: ItemPath, content: ElementContent)] = []
        var others: [(place: ElementPlace, content: ElementContent)] = []
        for place in places {
            let path = place.path
            guard let kind = place.kind else {
                let content = maker.content(of: sections[path.section].items[path.item].element)
                items.append((path, content))
                next.sections[path.section].items[path.item] = content
                continue
            }
            guard let old = sections[path.section].supplementaries[kind]?[path.item] else {
                continue
            }
            let content = maker.content(of: old.element)
            others.append((place, content))
            next.sections[path.section].supplementaries[kind]?[path.item] = content
        }
        next.map = map.replacingContents(
            items,
            supplementaries: others,
            generation: map.generation + 1
        )
        return next
    }
}

// MARK: - Comparing

extension MapPicture {
    /// Returns the first difference between the map and the arrays, or `nil`.
    ///
    /// - Parameters:
    ///   - others: other elements to look up.
    ///   - strangers: other sections to look up.
    func difference(
        _ others: [CollectionElement] = [],
        _ strangers: [CollectionSection] = []
    ) -> String? {
        if let fault = map.brokenInvariant() { return fault }
        if map.shape != shape { return "shape \(map.shape), not \(shape)" }
        let (places, elements) = (places, elements)
        let items = places.filter { $0.place.kind == nil }
        let counts = [map.numberOfElements, map.numberOfItems, map.numberOfSections]
        if counts != [places.count, items.count, sections.count] { return "counts \(counts)" }
        if map.supplementaryKinds != Set(places.compactMap(\.place.kind)).sorted() {
            return "kinds"
        }
        let iterated = map.items.map { ($0.path, $0.content) }
        if !iterated.elementsEqual(items, by: { $0.0 == $1.place.path && $0.1 == $1.content }) {
            return "iteration"
        }
        var visited: [CollectionElement] = []
        map.forEachElement { visited.append($0) }
        if visited != places.map(\.content.element) { return "elements in order" }
        for (place, content) in places where map.content(at: place) != content {
            return "content at \(place)"
        }
        for (index, section) in sections.enumerated() {
            if let fault = fault(section, index) { return fault }
        }
        let indexes = Dictionary(
            uniqueKeysWithValues: sections.enumerated().map { ($1.section, $0) }
        )
        for section in strangers where map.index(of: section) != indexes[section] {
            return "section \(section.id) is at \(map.index(of: section) ?? -1)"
        }
        for element in others + elements.keys {
            let (found, place) = (map.place(of: element), elements[element])
            if found != place || map.path(of: element) != place?.path {
                return "\(found as Any), not \(place as Any)"
            }
        }
        return nil
    }

    private func fault(_ section: Section, _ index: Int) -> String? {
        var visited: [CollectionElement] = []
        map.forEachItem(inSection: index) { visited.append($0) }
        let isRight =
            map.section(at: index) === section.section
            && map.index(of: section.section) == index
            && map.context(forSection: index) === section.section.sectionContext
            && map.numberOfItems(inSection: index) == section.items.count
            && visited == section.items.map(\.element)
        if !isRight { return "section at \(index)" }
        for (kind, contents) in section.supplementaries {
            if map.numberOfSupplementaries(ofKind: kind, inSection: index) != contents.count {
                return "\(kind) in \(index)"
            }
            let end = ElementPlace(path: ItemPath(index, contents.count), kind: kind)
            if map.element(at: end) != nil { return "an element at \(end)" }
        }
        return nil
    }

    /// Returns the first fault in conversions and changes from another picture, or `nil`.
    func faultFrom(_ old: MapPicture) throws -> String? {
        let places = elements
        for (place, content) in old.places where place.kind == nil {
            if map.convert(place.path, from: old.map) != places[content.element]?.path {
                return "conversion of \(place)"
            }
        }
        var stayed: [Int: Int] = [:]
        for (index, section) in old.sections.enumerated() {
            let now = sections.firstIndex { $0.section === section.section }
            if map.convertSection(index, from: old.map) != now { return "conversion of \(index)" }
            if let now { stayed[now] = index }
        }
        let changed = sections.indices.filter { index in
            stayed[index].map {
                sections[index].supplementaries != old.sections[$0].supplementaries
            } ?? false
        }
        if map.sectionsWithOtherSupplementaries(from: old.map) != changed {
            return "supplementaries"
        }
        let update = map.changes(from: old.map)
        let known = Set(old.elements.keys)
        var newCount = 0
        var result = try update.apply(to: old.sections.map(\.items)) { path in
            newCount += 1
            return sections[path.section].items[path.item]
        }
        let inserted = self.places.filter {
            $0.place.kind == nil && !known.contains($0.content.element)
        }
        if newCount != inserted.count { return "\(newCount) are new, not \(inserted.count)" }
        for reconfiguration in update.reconfigurations {
            let (from, path) = (reconfiguration.oldPath, reconfiguration.newPath)
            let content = sections[path.section].items[path.item]
            let former = old.sections[from.section].items[from.item]
            if former.element !== content.element || former == content {
                return "update of \(path)"
            }
            result[path.section][path.item] = content
        }
        return result == sections.map(\.items) ? nil : "changes \(update.edits)"
    }
}

extension ElementMap {
    /// Returns the first fault in the trees of this map, or `nil`.
    func brokenInvariant() -> String? {
        if let fault = storage.entries.brokenInvariant() { return "sections: \(fault)" }
        for (section, entry) in storage.entries.enumerated() {
            if let fault = entry.slots.brokenInvariant() { return "\(section): \(fault)" }
        }
        return nil
    }
}

/// Makes elements and contents as a data source would.
struct ElementMaker {
    private let elementEnvironment = ElementEnvironment(Traits())
    private let onEnd: @Sendable () -> Void
    private(set) var sectionCount = 0
    /// The number of models that were made.
    let modelCount = LiveCount()

    /// - Parameter onEnd: called when a model that this maker made is released.
    init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    /// Reports its release.
    private final class Model: Sendable {
        let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    private final class Context: SectionContext {}

    /// Makes sections with and without contexts.
    mutating func section() -> CollectionSection {
        defer { sectionCount += 1 }
        return CollectionSection(
            id: sectionCount,
            sectionContext: sectionCount.isMultiple(of: 3) ? nil : Context()
        )
    }

    mutating func element(kind: SupplementaryKind? = nil) -> CollectionElement {
        let configuration = ElementConfiguration(
            kind: kind,
            sizeRange: .width(10),
            elementEnvironment: elementEnvironment
        )
        return ProvidedElement(model: makeModel(), provider: nil, configuration: configuration)
    }

    private func makeModel() -> Model {
        modelCount.add(1)
        return Model(onEnd)
    }

    func content(of element: CollectionElement) -> ElementContent {
        ElementContent(
            revising: element,
            model: makeModel(),
            sizeRange: .width(10),
            provider: nil
        )
    }
}
