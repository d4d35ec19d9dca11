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

/// An update in progress, with the previous attributes of views.
struct UpdateInProgress {
    let update: ValidatedChangeSet

    /// The function that returns the attributes of a view before the update, given its place at
    /// that time.
    let attributesBefore: (_ oldPlace: LayoutPlace) -> LayoutAttributes?
}
