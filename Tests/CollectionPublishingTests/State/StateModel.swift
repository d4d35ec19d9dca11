import PipelineTestSupport

@testable import CollectionPublishing

// The obviously correct model of what is published: arrays of arrays. Updates are applied literally, run by run, and
// what is fresh or shows something else is written down where it comes to be.

/// What there is at one version.
struct StateModel: Equatable {
    struct Section: Equatable {
        var section: PublishedSection
        var items: [PublishedItem] = []
    }

    var sections: [Section] = []

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// Applies `update`; what it brings is made by `source`.
    ///
    /// - Returns: what it brought.
    mutating func apply(
        _ update: ValidatedChangeSet,
        _ source: inout FreshSource
    ) -> PublishedContents {
        var contents = PublishedContents()
        var taken: [ItemPath: PublishedItem] = [:]
        var carried: [Int: Section] = [:]
        for edit in update.itemRemovals {
            taken[edit.path] = sections[edit.path.section].items.remove(at: edit.path.item)
        }
        for edit in update.sectionRemovals {
            carried[edit.section] = sections.remove(at: edit.section)
        }
        for edit in update.sectionInsertions {
            if edit.role == .move, let old = edit.associatedWith {
                sections.insert(carried[old]!, at: edit.section)
                continue
            }
            let items = (0..<edit.freshItemCount).map { _ in source.item() }
            let fresh = Section(section: source.section(), items: items)
            sections.insert(fresh, at: edit.section)
            contents.freshSections.append(.init(section: fresh.section, items: items))
        }
        for edit in update.itemInsertions {
            var item = edit.role == .move ? edit.associatedWith.flatMap { taken[$0] } : nil
            if item == nil {
                item = source.item()
                contents.insertedItems.append(item!)
            }
            sections[edit.path.section].items.insert(item!, at: edit.path.item)
        }
        change(update, &contents, &source)
        return contents
    }

    /// What stays and shows something else.
    private mutating func change(
        _ update: ValidatedChangeSet,
        _ contents: inout PublishedContents,
        _ source: inout FreshSource
    ) {
        for path in update.reconfigurations.map(\.newPath) {
            let number = sections[path.section].items[path.item].number
            let item = PublishedItem(number: number, payload: source.payload())
            sections[path.section].items[path.item] = item
            contents.changedItems.append(item)
        }
        for reload in update.supplementaryReloads where reload.kind == .header {
            let index = reload.newSection
            if update.isFresh(newSection: index) { continue }
            let number = sections[index].section.number
            sections[index].section = PublishedSection(number: number, payload: source.payload())
            contents.changedSections.append(
                .init(newIndex: index, section: sections[index].section)
            )
        }
    }
}

extension StateModel {
    init(_ state: PublishedState) {
        sections = (0..<state.numberOfSections).map { index in
            Section(section: state.section(at: index)!, items: state.items(inSection: index))
        }
    }

    /// The same as a state, which is made by inserting everything.
    func published() throws -> PublishedState {
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: [], to: shape)
        let fresh = sections.map {
            PublishedContents.FreshSection(section: $0.section, items: $0.items)
        }
        return PublishedState().applying(update, PublishedContents(freshSections: fresh))
    }
}

/// Makes what no state had before: numbers ascend, and no payload comes twice.
struct FreshSource {
    private var numbers: UInt64 = 0
    private var payloads = 0
    /// Whether there is always a payload, so that what changed shows something else.
    private let isComplete: Bool

    init(isComplete: Bool = false) { self.isComplete = isComplete }

    mutating func item() -> PublishedItem {
        numbers += 1
        return PublishedItem(number: numbers, payload: payload())
    }

    mutating func section() -> PublishedSection {
        numbers += 1
        return PublishedSection(number: numbers, payload: payload())
    }

    /// Now and then none.
    mutating func payload() -> PublishedPayload? {
        payloads += 1
        return payloads.isMultiple(of: 11) && !isComplete ? nil : PublishedPayload("\(payloads)")
    }
}
