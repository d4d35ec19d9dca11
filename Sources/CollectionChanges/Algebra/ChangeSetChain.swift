/// Updates one after the other, through which paths are followed in both directions.
///
/// Use it to find what became of a path that was noted some updates ago (a selection, an anchor, the answer of a
/// slow request), and by which update it went. Where only the place matters and there are many paths,
/// ``ChangeSetComposition`` makes one update of all, whose `newPath(for:)` answers quicker.
///
/// ```swift
/// let chain = try ChangeSetChain(updates)
/// switch chain.fate(ofItem: oldPath) {
/// case .present(let newPath): select(newPath)
/// case .removed(let index, let path): log("\(path) was removed by update \(index)")
/// case nil: break   // there was no such item
/// }
/// ```
///
/// What is reloaded counts as there, as in ``ValidatedChangeSet/newPath(for:)``. After a `reloadData` nothing is.
///
/// A value; threading as that. Complexity: O(log k) an update of k edits for each question.
public struct ChangeSetChain: Sendable {
    /// The updates, each from the new shape of the one before.
    public private(set) var updates: [ValidatedChangeSet]

    /// Makes a chain.
    ///
    /// - Throws: `sectionCount` or `itemCount` at the first update that starts from another shape than the one
    ///   where the update before it ends.
    public init(_ updates: some Sequence<ValidatedChangeSet> = []) throws(HierarchyUpdateError) {
        self.updates = []
        for update in updates { try append(update) }
    }

    /// Adds an update at the end.
    ///
    /// - Throws: `sectionCount` or `itemCount` where it starts from another shape; the chain is then as before.
    public mutating func append(_ update: ValidatedChangeSet) throws(HierarchyUpdateError) {
        if let last = updates.last { try update.checkStart(last.newShape) }
        updates.append(update)
    }
}

extension ChangeSetChain {
    /// What became of something that was there at the start; places are paths of items or indexes of sections.
    public enum Fate<Place: Hashable & Sendable>: Hashable, Sendable {
        /// It, or what replaced it in its place, is now here.
        case present(Place)
        /// The update of this index removed it from this place, which is one before that update.
        case removed(by: Int, from: Place)
    }

    /// Where something that is there at the end came from; places are paths of items or indexes of sections.
    public enum Origin<Place: Hashable & Sendable>: Hashable, Sendable {
        /// It, or what it replaced in its place, was here at the start.
        case present(Place)
        /// The update of this index inserted it at this place, which is one after that update.
        case inserted(by: Int, at: Place)
    }

    /// What became of the item at `oldPath` of the first update; nil where there was none, and in a chain of no
    /// updates.
    public func fate(ofItem oldPath: ItemPath) -> Fate<ItemPath>? {
        guard let first = updates.first, first.oldShape.contains(oldPath) else { return nil }
        return fate(of: oldPath) { $0.newPath(for: $1) }
    }

    /// What became of the section at `oldSection` of the first update; nil where there was none, and in a chain of
    /// no updates.
    public func fate(ofSection oldSection: Int) -> Fate<Int>? {
        guard let first = updates.first, first.oldShape.itemCounts.indices.contains(oldSection)
        else { return nil }
        return fate(of: oldSection) { $0.newSection(for: $1) }
    }

    /// Where the item at `newPath` of the last update came from; nil where there is none, and in a chain of no
    /// updates.
    public func origin(ofItem newPath: ItemPath) -> Origin<ItemPath>? {
        guard let last = updates.last, last.newShape.contains(newPath) else { return nil }
        return origin(of: newPath) { $0.oldPath(for: $1) }
    }

    /// Where the section at `newSection` of the last update came from; nil where there is none, and in a chain of
    /// no updates.
    public func origin(ofSection newSection: Int) -> Origin<Int>? {
        guard let last = updates.last, last.newShape.itemCounts.indices.contains(newSection)
        else { return nil }
        return origin(of: newSection) { $0.oldSection(for: $1) }
    }

    private func fate<Place>(
        of place: Place,
        _ next: (ValidatedChangeSet, Place) -> Place?
    ) -> Fate<Place> {
        var place = place
        for (index, update) in updates.enumerated() {
            guard let newPlace = next(update, place) else {
                return .removed(by: index, from: place)
            }
            place = newPlace
        }
        return .present(place)
    }

    private func origin<Place>(
        of place: Place,
        _ previous: (ValidatedChangeSet, Place) -> Place?
    ) -> Origin<Place> {
        var place = place
        for (index, update) in updates.enumerated().reversed() {
            guard let oldPlace = previous(update, place) else {
                return .inserted(by: index, at: place)
            }
            place = oldPlace
        }
        return .present(place)
    }
}
