extension ValidatedChangeSet {
    /// Applies the update to a sectioned collection of the old shape: arrays of arrays, deques of arrays, or any
    /// others that can be put together from parts.
    ///
    /// `fresh` makes the item that is new at a path. Moved items and sections are carried over, and
    /// reconfigured ones are left to the caller. The items that inserted and reloaded sections arrive with are asked
    /// for first, ascending; then ascending those that are inserted or reloaded one by one.
    ///
    /// ```swift
    /// var rows: [[Row]] = …
    /// try update.apply(to: &rows) { model.row(at: $0) }
    /// ```
    ///
    /// Threading: a pure function; `fresh` runs inline. Complexity: O(k log k + s) for k edits and s sections, and a
    /// copy of the items of sections with edits; others are passed on as they are. Collections without
    /// random access also pay for finding places.
    ///
    /// - Throws: `sectionCount` or `itemCount` of `HierarchyUpdateError` where `sections` has another shape, before
    ///   anything is asked for; else what `fresh` throws. In both cases `sections` is as before.
    @inlinable
    public func apply<Sections: RangeReplaceableCollection>(
        to sections: inout Sections,
        fresh: (_ newPath: ItemPath) throws -> Sections.Element.Element
    ) throws where Sections.Element: RangeReplaceableCollection {
        try checkStart(of: sections.map(\.count))
        try applyUnchecked(to: &sections, fresh: fresh)
    }

    /// Applies the update to an array of arrays of the old shape, and gives the new one.
    ///
    /// As `apply(to:fresh:)` on a variable, for a value that stays as it is.
    ///
    /// - Throws: `sectionCount` or `itemCount` of `HierarchyUpdateError` where `sections` has another shape, before
    ///   anything is asked for; else what `fresh` throws.
    @inlinable
    public func apply<Item>(
        to sections: [[Item]],
        fresh: (_ newPath: ItemPath) throws -> Item
    ) throws -> [[Item]] {
        var sections = sections
        try apply(to: &sections, fresh: fresh)
        return sections
    }

    /// What ``apply(to:fresh:)`` does to arrays that are known to have the old shape; others stop the process.
    @inlinable
    package func applyUnchecked<Item>(
        to sections: [[Item]],
        fresh: (_ newPath: ItemPath) throws -> Item
    ) rethrows -> [[Item]] {
        var sections = sections
        try applyUnchecked(to: &sections, fresh: fresh)
        return sections
    }

    @inlinable
    func applyUnchecked<Sections: RangeReplaceableCollection>(
        to sections: inout Sections,
        fresh: (_ newPath: ItemPath) throws -> Sections.Element.Element
    ) rethrows where Sections.Element: RangeReplaceableCollection {
        let arrangement = arrangement
        var inSections = try arrangement.pathsInFreshSections.map(fresh)[...]
        var oneByOne = try arrangement.pathsOneByOne.map(fresh)[...]
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
                case .freshSection:
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

    /// Where the caller's errors may be of any type.
    @usableFromInline
    func checkStart(of itemCounts: [Int]) throws { try checkStart(itemCounts) }
}
