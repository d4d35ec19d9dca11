/// The parts of a layout that the next preparation lays out again. A layout that has not laid out
/// anything yet lays out everything regardless.
struct LayoutStaleness {
    /// Whether everything is stale, and preferred sizes are dropped.
    var everything = false
    /// Whether the view's counts may have changed, because of unknown changes or an update that
    /// follows.
    var counts = false
    /// Whether all sizes and metrics must be requested again; preferred sizes are kept.
    var metrics = false
    /// Whether everything must be placed again with the known sizes.
    var places = false
    /// The sections that are stale as a whole. These and all following indexes are those at the
    /// time of recording.
    var sections: Set<Int> = []
    /// The items whose sizes must be requested again, by section.
    var items: [Int: Set<Int>] = [:]
    /// The sections whose supplementary elements must be requested again, by kind.
    var supplements: [SupplementaryKind: Set<Int>] = [:]
    /// The sections whose decorations are invalid.
    var decorations: Set<Int> = []
    /// The error that made everything stale, if there was one.
    var mistake: LayoutError?

    /// Marks the elements that a context lists as stale.
    ///
    /// - Parameter places: Whether the layout places decorations.
    mutating func note(
        listedBy context: LayoutInvalidationContext,
        decorations places: Bool
    ) {
        for path in context.invalidatedItemIndexPaths {
            items[path.section, default: []].insert(path.item)
        }
        for (kind, paths) in context.invalidatedSupplementaryIndexPaths {
            supplements[kind, default: []].formUnion(paths.map(\.section))
        }
        guard places else { return }
        for paths in context.invalidatedDecorationIndexPaths.values {
            decorations.formUnion(paths.map(\.section))
        }
    }

    /// Removes the listed parts, because they are laid out.
    mutating func clearLists() {
        sections = []
        items = [:]
        supplements = [:]
        decorations = []
    }

    /// The sections with supplementary elements that must be requested again.
    var supplementedSections: Set<Int> { supplements.values.reduce(into: []) { $0.formUnion($1) } }

    /// The sections in which any part is to be laid out again.
    var touchedSections: Set<Int> {
        sections.union(items.keys).union(supplementedSections).union(decorations)
    }

    /// Moves the listed parts to their places after an update, and drops those that it deletes.
    mutating func follow(_ update: ValidatedChangeSet) {
        for (section, numbers) in exchange(&items, with: [:]) {
            for item in numbers {
                guard let path = update.newPath(for: ItemPath(section: section, item: item)) else {
                    continue
                }
                items[path.section, default: []].insert(path.item)
            }
        }
        func followed(_ sections: Set<Int>) -> Set<Int> {
            Set(sections.compactMap(update.newSection))
        }
        supplements = supplements.mapValues(followed)
        (sections, decorations) = (followed(sections), followed(decorations))
    }
}
