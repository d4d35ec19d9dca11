/// How the new arrays of an update are put together from the old ones, in pieces; what ``ValidatedChangeSet`` does
/// to any collections.
@usableFromInline
struct Arrangement {
    /// Ascending by new index.
    @usableFromInline let sections: [Section]

    /// The fresh items that come with sections, ascending by new path; asked for first.
    @usableFromInline let pathsInFreshSections: [ItemPath]

    /// The fresh items that come one by one, ascending by new path.
    @usableFromInline let pathsOneByOne: [ItemPath]

    @usableFromInline
    struct Section {
        /// The old section that is this one unchanged; negative where there are `pieces` instead.
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
        /// The next of `pathsInFreshSections`.
        case freshSection
        /// The next of `pathsOneByOne`.
        case oneByOne
    }

    init(_ update: ValidatedChangeSet) {
        var state = TracedState(at: update.isReloadData ? .empty : update.oldShape)
        if update.isReloadData {
            state.sections = update.newShape.itemCounts.map {
                TracedSection(freshItems: $0, replacing: nil, arrival: 0)
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
                    source = .freshSection
                    inSections += paths
                } else {
                    source = .oneByOne
                    oneByOne += paths
                }
                pieces.append(Piece(source: source, start: stretch.oldItem, count: stretch.count))
            }
            return Section(unchanged: -1, pieces: pieces, count: newItem)
        }
        (pathsInFreshSections, pathsOneByOne) = (inSections, oneByOne)
    }
}
