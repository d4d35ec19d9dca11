/// One edit of a validated change set, in the form in which it is applied to an array of arrays.
///
/// The edits of an update come in four runs (see ``ValidatedChangeSet``); each case is one run.
public enum HierarchyEdit: Hashable, Sendable {
    /// Take an item out; paths descend over the run.
    case takeOutItem(ItemEdit)
    /// Take a section out with what is left in it; indexes descend over the run.
    case takeOutSection(SectionEdit)
    /// Put a section in; indexes ascend over the run.
    case putInSection(SectionEdit)
    /// Put an item in; paths ascend over the run.
    case putInItem(ItemEdit)
}

extension HierarchyEdit: CustomStringConvertible {
    /// The edit in words, such as `take out item 0 - 2 (move with 1 - 0)`.
    public var description: String {
        func words<Place>(_ role: EditRole, _ counterpart: Place?, _ fresh: Int = 0) -> String {
            let other = counterpart.map { " with \($0)" } ?? ""
            return "(\(role)\(other)\(fresh == 0 ? "" : ", \(fresh) fresh"))"
        }
        return switch self {
        case .takeOutItem(let edit):
            "take out item \(edit.path) \(words(edit.role, edit.counterpart))"
        case .takeOutSection(let edit):
            "take out section \(edit.section) \(words(edit.role, edit.counterpart))"
        case .putInSection(let edit):
            "put in section \(edit.section)"
                + " \(words(edit.role, edit.counterpart, edit.freshItemCount))"
        case .putInItem(let edit):
            "put in item \(edit.path) \(words(edit.role, edit.counterpart))"
        }
    }
}

/// Why an element or section is taken out or put in.
public enum EditRole: Hashable, Sendable {
    /// It is gone; take-outs only.
    case delete
    /// It is new; put-ins only.
    case insert
    /// It is replaced: its old self is taken out, its fresh one put in.
    case reload
    /// It goes elsewhere: what is taken out here is put in at the counterpart.
    case move
}

/// One item taken out or put in.
public struct ItemEdit: Hashable, Sendable {
    /// Where: an old path in a take-out, a new path in a put-in.
    public var path: ItemPath

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new path in a take-out, an old path in a
    /// put-in; nil for deletes and inserts.
    public var counterpart: ItemPath?

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        path: ItemPath,
        role: EditRole,
        counterpart: ItemPath? = nil,
        animation: AnimationOption = .automatic
    ) {
        self.path = path
        self.role = role
        self.counterpart = counterpart
        self.animation = animation
    }
}

/// One section taken out or put in.
public struct SectionEdit: Hashable, Sendable {
    /// Where: an old index in a take-out, a new index in a put-in.
    public var section: Int

    /// Why.
    public var role: EditRole

    /// Where the other half of a reload or move is: a new index in a take-out, an old index in a
    /// put-in; nil for deletes and inserts.
    public var counterpart: Int?

    /// How many fresh items an inserted or reloaded section arrives with, before items are put into
    /// it one by one; 0 for take-outs and for moved sections, which carry what is left in them.
    public var freshItemCount: Int

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes an edit; nothing is checked.
    public init(
        section: Int,
        role: EditRole,
        counterpart: Int? = nil,
        freshItemCount: Int = 0,
        animation: AnimationOption = .automatic
    ) {
        self.section = section
        self.role = role
        self.counterpart = counterpart
        self.freshItemCount = freshItemCount
        self.animation = animation
    }
}

/// An item that is updated in place.
public struct ItemReconfiguration: Hashable, Sendable {
    /// Where the item was before the update.
    public var oldPath: ItemPath

    /// Where it is after the update.
    public var newPath: ItemPath

    /// How to animate it.
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

    /// How to animate it.
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
