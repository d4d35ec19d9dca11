import PersistentTrees
import TestSupport

@testable import CollectionElements

/// A map, and the plain arrays that say what is in it.
struct MapPicture {
    private(set) var map: ElementMap
    private(set) var sections: [Section] = []

    struct Section {
        let section: CollectionSection
        var items: [ElementContent] = []
        var supplementaries: [SupplementaryKind: [CollectionElement]] = [:]
    }

    init(reclaimer: (any MapReclaimer)? = nil) {
        map = .empty(generation: 0, reclaimer: reclaimer)
    }

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// Where everything is.
    var paths: [CollectionElement: ItemPath] {
        var paths: [CollectionElement: ItemPath] = [:]
        for (index, section) in sections.enumerated() {
            for (item, content) in section.items.enumerated() {
                paths[content.element] = ItemPath(index, item)
            }
            for elements in section.supplementaries.values {
                for (item, element) in elements.enumerated() {
                    paths[element] = ItemPath(index, item)
                }
            }
        }
        return paths
    }

    /// What a change brings, and the arrays after it.
    struct Step {
        let update: ValidatedChangeSet
        var change = ElementMapChange()
        var sections: [Section] = []
    }

    /// Works out a step from here; `supplementaries` says how many of a kind a section keeps and gets
    /// again, by its new index.
    func step(
        _ update: ValidatedChangeSet,
        _ maker: inout ElementMaker,
        supplementaries: [Int: [SupplementaryKind: (kept: Int, added: Int)]] = [:]
    ) -> Step {
        var step = Step(update: update)
        var fresh: [ItemPath: CollectionElement] = [:]
        var freshSections: [Int: CollectionSection] = [:]
        for edit in update.sectionInsertions where edit.role != .move {
            let elements = update.freshPaths(ofSection: edit).map { path in
                let element = maker.element()
                fresh[path] = element
                return element
            }
            let section = maker.section()
            freshSections[edit.section] = section
            step.change.freshSections.append(.init(section: section, elements: elements))
        }
        for edit in update.itemInsertions {
            let element = edit.role == .move ? nil : maker.element()
            fresh[edit.path] = element
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
            let arriving =
                carried[edit.section]
                ?? freshSections[edit.section].map { Section(section: $0) }
            if let arriving { step.sections.insert(arriving, at: edit.section) }
        }
        let items = update.applyUnchecked(to: sections.map(\.items)) { path in
            guard let element = fresh[path] else { fatalError("nothing was made for \(path)") }
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
        _ counts: [SupplementaryKind: (kept: Int, added: Int)],
        to step: inout Step,
        _ maker: inout ElementMaker
    ) {
        let section = step.sections[newSection].section
        let oldIndex = sections.firstIndex { $0.section === section }
        let old = oldIndex.map { map.supplementaries(inSection: $0) } ?? []
        var runs: [(kept: SupplementaryRun, added: [CollectionElement])] = []
        var after: [SupplementaryKind: [CollectionElement]] = [:]
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            var run = old.first { $0.kind == kind } ?? SupplementaryRun(kind: kind)
            let kept = min(count.kept, run.contents.count)
            var contents = run.contents.transaction()
            contents.removeSubrange(kept..<run.contents.count)
            run.contents = contents.commit()
            let added = (0..<count.added).map { _ in maker.element(kind: kind) }
            guard kept + added.count > 0 else { continue }
            after[kind] = run.contents.map { $0.element } + added
            runs.append((run, added))
        }
        step.change.supplementaries.append(.init(newSection: newSection, runs: runs))
        step.sections[newSection].supplementaries = after
    }

    /// Applies a step that was worked out here.
    func applying(_ step: Step) -> MapPicture {
        var next = self
        next.sections = step.sections
        next.map = map.applying(step.update, step.change, generation: map.generation + 1)
        return next
    }

    /// The same with other contents of some items, as measuring again gives them.
    func replacing(at paths: [ItemPath], _ maker: inout ElementMaker) -> MapPicture {
        var next = self
        var contents: [(path: ItemPath, content: ElementContent)] = []
        for path in paths {
            let content = maker.content(of: sections[path.section].items[path.item].element)
            contents.append((path, content))
            next.sections[path.section].items[path.item] = content
        }
        next.map = map.replacingContents(
            contents,
            supplementaries: [],
            generation: map.generation + 1
        )
        return next
    }
}

extension MapPicture {
    /// The first way in which the map is not what the arrays say, or nil.
    ///
    /// - Parameters:
    ///   - elements: others to look up, too.
    ///   - strangers: sections to look up, too.
    func difference(
        _ elements: [CollectionElement] = [],
        _ strangers: [CollectionSection] = []
    ) -> String? {
        if let fault = map.brokenInvariant() { return fault }
        if map.shape != shape { return "shape \(map.shape), not \(shape)" }
        let paths = paths
        if map.numberOfElements != paths.count {
            return "\(map.numberOfElements) elements, not \(paths.count)"
        }
        for (index, section) in sections.enumerated() {
            if map.section(at: index) !== section.section { return "section at \(index)" }
            for (item, content) in section.items.enumerated()
            where map.content(at: ItemPath(index, item)) != content {
                return "content at \(ItemPath(index, item))"
            }
            for (kind, elements) in section.supplementaries {
                let found = elements.indices.map {
                    map.supplementary(ofKind: kind, at: ItemPath(index, $0))
                }
                if found != elements { return "\(kind) in \(index)" }
            }
        }
        let indexes = Dictionary(
            uniqueKeysWithValues: sections.enumerated().map { ($1.section, $0) }
        )
        for section in strangers + sections.map(\.section)
        where map.index(of: section) != indexes[section] {
            return "section \(section.id) is at \(map.index(of: section) ?? -1)"
        }
        for element in elements + paths.keys where map.path(of: element) != paths[element] {
            let found = map.path(of: element)?.description ?? "nowhere"
            return "\(found), not \(paths[element]?.description ?? "nowhere")"
        }
        return nil
    }
}

/// Makes what a data source would give.
struct ElementMaker {
    private let surroundings = ElementSurroundings(Traits())
    private let onEnd: @Sendable () -> Void
    private(set) var sectionCount = 0
    /// How many models were made.
    let modelCount = LiveCount()

    /// - Parameter onEnd: called when a model that it made goes.
    init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    /// Tells when it goes.
    private final class Model: Sendable {
        let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    mutating func section(context: (any SectionContext)? = nil) -> CollectionSection {
        defer { sectionCount += 1 }
        return CollectionSection(id: sectionCount, context: context)
    }

    mutating func element(kind: SupplementaryKind? = nil) -> CollectionElement {
        let terms = ElementTerms(kind: kind, sizeRange: .width(10), surroundings: surroundings)
        return ProvidedElement(model: makeModel(), provider: nil, terms: terms)
    }

    private func makeModel() -> Model {
        modelCount.add(1)
        return Model(onEnd)
    }

    func content(of element: CollectionElement) -> ElementContent {
        let model = makeModel()
        return ElementContent(
            revising: element,
            model: model,
            sizeRange: .width(10),
            provider: nil
        )
    }
}
