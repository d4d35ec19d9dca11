/// One edit of a validated change set, in the form in which it is applied to an array of arrays.
///
/// The edits of an update are in four runs (see ``ValidatedChangeSet``); each case is one run. No
/// case will be added, so a `switch` over edits needs no default.
public enum HierarchyEdit: Hashable, Sendable {
    /// Removes an item. The run is in descending order of paths.
    case removeItem(ItemEdit)
    /// Removes a section with the items that remain in it. The run is in descending order of
    /// indexes.
    case removeSection(SectionEdit)
    /// Inserts a section. The run is in ascending order of indexes.
    case insertSection(SectionEdit)
    /// Inserts an item. The run is in ascending order of paths.
    case insertItem(ItemEdit)
}

extension HierarchyEdit: CustomStringConvertible {
    /// A description of the edit, such as `remove item 0 - 2 (move with 1 - 0)`.
    public var description: String {
        switch self {
        case .removeItem(let edit): "remove item \(edit)"
        case .removeSection(let edit): "remove section \(edit)"
        case .insertSection(let edit): "insert section \(edit)"
        case .insertItem(let edit): "insert item \(edit)"
        }
    }
}

extension ItemEdit: CustomStringConvertible {
    /// A description of the edit, such as `0 - 2 (move with 1 - 0)`.
    public var description: String {
        "\(path) (\(role)\(associatedWith.map { " with \($0)" } ?? ""))"
    }
}

extension SectionEdit: CustomStringConvertible {
    /// A description of the edit, such as `1 (reload with 1, 3 new)`.
    public var description: String {
        let newItems = newItemCount == 0 ? "" : ", \(newItemCount) new"
        return "\(section) (\(role)\(associatedWith.map { " with \($0)" } ?? "")\(newItems))"
    }
}

extension ItemReconfiguration: CustomStringConvertible {
    /// A description of the item, such as `0 - 2 (then 1 - 0)`, or `0 - 2` if it stays there.
    public var description: String {
        oldPath == newPath ? "\(oldPath)" : "\(oldPath) (then \(newPath))"
    }
}

extension SupplementaryReload: CustomStringConvertible {
    /// A description of the elements, such as `header of section 2`.
    public var description: String { "\(kind) of section \(newSection)" }
}

/// The reason why an item or section is removed or inserted. No role will be added, so a `switch`
/// needs no default.
public enum EditRole: Hashable, Sendable {
    /// The element is deleted; only in removals.
    case delete
    /// The element is new; only in insertions.
    case insert
    /// The element is replaced: the old one is removed and a new one is inserted.
    case reload
    /// The element moves: the element that is removed here is inserted at the associated place, or
    /// the reverse.
    case move
}

/// The removal or insertion of one section.
public struct SectionEdit: Hashable, Sendable {
    /// The index of the section: an old index in a removal, a new index in an insertion.
    public var section: Int

    /// The reason for the edit.
    public var role: EditRole

    /// The index of the other half of a reload or move: a new index in a removal, an old index in
    /// an insertion; `nil` for deletes and inserts.
    public var associatedWith: Int?

    /// The number of new items in an inserted or reloaded section, before the item insertions; 0
    /// for removals and for moved sections, which keep the items that remain in them.
    public var newItemCount: Int

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Creates an edit without checking it.
    public init(
        section: Int,
        role: EditRole,
        associatedWith: Int? = nil,
        newItemCount: Int = 0,
        animation: AnimationOption = .automatic
    ) {
        self.section = section
        self.role = role
        self.associatedWith = associatedWith
        self.newItemCount = newItemCount
        self.animation = animation
    }
}

/// The removal or insertion of one item.
public struct ItemEdit: Hashable, Sendable {
    /// The path of the item: an old path in a removal, a new path in an insertion.
    public var path: ItemPath

    // The order of the next two properties keeps an edit at 48 bytes instead of 56.

    /// The path of the other half of a reload or move: a new path in a removal, an old path in an
    /// insertion; `nil` for deletes and inserts.
    public var associatedWith: ItemPath?

    /// The reason for the edit.
    public var role: EditRole

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Creates an edit without checking it.
    public init(
        path: ItemPath,
        role: EditRole,
        associatedWith: ItemPath? = nil,
        animation: AnimationOption = .automatic
    ) {
        self.path = path
        self.role = role
        self.associatedWith = associatedWith
        self.animation = animation
    }
}

/// An item that is updated in place.
public struct ItemReconfiguration: Hashable, Sendable {
    /// The path of the item before the update.
    public var oldPath: ItemPath

    /// The path of the item after the update.
    public var newPath: ItemPath

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Creates a reconfiguration without checking it.
    public init(oldPath: ItemPath, newPath: ItemPath, animation: AnimationOption = .automatic) {
        self.oldPath = oldPath
        self.newPath = newPath
        self.animation = animation
    }
}

/// A request to reload the supplementary elements of one kind in one section.
public struct SupplementaryReload: Hashable, Sendable {
    /// The kind of the elements.
    public var kind: SupplementaryKind

    /// The new index of the section.
    public var newSection: Int

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Creates a reload without checking it.
    public init(
        kind: SupplementaryKind,
        newSection: Int,
        animation: AnimationOption = .automatic
    ) {
        self.kind = kind
        self.newSection = newSection
        self.animation = animation
    }
}
