/// What an update changes in the rings of a state, see ``LinkSum``: runs of neighbours that leave their places, and
/// such that come to theirs.
///
/// Between both lies a state in which what stays stands side by side. A section that only moves takes its ring along.
@usableFromInline
struct DigestChanges {
    @usableFromInline var removedSections: [Range<Int>] = []
    @usableFromInline var insertedSections: [Range<Int>] = []
    /// The rings that end: of deleted and reloaded sections, by old index.
    @usableFromInline var endedSections: [Int] = []
    /// The rings that begin, by new index.
    @usableFromInline var freshSections: [Int] = []
    /// Of other sections.
    @usableFromInline var removedItems: [Run] = []
    @usableFromInline var insertedItems: [Run] = []

    @usableFromInline
    struct Run {
        @usableFromInline var section: Int
        @usableFromInline var items: Range<Int>
    }

    /// The sections whose items are looked at, by old index.
    @usableFromInline var oldSections: [Int] { endedSections + removedItems.map(\.section) }
    /// The same by new index.
    @usableFromInline var newSections: [Int] { freshSections + insertedItems.map(\.section) }

    @usableFromInline
    init(_ update: ValidatedChangeSet) {
        for edit in update.sectionRemovals.reversed() {
            Self.extend(&removedSections, edit.section)
            if edit.role != .move { endedSections.append(edit.section) }
        }
        for edit in update.sectionInsertions {
            Self.extend(&insertedSections, edit.section)
            if edit.role != .move { freshSections.append(edit.section) }
        }
        var oldPaths: [ItemPath] = update.itemRemovals.reversed().map(\.path)
        var newPaths: [ItemPath] = update.itemInsertions.map(\.path)
        if !update.reconfigurations.isEmpty {
            // What is updated in place has another revision, perhaps.
            oldPaths = (oldPaths + update.reconfigurations.map(\.oldPath)).sorted()
            newPaths = (newPaths + update.reconfigurations.map(\.newPath)).sorted()
        }
        removedItems = Self.runs(of: oldPaths, outside: endedSections)
        insertedItems = Self.runs(of: newPaths, outside: freshSections)
    }

    private static func extend(_ ranges: inout [Range<Int>], _ index: Int) {
        if let last = ranges.last, last.upperBound == index {
            ranges[ranges.count - 1] = last.lowerBound..<index + 1
        } else {
            ranges.append(index..<index + 1)
        }
    }

    /// The runs of neighbours among ascending paths, except in some ascending sections.
    private static func runs(of paths: [ItemPath], outside sections: [Int]) -> [Run] {
        var runs: [Run] = []
        var rest = sections[...]
        for path in paths {
            while let section = rest.first, section < path.section { rest.removeFirst() }
            if rest.first == path.section { continue }
            if let last = runs.last, last.section == path.section,
                last.items.upperBound >= path.item
            {
                // A moved item that is reconfigured is there twice.
                runs[runs.count - 1].items = last.items.lowerBound..<path.item + 1
            } else {
                runs.append(Run(section: path.section, items: path.item..<path.item + 1))
            }
        }
        return runs
    }
}
