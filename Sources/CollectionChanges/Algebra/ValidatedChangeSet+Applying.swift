extension ValidatedChangeSet {
    /// Applies the update to a sectioned collection of the old shape, such as an array of arrays or
    /// a deque of arrays.
    ///
    /// `makeItem` makes the new item at a path. Moved items and sections are carried over; the
    /// caller must update reconfigured items. `makeItem` is first called for the items of inserted
    /// and reloaded sections, in ascending order, and then for the items that are inserted or
    /// reloaded one by one, in ascending order.
    ///
    /// ```swift
    /// var rows: [[Row]] = …
    /// try update.apply(to: &rows) { model.row(at: $0) }
    /// ```
    ///
    /// Threading: a pure function; `makeItem` runs inline.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections, plus a copy of the items of each
    /// section with edits. Other sections are passed on unchanged. Collections without random
    /// access also pay for finding positions.
    ///
    /// - Throws: `sectionCount` or `itemCount` of `HierarchyUpdateError` if `sections` has another
    ///   shape, before `makeItem` is called; otherwise rethrows the error of `makeItem`. In both
    ///   cases `sections` is unchanged.
    @inlinable
    public func apply<Sections: RangeReplaceableCollection>(
        to sections: inout Sections,
        makeItem: (_ newPath: ItemPath) throws -> Sections.Element.Element
    ) throws where Sections.Element: RangeReplaceableCollection {
        try checkStart(of: sections.map(\.count))
        try applyUnchecked(to: &sections, makeItem: makeItem)
    }

    /// Returns the array of arrays that results from applying the update to `sections`, which must
    /// have the old shape.
    ///
    /// This method equals `apply(to:makeItem:)` with a variable, but leaves `sections` unchanged.
    ///
    /// - Throws: `sectionCount` or `itemCount` of `HierarchyUpdateError` if `sections` has another
    ///   shape, before `makeItem` is called; otherwise rethrows the error of `makeItem`.
    @inlinable
    public func apply<Item>(
        to sections: [[Item]],
        makeItem: (_ newPath: ItemPath) throws -> Item
    ) throws -> [[Item]] {
        var sections = sections
        try apply(to: &sections, makeItem: makeItem)
        return sections
    }

    /// Applies the update like ``apply(to:makeItem:)`` to arrays that are known to have the old
    /// shape. Arrays of another shape stop the process.
    @inlinable
    package func applyUnchecked<Item>(
        to sections: [[Item]],
        makeItem: (_ newPath: ItemPath) throws -> Item
    ) rethrows -> [[Item]] {
        var sections = sections
        try applyUnchecked(to: &sections, makeItem: makeItem)
        return sections
    }

    @inlinable
    func applyUnchecked<Sections: RangeReplaceableCollection>(
        to sections: inout Sections,
        makeItem: (_ newPath: ItemPath) throws -> Sections.Element.Element
    ) rethrows where Sections.Element: RangeReplaceableCollection {
        let arrangement = arrangement
        var inSections = try arrangement.pathsInInsertedSections.map(makeItem)[...]
        var oneByOne = try arrangement.pathsOneByOne.map(makeItem)[...]
        let old = Array(sections)
        var result = Sections()
        result.reserveCapacity(arrangement.sections.count)
        for section in arrangement.sections {
            if section.unchanged >= 0 {
                result.append(old[section.unchanged])
                continue
            }
            var items = Sections.Element()
            items.reserveCapacity(section.count)
            for piece in section.pieces {
                switch piece.source {
                case .oldSection(let index):
                    items.append(
                        contentsOf: old[index].dropFirst(piece.start).prefix(piece.count)
                    )
                case .insertedSection:
                    items.append(contentsOf: inSections.prefix(piece.count))
                    inSections.removeFirst(piece.count)
                case .oneByOne:
                    items.append(contentsOf: oneByOne.prefix(piece.count))
                    oneByOne.removeFirst(piece.count)
                }
            }
            result.append(items)
        }
        sections = result
    }

    @usableFromInline
    var arrangement: Arrangement { Arrangement(self) }

    /// Checks the start with untyped throws, for callers whose own errors can have any type.
    @usableFromInline
    func checkStart(of itemCounts: [Int]) throws { try checkStart(itemCounts) }
}

/// The pieces of the old arrays from which an update's new arrays are built.
///
/// ``ValidatedChangeSet`` uses it to apply an update to any kind of collection.
@usableFromInline
struct Arrangement {
    /// The new sections, in ascending order.
    @usableFromInline let sections: [Section]

    /// The new items of inserted and reloaded sections, ascending by new path; requested first.
    @usableFromInline let pathsInInsertedSections: [ItemPath]

    /// The new items that are inserted or reloaded one by one, ascending by new path.
    @usableFromInline let pathsOneByOne: [ItemPath]

    @usableFromInline
    struct Section {
        /// The old index of the section if it is unchanged; negative if the section consists of
        /// `pieces`.
        @usableFromInline var unchanged: Int
        @usableFromInline var pieces: [Piece]
        @usableFromInline var count: Int
    }

    @usableFromInline
    struct Piece {
        @usableFromInline var source: Source
        @usableFromInline var start: Int
        @usableFromInline var count: Int
    }

    @usableFromInline
    enum Source {
        case oldSection(Int)
        /// The next items of `pathsInInsertedSections`.
        case insertedSection
        /// The next items of `pathsOneByOne`.
        case oneByOne
    }

    init(_ update: ValidatedChangeSet) {
        var state = TracedState(at: update.isReloadData ? .empty : update.oldShape)
        if update.isReloadData {
            state.sections = update.newShape.itemCounts.map {
                TracedSection(newItems: $0, replacing: nil, arrival: 0)
            }
        } else {
            state.apply(update)
        }
        var inSections: [ItemPath] = []
        var oneByOne: [ItemPath] = []
        sections = state.sections.enumerated().map { newSection, section in
            guard let items = section.items else {
                return Section(unchanged: section.oldSection, pieces: [], count: 0)
            }
            var (pieces, newItem): ([Piece], Int) = ([], 0)
            for stretch in items.stretches {
                let paths = (newItem..<(newItem + stretch.count)).lazy.map {
                    ItemPath(section: newSection, item: $0)
                }
                newItem += stretch.count
                let source: Source
                if stretch.isKept {
                    source = .oldSection(stretch.oldSection)
                } else if stretch.history.arrival == 0 {
                    source = .insertedSection
                    inSections += paths
                } else {
                    source = .oneByOne
                    oneByOne += paths
                }
                pieces.append(Piece(source: source, start: stretch.oldItem, count: stretch.count))
            }
            return Section(unchanged: -1, pieces: pieces, count: newItem)
        }
        (pathsInInsertedSections, pathsOneByOne) = (inSections, oneByOne)
    }
}
