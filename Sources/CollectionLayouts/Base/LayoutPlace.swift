import CollectionChanges
import CollectionElements

/// The identity of a view that a layout places: its category, and its path in the view's index
/// space.
public struct LayoutPlace: Hashable, Sendable, CustomStringConvertible {
    /// The category of the view.
    public let category: ElementCategory

    /// The path of the item; for other views, the section and the number of the view in it.
    public let path: ItemPath

    /// Creates a place without checking it.
    public init(_ category: ElementCategory, _ path: ItemPath) {
        self.category = category
        self.path = path
    }

    /// Returns the place of an item's cell.
    public static func cell(_ path: ItemPath) -> LayoutPlace { LayoutPlace(.cell, path) }

    /// Returns the place of a section's header.
    public static func header(_ section: Int) -> LayoutPlace {
        LayoutPlace(.supplementary(.header), ItemPath(section: section, item: 0))
    }

    /// Returns the place of a section's footer.
    public static func footer(_ section: Int) -> LayoutPlace {
        LayoutPlace(.supplementary(.footer), ItemPath(section: section, item: 0))
    }

    /// The place as text, such as `0 - 3`, `header 2 - 0` or `decoration background 2 - 0`.
    public var description: String { category == .cell ? "\(path)" : "\(category) \(path)" }
}

extension LayoutPlace: Comparable {
    /// Returns whether `left` precedes `right`: cells, then supplementary views, then decorations,
    /// each by kind, then by path. Output therefore never depends on hashing.
    public static func < (left: LayoutPlace, right: LayoutPlace) -> Bool {
        // Most views are cells.
        if case .cell = left.category, case .cell = right.category {
            return left.path < right.path
        }
        return switch (left.category, right.category) {
        case (.supplementary(let kind), .supplementary(let other)),
            (.decoration(let kind), .decoration(let other)):
            kind == other ? left.path < right.path : kind < other
        default: left.category.rank < right.category.rank
        }
    }

    /// Hashes the path and the category. The kind is omitted, because there are few kinds and
    /// hashing their names would cost more than the collisions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(category.rank)
    }
}

// Conversions between places in a layout and elements in a map.

extension LayoutPlace {
    /// Creates the place of an element's view.
    public init(_ place: ElementPlace) {
        self.init(place.kind.map { .supplementary($0) } ?? .cell, place.path)
    }

    /// The place of the element that the view shows; `nil` for a decoration, which has no element.
    public var elementPlace: ElementPlace? {
        switch category {
        case .cell: ElementPlace(path: path)
        case .supplementary(let kind): ElementPlace(path: path, kind: kind)
        case .decoration: nil
        }
    }
}

extension ElementMap {
    /// Returns the element whose view is at `place`, or `nil` if there is none.
    ///
    /// Shape: the place belongs to the same state as this map; for a place from a layout, use the
    /// view's visible map. Complexity: O(log n), without allocation.
    public func element(at place: LayoutPlace) -> CollectionElement? {
        place.elementPlace.flatMap(element)
    }

    /// Returns the content of the element whose view is at `place` in this map.
    public func content(at place: LayoutPlace) -> ElementContent? {
        place.elementPlace.flatMap(content)
    }
}

// The places of views in an update, and the edits that name them. Supplementary and decoration
// views follow the paths of their section.

extension ValidatedChangeSet {
    /// Returns the previous place of the view that is now at `newPlace`; `nil` if it was inserted
    /// or replaced.
    ///
    /// Complexity: O(log k).
    package func formerPlace(of newPlace: LayoutPlace) -> LayoutPlace? {
        let section = newPlace.path.section
        if newPlace.category == .cell { return formerPath(of: newPlace.path).map(LayoutPlace.cell) }
        guard reload(of: newPlace, inNewSection: section) == nil else { return nil }
        return formerSection(of: section).map(newPlace.inSection)
    }

    /// Returns the current place of the view that was at `oldPlace`; `nil` if it was deleted or
    /// replaced.
    ///
    /// The reverse of `formerPlace(of:)`. Complexity: O(log k).
    package func survivingPlace(of oldPlace: LayoutPlace) -> LayoutPlace? {
        if oldPlace.category == .cell {
            return survivingPath(of: oldPlace.path).map(LayoutPlace.cell)
        }
        guard let section = survivingSection(of: oldPlace.path.section),
            reload(of: oldPlace, inNewSection: section) == nil
        else { return nil }
        return oldPlace.inSection(section)
    }

    /// Returns the option of the edit that inserts, replaces, moves or updates the view that is now
    /// at `newPlace`; `nil` if no edit names it. For a supplementary or decoration view, this is
    /// the edit that reloads it or the edit of its section.
    ///
    /// Complexity: O(log k).
    package func animation(ofNew newPlace: LayoutPlace) -> AnimationOption? {
        let section = newPlace.path.section
        if newPlace.category == .cell { return animation(ofNewItem: newPlace.path) }
        return reload(of: newPlace, inNewSection: section) ?? animation(ofNewSection: section)
    }

    /// Returns the option of the edit that removes, replaces, moves or updates the view that was at
    /// `oldPlace`.
    ///
    /// Complexity: O(log k).
    package func animation(ofOld oldPlace: LayoutPlace) -> AnimationOption? {
        let section = oldPlace.path.section
        if oldPlace.category == .cell { return animation(ofOldItem: oldPlace.path) }
        return newSection(for: section).flatMap { reload(of: oldPlace, inNewSection: $0) }
            ?? animation(ofOldSection: section)
    }

    /// Returns whether the edit that names the view at `newPlace` inserts, moves or changes it
    /// without a transition.
    ///
    /// Complexity: O(log k).
    package func isUnanimated(new newPlace: LayoutPlace) -> Bool {
        animation(ofNew: newPlace) == AnimationOption.none
    }

    /// Returns whether the edit that names the view that was at `oldPlace` deletes, moves or
    /// changes it without a transition.
    ///
    /// Complexity: O(log k).
    package func isUnanimated(old oldPlace: LayoutPlace) -> Bool {
        animation(ofOld: oldPlace) == AnimationOption.none
    }

    private func reload(of place: LayoutPlace, inNewSection section: Int) -> AnimationOption? {
        guard case .supplementary(let kind) = place.category else { return nil }
        return animation(ofReloaded: kind, inNewSection: section)
    }
}

extension LayoutPlace {
    /// Returns the same place in another section.
    fileprivate func inSection(_ section: Int) -> LayoutPlace {
        LayoutPlace(category, ItemPath(section: section, item: path.item))
    }
}
