import CollectionChanges

// Where views are in an update and what names them, by their places. The paths of other views than cells are those
// of their section.

extension ValidatedChangeSet {
    /// Where the view was that is at `newPlace` now, unless it came or replaced another.
    ///
    /// Complexity: O(log k).
    package func formerPlace(of newPlace: LayoutPlace) -> LayoutPlace? {
        let section = newPlace.path.section
        if newPlace.category == .cell { return formerPath(of: newPlace.path).map(LayoutPlace.cell) }
        guard reload(of: newPlace, inNewSection: section) == nil else { return nil }
        return formerSection(of: section).map(newPlace.inSection)
    }

    /// Where the view is that was at `oldPlace`, unless it went or was replaced.
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

    /// The option of what brings, replaces, moves or updates the view that is at `newPlace` now; of other
    /// views than cells that of their reload or of their section's edit. Nil where nothing names it.
    ///
    /// Complexity: O(log k).
    package func animation(ofNew newPlace: LayoutPlace) -> AnimationOption? {
        let section = newPlace.path.section
        if newPlace.category == .cell { return animation(ofNewItem: newPlace.path) }
        return reload(of: newPlace, inNewSection: section) ?? animation(ofNewSection: section)
    }

    /// The option of what removes, replaces, moves or updates the view that was at `oldPlace`.
    ///
    /// Complexity: O(log k).
    package func animation(ofOld oldPlace: LayoutPlace) -> AnimationOption? {
        let section = oldPlace.path.section
        if oldPlace.category == .cell { return animation(ofOldItem: oldPlace.path) }
        return newSection(for: section).flatMap { reload(of: oldPlace, inNewSection: $0) }
            ?? animation(ofOldSection: section)
    }

    /// Whether what names the view at `newPlace` has it come, move or change with no transition.
    ///
    /// Complexity: O(log k).
    package func isAtOnce(new newPlace: LayoutPlace) -> Bool {
        animation(ofNew: newPlace) == AnimationOption.none
    }

    /// Whether what names the view that was at `oldPlace` has it go, move or change with no transition.
    ///
    /// Complexity: O(log k).
    package func isAtOnce(old oldPlace: LayoutPlace) -> Bool {
        animation(ofOld: oldPlace) == AnimationOption.none
    }

    private func reload(of place: LayoutPlace, inNewSection section: Int) -> AnimationOption? {
        guard case .supplementary(let kind) = place.category else { return nil }
        return animation(ofReloaded: kind, inNewSection: section)
    }
}

extension LayoutPlace {
    /// The same place of another section.
    fileprivate func inSection(_ section: Int) -> LayoutPlace {
        LayoutPlace(category, ItemPath(section: section, item: path.item))
    }
}
