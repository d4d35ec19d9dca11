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
        _ source: inout FreshSource,
        keepsUnrendered: Bool = false
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
        change(update, &contents, &source, keepsUnrendered)
        return contents
    }

    /// What stays and shows something else.
    private mutating func change(
        _ update: ValidatedChangeSet,
        _ contents: inout PublishedContents,
        _ source: inout FreshSource,
        _ keepsUnrendered: Bool
    ) {
        for path in update.reconfigurations.map(\.newPath) {
            let old = sections[path.section].items[path.item]
            let payload = source.payload()
            let shown = payload ?? (keepsUnrendered ? old.payload : nil)
            let item = PublishedItem(number: old.number, payload: shown)
            sections[path.section].items[path.item] = item
            contents.changedItems.append(PublishedItem(number: old.number, payload: payload))
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

    /// The same as a state.
    var state: PublishedState {
        let sections = sections.map {
            PublishedContents.FreshSection(section: $0.section, items: $0.items)
        }
        return PublishedState(sections, shape: shape)
    }
}

extension ValidatedChangeSet {
    /// Whether a section is inserted or reloaded.
    func isFresh(newSection index: Int) -> Bool {
        sectionInsertions.contains { $0.section == index && $0.role != .move }
    }
}

/// Makes what no state had before: numbers of items and of sections ascend, and no payload comes twice.
struct FreshSource {
    private var items: UInt64 = 0
    private var sections: UInt64 = 0
    private var payloads = 0
    /// Whether there is always a payload, so that what changed shows something else.
    private let isComplete: Bool

    /// What is not easily written as JSON, and of all lengths up to eight bytes.
    private static let texts = ["", "a", "<b>ä€𝄞</b>", "e\u{301}", "\u{0}\"\\/\u{2028}", "seven b"]

    init(isComplete: Bool = false) { self.isComplete = isComplete }

    mutating func item() -> PublishedItem {
        items += 1
        return PublishedItem(number: items, payload: payload())
    }

    mutating func section() -> PublishedSection {
        sections += 1
        return PublishedSection(number: sections, payload: payload())
    }

    /// Now and then none.
    mutating func payload() -> PublishedPayload? {
        payloads += 1
        if payloads.isMultiple(of: 11), !isComplete { return nil }
        return PublishedPayload(utf8: "\(payloads)\(Self.texts[payloads % Self.texts.count])")
    }
}
