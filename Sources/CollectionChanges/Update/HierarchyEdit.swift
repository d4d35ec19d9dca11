/// One edit of a validated change set, in the form in which it is applied to an array of arrays.
///
/// The edits of an update come in four runs (see ``ValidatedChangeSet``); each case is one run.
/// There is no fifth, so who applies edits needs no default.
public enum HierarchyEdit: Hashable, Sendable {
    /// Remove an item; paths descend over the run.
    case removeItem(ItemEdit)
    /// Remove a section with what is left in it; indexes descend over the run.
    case removeSection(SectionEdit)
    /// Insert a section; indexes ascend over the run.
    case insertSection(SectionEdit)
    /// Insert an item; paths ascend over the run.
    case insertItem(ItemEdit)
}

extension HierarchyEdit: CustomStringConvertible {
    /// The edit in words, such as `remove item 0 - 2 (move with 1 - 0)`.
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
    /// The edit in words, such as `0 - 2 (move with 1 - 0)`.
    public var description: String {
        "\(path) (\(role)\(associatedWith.map { " with \($0)" } ?? ""))"
    }
}

extension SectionEdit: CustomStringConvertible {
    /// The edit in words, such as `1 (reload with 1, 3 fresh)`.
    public var description: String {
        let fresh = freshItemCount == 0 ? "" : ", \(freshItemCount) fresh"
        return "\(section) (\(role)\(associatedWith.map { " with \($0)" } ?? "")\(fresh))"
    }
}

extension ItemReconfiguration: CustomStringConvertible {
    /// The item in words, such as `0 - 2 (then 1 - 0)`, or `0 - 2` if it stays there.
    public var description: String {
        oldPath == newPath ? "\(oldPath)" : "\(oldPath) (then \(newPath))"
    }
}

extension SupplementaryReload: CustomStringConvertible {
    /// The elements in words, such as `header of section 2`.
    public var description: String { "\(kind) of section \(newSection)" }
}

/// Why an element or section is removed or inserted. There is no fifth role, so a `switch` needs no
/// default.
public enum EditRole: Hashable, Sendable {
    /// It is gone; removals only.
    case delete
    /// It is new; insertions only.
    case insert
    /// It is replaced: its old self is removed, its fresh one inserted.
    case reload
    /// It goes elsewhere: what is removed here is inserted at its associated place.
    case move
}

/// One section removed or inserted.
public struct SectionEdit: Hashable, Sendable {
    /// Where: an old index in a removal, a new index in an insertion.
    public var section: Int

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new index in a removal, an old index in an
    /// insertion; nil for deletes and inserts.
    public var associatedWith: Int?

    /// The number of fresh items that an inserted or reloaded section arrives with, before items are put into
    /// it one by one; 0 for removals and for moved sections, which carry what is left in them.
    public var freshItemCount: Int

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        section: Int,
        role: EditRole,
        associatedWith: Int? = nil,
        freshItemCount: Int = 0,
        animation: AnimationOption = .automatic
    ) {
        self.section = section
        self.role = role
        self.associatedWith = associatedWith
        self.freshItemCount = freshItemCount
        self.animation = animation
    }
}

/// One item removed or inserted.
public struct ItemEdit: Hashable, Sendable {
    /// Where: an old path in a removal, a new path in an insertion.
    public var path: ItemPath

    // The next two in this order, in which an edit takes 48 bytes, and not 56.

    /// Where the other half of a reload or move is: a new path in a removal, an old path in an
    /// insertion; nil for deletes and inserts.
    public var associatedWith: ItemPath?

    /// Why.
    public var role: EditRole

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
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
    /// Where the item was before the update.
    public var oldPath: ItemPath

    /// Where it is after the update.
    public var newPath: ItemPath

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Makes a reconfiguration; nothing is checked.
    public init(oldPath: ItemPath, newPath: ItemPath, animation: AnimationOption = .automatic) {
        self.oldPath = oldPath
        self.newPath = newPath
        self.animation = animation
    }
}

/// Supplementary elements of one kind in one section, to be asked for again.
public struct SupplementaryReload: Hashable, Sendable {
    /// Which elements.
    public var kind: SupplementaryKind

    /// In which section, by its new index.
    public var newSection: Int

    /// The animation of the edit.
    public var animation: AnimationOption

    /// Makes a reload; nothing is checked.
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
