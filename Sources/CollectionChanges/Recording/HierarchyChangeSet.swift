/// A record of the changes to a sectioned collection, in the order in which they were reported.
///
/// Recording checks nothing: empty, repeated and contradictory operations are kept as they are, and
/// `validated(from:to:)` validates the whole record. Deletes, reloads, reconfigurations and the
/// sources of moves use **old** indexes, those before the whole change. Inserts and the targets of
/// moves use **new** indexes, those after it.
///
/// ```swift
/// var changes = HierarchyChangeSet()
/// changes.deleteItems(at: [ItemPath(section: 0, item: 2)])
/// changes.insertSections([1], animation: .fade)
/// let update = try changes.validated(from: [3, 1], to: [2, 5, 1])
/// ```
///
/// Source: Texture's hierarchy change set and UICollectionView's batch updates.
public struct HierarchyChangeSet: ChangeRecording, Hashable, Sendable {
    /// The recorded operations, oldest first.
    public private(set) var operations: [Operation]

    /// Creates an empty record.
    public init() { operations = [] }

    /// Creates a record of `operations`.
    public init(_ operations: [Operation]) { self.operations = operations }

    /// Whether the record contains no operations.
    public var isEmpty: Bool { operations.isEmpty }

    /// Appends `operation`.
    public mutating func record(_ operation: Operation) { operations.append(operation) }

    /// Returns the same record with every move split into a delete and an insert, as Texture does.
    /// The item or section that moved is then a new one, and the old one is deleted. Reloads and
    /// reconfigurations of items in a section that moved are dropped, because those items no longer
    /// exist.
    ///
    /// A move that is recorded more than once is one move, with the animation of the last record,
    /// and is split once.
    public func decomposingMoves() -> HierarchyChangeSet {
        var movedSections = SectionSet()
        var lastMoves: [Operation: Int] = [:]
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .moveItem(let oldPath, let newPath, _):
                lastMoves[.moveItem(at: oldPath, to: newPath, .automatic)] = index
            case .moveSection(let oldSection, let newSection, _):
                movedSections.insert(oldSection)
                lastMoves[.moveSection(oldSection, toSection: newSection, .automatic)] = index
            default: break
            }
        }
        func staying(_ paths: [ItemPath]) -> [ItemPath] {
            paths.filter { !movedSections.contains($0.section) }
        }
        var result = HierarchyChangeSet()
        for (index, operation) in operations.enumerated() {
            switch operation {
            case .reloadItems(let paths, let animation):
                result.record(.reloadItems(staying(paths), animation))
            case .reconfigureItems(let paths, let animation):
                result.record(.reconfigureItems(staying(paths), animation))
            case .reconfigureSections(let sections, let animation):
                let staying = sections.filter { !movedSections.contains($0) }
                result.record(.reconfigureSections(SectionSet(staying), animation))
            case .moveItem(let oldPath, let newPath, let animation):
                let move = Operation.moveItem(at: oldPath, to: newPath, .automatic)
                guard lastMoves[move] == index else { continue }
                result.record(.deleteItems([oldPath], animation))
                result.record(.insertItems([newPath], animation))
            case .moveSection(let oldSection, let newSection, let animation):
                let move = Operation.moveSection(oldSection, toSection: newSection, .automatic)
                guard lastMoves[move] == index else { continue }
                result.record(.deleteSections(SectionSet(oldSection), animation))
                result.record(.insertSections(SectionSet(newSection), animation))
            default:
                result.record(operation)
            }
        }
        return result
    }

    /// An operation of a change set.
    @nonexhaustive
    public enum Operation: Hashable, Sendable {
        /// Deletes the items at these old paths.
        case deleteItems([ItemPath], AnimationOption)
        /// Inserts items that will be at these new paths.
        case insertItems([ItemPath], AnimationOption)
        /// Replaces the items at these old paths with new ones.
        case reloadItems([ItemPath], AnimationOption)
        /// Updates the items at these old paths in place.
        case reconfigureItems([ItemPath], AnimationOption)
        /// Moves the item at an old path to a new one.
        case moveItem(at: ItemPath, to: ItemPath, AnimationOption)
        /// Deletes these old sections with everything in them.
        case deleteSections(SectionSet, AnimationOption)
        /// Inserts sections that will be at these new indexes.
        case insertSections(SectionSet, AnimationOption)
        /// Replaces these old sections and everything in them with new ones.
        case reloadSections(SectionSet, AnimationOption)
        /// Updates every item of these old sections in place.
        case reconfigureSections(SectionSet, AnimationOption)
        /// Moves a section from an old index to a new one.
        case moveSection(Int, toSection: Int, AnimationOption)
        /// Requests the supplementary elements of one kind in these new sections again.
        case reloadSupplementaries(SupplementaryKind, in: SectionSet, AnimationOption)
        /// Replaces everything; every other operation of the record is ignored.
        case reloadData(AnimationOption = .automatic)
    }
}

extension HierarchyChangeSet.Operation: CustomStringConvertible {
    /// The name of the call and its arguments, such as `deleteItems at (0 - 2) (0 - 5)`. Lists are
    /// cut after eight entries.
    public var description: String {
        func list(_ paths: [ItemPath]) -> String {
            guard !paths.isEmpty else { return "none" }
            let rest = paths.count > 8 ? " … \(paths.count - 8) more" : ""
            return paths.prefix(8).map { "(\($0))" }.joined(separator: " ") + rest
        }
        return switch self {
        case .deleteItems(let oldPaths, _): "deleteItems at \(list(oldPaths))"
        case .insertItems(let newPaths, _): "insertItems at \(list(newPaths))"
        case .reloadItems(let oldPaths, _): "reloadItems at \(list(oldPaths))"
        case .reconfigureItems(let oldPaths, _): "reconfigureItems at \(list(oldPaths))"
        case .moveItem(let oldPath, let newPath, _): "moveItem from (\(oldPath)) to (\(newPath))"
        case .deleteSections(let oldSections, _): "deleteSections \(oldSections)"
        case .insertSections(let newSections, _): "insertSections \(newSections)"
        case .reloadSections(let oldSections, _): "reloadSections \(oldSections)"
        case .reconfigureSections(let oldSections, _): "reconfigureSections \(oldSections)"
        case .moveSection(let oldSection, let newSection, _):
            "moveSection from \(oldSection) to \(newSection)"
        case .reloadSupplementaries(let kind, let newSections, _):
            "reloadSupplementaries of kind \(kind) in \(newSections)"
        case .reloadData: "reloadData"
        }
    }
}

/// A number that specifies how one edit is animated.
///
/// The pipeline compares options, because neighbouring edits with equal options form one group.
/// Otherwise it passes them to the view unread, so an application may define values of its own.
///
/// The option specifies where inserted elements start and where deleted elements end. A replaced
/// element does both; a moved element glides to its new place. An item's cell is animated with the
/// option of the item's own edit, and otherwise with that of its section's edit. The section's
/// option also applies to headers, footers and decorations. A supplementary element that is
/// reloaded disappears and appears with the option of the reload. Elements that only make room for
/// others glide. A layout's `absentLayoutAttributes(for:animation:)` decides how far elements slide
/// and what other numbers look like. Options have no effect if an update is not animated or if
/// everything is reloaded.
public struct AnimationOption: RawRepresentable, Hashable, Sendable {
    /// The number that identifies the option.
    public var rawValue: Int

    /// Creates an option from an application-defined number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No animation for this edit: its elements appear, disappear, move and change size
    /// immediately, even if the rest of the update is animated.
    public static let none = AnimationOption(rawValue: 0)
    /// The default: the layout chooses the animation. It is a fade unless the layout overrides it.
    public static let automatic = AnimationOption(rawValue: 1)
    /// Fades in or out in place. Numbers that a layout does not know also fade.
    public static let fade = AnimationOption(rawValue: 2)
    /// Slides in from, or out to, the leading edge, by the element's own width. The leading edge is
    /// the left one, or the right one if content runs from right to left.
    public static let leading = AnimationOption(rawValue: 3)
    /// Slides in from, or out to, the trailing edge, by the element's own width.
    public static let trailing = AnimationOption(rawValue: 4)
    /// Slides in from, or out to, the top, by the element's own height.
    public static let top = AnimationOption(rawValue: 5)
    /// Slides in from, or out to, the bottom, by the element's own height.
    public static let bottom = AnimationOption(rawValue: 6)
}
