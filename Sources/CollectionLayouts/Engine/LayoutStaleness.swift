/// What of a layout is to be laid out again at the next preparation. One that has laid out nothing yet lays out
/// everything regardless.
struct LayoutStaleness {
    /// Everything, and what views preferred is forgotten.
    var everything = false
    /// The view's counts may be others: nobody has said how, or it is about to be told edit by edit.
    var counts = false
    /// All sizes and metrics must be asked for again; what views preferred is kept.
    var metrics = false
    /// Everything must be placed again, of the sizes that are known.
    var places = false
    /// Whole sections, by their index when that was noted, as all that follows.
    var sections: Set<Int> = []
    /// Items whose sizes must be asked for again, by section.
    var items: [Int: Set<Int>] = [:]
    /// Sections of which supplementary elements must be asked for again.
    var supplements: [SupplementaryKind: Set<Int>] = [:]
    /// Sections of which decorations are no longer right.
    var decorations: Set<Int> = []
    /// What made all of it stale, where that was not as it should be.
    var mistake: LayoutError?

    /// Notes what a context lists.
    ///
    /// - Parameter places: whether the layout places decorations.
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

    /// Forgets what is listed: it is laid out.
    mutating func clearLists() {
        sections = []
        items = [:]
        supplements = [:]
        decorations = []
    }

    /// The sections with supplementary elements that must be asked for again.
    var supplementedSections: Set<Int> { supplements.values.reduce(into: []) { $0.formUnion($1) } }

    /// The sections in which something is to be laid out again.
    var touchedSections: Set<Int> {
        sections.union(items.keys).union(supplementedSections).union(decorations)
    }

    /// Takes what is listed along to where it is now; what went is no longer asked for.
    mutating func follow(_ update: ValidatedChangeSet) {
        let listed = items
        items = [:]
        for (section, numbers) in listed {
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
