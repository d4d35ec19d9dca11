import PipelineTestSupport

@testable import CollectionPublishing

// A simple model of a published state: arrays of arrays. It applies edits literally, one by one,
// and records new and changed contents where they occur.

/// The contents of one version.
struct StateModel: Equatable {
    struct Section: Equatable {
        var section: PublishedSection
        var items: [PublishedItem] = []
    }

    var sections: [Section] = []

    var shape: HierarchyShape { HierarchyShape(sections.map(\.items.count)) }

    /// Applies `update` with new contents from `source`.
    ///
    /// - Returns: the contents of the update.
    mutating func apply(
        _ update: ValidatedChangeSet,
        _ source: inout ContentGenerator,
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
            let items = (0..<edit.newItemCount).map { _ in source.item() }
            let inserted = Section(section: source.section(), items: items)
            sections.insert(inserted, at: edit.section)
            contents.insertedSections.append(.init(section: inserted.section, items: items))
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

    private mutating func change(
        _ update: ValidatedChangeSet,
        _ contents: inout PublishedContents,
        _ source: inout ContentGenerator,
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
            if update.isNew(newSection: index) { continue }
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

    var state: PublishedState {
        let sections = sections.map {
            PublishedContents.InsertedSection(section: $0.section, items: $0.items)
        }
        return PublishedState(sections, shape: shape)
    }
}

extension ValidatedChangeSet {
    func isNew(newSection index: Int) -> Bool {
        sectionInsertions.contains { $0.section == index && $0.role != .move }
    }
}

/// Makes new contents: the numbers of items and sections ascend, and no payload occurs twice.
struct ContentGenerator {
    private var items: UInt64 = 0
    private var sections: UInt64 = 0
    private var payloads = 0
    /// Whether every element gets a payload, so that every change is visible.
    private let isComplete: Bool

    /// Texts that need escaping in JSON, of all lengths up to eight bytes.
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

    /// Returns a new payload, or sometimes `nil`.
    mutating func payload() -> PublishedPayload? {
        payloads += 1
        if payloads.isMultiple(of: 11), !isComplete { return nil }
        return PublishedPayload(utf8: "\(payloads)\(Self.texts[payloads % Self.texts.count])")
    }
}
