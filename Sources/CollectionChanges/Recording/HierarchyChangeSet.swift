/// A record of what changed in a sectioned collection, in the order in which it was reported.
///
/// Recording checks nothing: empty, repeated and contradicting operations are kept as they come, and
/// `validated(from:to:)` judges the whole. Deletes, reloads, reconfigurations and the sources of
/// moves use **old** indexes, those before the whole change; inserts and the targets of moves use
/// **new** ones, those after it.
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
    /// What was recorded, oldest first.
    public private(set) var operations: [Operation]

    /// Makes an empty record.
    public init() { operations = [] }

    /// Makes a record of `operations`.
    public init(_ operations: [Operation]) { self.operations = operations }

    /// Whether nothing was recorded.
    public var isEmpty: Bool { operations.isEmpty }

    /// Appends `operation`.
    public mutating func record(_ operation: Operation) { operations.append(operation) }

    /// The same record with every move taken apart into a delete and an insert, which is what
    /// Texture does: the item or section that moved is then a new one, and its old self is gone. So are the
    /// items that were reloaded or reconfigured in a section that moved: nothing of that is left to do.
    ///
    /// A move that is recorded more than once is one move, with the last option, and so is taken apart once.
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
}

extension HierarchyChangeSet {
    /// One recorded operation.
    @nonexhaustive
    public enum Operation: Hashable, Sendable {
        /// Deletes the items at these old paths.
        case deleteItems([ItemPath], AnimationOption)
        /// Inserts items that end up at these new paths.
        case insertItems([ItemPath], AnimationOption)
        /// Replaces the items at these old paths by fresh ones.
        case reloadItems([ItemPath], AnimationOption)
        /// Updates the items at these old paths in place.
        case reconfigureItems([ItemPath], AnimationOption)
        /// Moves the item at an old path to a new one.
        case moveItem(at: ItemPath, to: ItemPath, AnimationOption)
        /// Deletes these old sections with all that is in them.
        case deleteSections(SectionSet, AnimationOption)
        /// Inserts sections that end up at these new indexes.
        case insertSections(SectionSet, AnimationOption)
        /// Replaces these old sections and all that is in them by fresh ones.
        case reloadSections(SectionSet, AnimationOption)
        /// Updates every item of these old sections in place.
        case reconfigureSections(SectionSet, AnimationOption)
        /// Moves a section from an old index to a new one.
        case moveSection(Int, toSection: Int, AnimationOption)
        /// Asks again for the supplementary elements of one kind in these new sections.
        case reloadSupplementaries(SupplementaryKind, in: SectionSet, AnimationOption)
        /// Replaces everything; every other operation of the record is dropped.
        case reloadData(AnimationOption = .automatic)
    }
}
