import PipelineTestSupport

@testable import CollectionPublishing

/// What is the same of two states, and where it is now: what every update between them must say, however it is put
/// into edits.
struct Difference: Equatable {
    var shapes: [HierarchyShape]
    /// Where each section was; nil for what is new.
    var sections: [Int?]
    /// Where each item was; nil for what is new.
    var items: [[ItemPath?]]
    /// Of those that stay, what shows something else.
    var changedItems: Set<ItemPath> = []
    var changedSections: Set<Int> = []

    /// What is the same, by numbers; what changed, by payloads.
    init(from old: StateModel, to new: StateModel) {
        shapes = [old.shape, new.shape]
        var places: [UInt64: (path: ItemPath, payload: PublishedPayload?)] = [:]
        var oldSections: [UInt64: (index: Int, payload: PublishedPayload?)] = [:]
        for (section, entry) in old.sections.enumerated() {
            oldSections[entry.section.number] = (section, entry.section.payload)
            for (item, value) in entry.items.enumerated() {
                places[value.number] = (ItemPath(section, item), value.payload)
            }
        }
        sections = new.sections.map { oldSections[$0.section.number]?.index }
        items = new.sections.map { $0.items.map { places[$0.number]?.path } }
        for (section, entry) in new.sections.enumerated() {
            if let old = oldSections[entry.section.number], old.payload != entry.section.payload {
                changedSections.insert(section)
            }
            for (item, value) in entry.items.enumerated() {
                if let old = places[value.number], old.payload != value.payload {
                    changedItems.insert(ItemPath(section, item))
                }
            }
        }
    }

    /// The same as an update says it.
    init(_ update: ValidatedChangeSet) {
        // Applied to a state in which everything is told by where it was, so that what is fresh has other numbers.
        var source = FreshSource(isComplete: true)
        let old = StateModel(
            sections: update.oldShape.itemCounts.map { count in
                StateModel.Section(
                    section: source.section(),
                    items: (0..<count).map { _ in source.item() }
                )
            }
        )
        var new = old
        _ = new.apply(update, &source)
        self.init(from: old, to: new)
    }
}
