import CollectionChanges
import CollectionLayouts

/// Which views an update leaves, and where their places are then.
///
/// What is deleted or reloaded is not the same afterwards, neither are supplementary elements that are
/// others in the new content.
struct SurvivingPlaces {
    let changes: ValidatedChangeSet
    private let old: any ViewContent
    private let new: any ViewContent

    init(_ changes: ValidatedChangeSet, old: any ViewContent, new: any ViewContent) {
        self.changes = changes
        self.old = old
        self.new = new
    }

    /// Where the cell was that is at `place` now; nil where it is new, and for other views.
    ///
    /// Complexity: O(log k).
    func oldPlace(of place: LayoutPlace) -> LayoutPlace? {
        place.category == .cell ? changes.formerPath(of: place.path).map(LayoutPlace.cell) : nil
    }

    /// Where an element is afterwards that holds the reader's place, even if the update replaces it.
    ///
    /// Complexity: O(log k).
    func newAnchorPlace(of place: LayoutPlace) -> LayoutPlace? {
        if place.category == .cell { return changes.newPath(for: place.path).map(LayoutPlace.cell) }
        return changes.newSection(for: place.path.section).map {
            LayoutPlace(place.category, ItemPath(section: $0, item: place.path.item))
        }
    }

    /// What the update does to an element; `nil` if it is gone afterwards.
    ///
    /// Complexity: O(log k).
    func fate(of place: LayoutPlace) -> ScrollAnchor.Fate? {
        guard let newPlace = newAnchorPlace(of: place) else { return nil }
        let section = changes.sectionRemoval(at: place.path.section)
        if section?.role == .move { return .moves }
        guard place.category == .cell else { return section == nil ? .stays : .isReloaded }
        if changes.itemRemoval(at: place.path)?.role == .move { return .moves }
        return changes.survivingPath(of: place.path) == newPlace.path ? .stays : .isReloaded
    }

    /// Complexity: O(log k) for k edits, and two look-ups in the content.
    func newPlace(of place: LayoutPlace) -> LayoutPlace? {
        guard let newPlace = changes.survivingPlace(of: place) else { return nil }
        return old.element(at: place) === new.element(at: newPlace) ? newPlace : nil
    }
}

extension ValidatedChangeSet {
    /// Whether there are items afterwards that were not there before.
    var bringsItems: Bool {
        itemInsertions.contains { $0.role != .move }
            || sectionInsertions.contains { $0.role != .move && $0.freshItemCount > 0 }
    }
}

extension LayoutUpdateItem {
    /// The edits of an update, in the order in which layouts are told of them.
    static func items(of changes: ValidatedChangeSet) -> [LayoutUpdateItem] {
        let gone =
            changes.itemRemovals.map(Entry.init(removed:))
            + changes.sectionRemovals.map(Entry.init(removed:))
        let items = changes.itemInsertions.filter { $0.role == .insert }.map {
            Entry(group: 1, path: $0.path, item: .insertItem($0.path))
        }
        let sections = changes.sectionInsertions.filter { $0.role == .insert }.map {
            Entry(group: 1, path: Entry.path($0.section), item: .insertSection($0.section))
        }
        return (gone + items + sections)
            .sorted { ($0.group, $0.path) < ($1.group, $1.path) }.map(\.item)
    }

    /// An edit by its group (deletes, inserts, reloads, moves) and path.
    fileprivate struct Entry {
        let group: Int
        let path: ItemPath
        let item: LayoutUpdateItem
    }
}

extension LayoutUpdateItem.Entry {
    /// A section sorts behind its items.
    static func path(_ section: Int) -> ItemPath { ItemPath(section: section, item: .max) }

    init(removed edit: ItemEdit) {
        path = edit.path
        switch (edit.role, edit.associatedWith) {
        case (.reload, let new?): (group, item) = (2, .reloadItem(old: edit.path, new: new))
        case (_, let new?): (group, item) = (3, .moveItem(old: edit.path, new: new))
        case (_, nil): (group, item) = (0, .deleteItem(edit.path))
        }
    }

    init(removed edit: SectionEdit) {
        path = Self.path(edit.section)
        switch (edit.role, edit.associatedWith) {
        case (.reload, let new?): (group, item) = (2, .reloadSection(old: edit.section, new: new))
        case (_, let new?): (group, item) = (3, .moveSection(old: edit.section, new: new))
        case (_, nil): (group, item) = (0, .deleteSection(edit.section))
        }
    }
}
