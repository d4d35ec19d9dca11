import CollectionChanges

/// One edit of an update, which a layout receives before the update's attributes are queried.
///
/// For layouts, a reload remains a single edit. Deletes are first, ascending by old path, then
/// inserts, ascending by new path, then reloads and then moves, ascending by old path; an edit of a
/// section follows those of its items.
@nonexhaustive
public enum LayoutUpdateItem: Hashable, Sendable {
    /// An item was deleted.
    case deleteItem(ItemPath)
    /// An item was inserted.
    case insertItem(ItemPath)
    /// An item was replaced.
    case reloadItem(old: ItemPath, new: ItemPath)
    /// An item moved.
    case moveItem(old: ItemPath, new: ItemPath)
    /// A section was deleted.
    case deleteSection(Int)
    /// A section was inserted.
    case insertSection(Int)
    /// A section was replaced.
    case reloadSection(old: Int, new: Int)
    /// A section moved.
    case moveSection(old: Int, new: Int)
}

extension LayoutUpdateItem: CustomStringConvertible {
    /// The edit as text, such as `move 0 - 3 to 1 - 0`.
    public var description: String {
        switch self {
        case .deleteItem(let path): "delete \(path)"
        case .insertItem(let path): "insert \(path)"
        case .reloadItem(let old, let new): "reload \(old) as \(new)"
        case .moveItem(let old, let new): "move \(old) to \(new)"
        case .deleteSection(let section): "delete section \(section)"
        case .insertSection(let section): "insert section \(section)"
        case .reloadSection(let old, let new): "reload section \(old) as \(new)"
        case .moveSection(let old, let new): "move section \(old) to \(new)"
        }
    }
}

extension LayoutUpdateItem {
    /// Returns the edits of an update, in the order in which layouts receive them.
    package static func items(of changes: ValidatedChangeSet) -> [LayoutUpdateItem] {
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

    /// An edit with its group (deletes, inserts, reloads, moves) and path, by which edits are
    /// sorted.
    fileprivate struct Entry {
        let group: Int
        let path: ItemPath
        let item: LayoutUpdateItem
    }
}

extension LayoutUpdateItem.Entry {
    /// Returns a path that sorts a section after its items.
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

/// An update in progress, with the previous attributes of views.
struct UpdateInProgress {
    let update: ValidatedChangeSet

    /// The function that returns the attributes of a view before the update, given its place at
    /// that time.
    let attributesBefore: (_ oldPlace: LayoutPlace) -> LayoutAttributes?
}
