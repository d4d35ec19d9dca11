import CollectionChanges

extension CommitPlan {
    /// Finds which sections go and come, and from that every new index.
    mutating func place(in sections: [RepositorySection]) {
        let destinations = destinations(in: sections)
        placeDepartures(in: sections, refilled: destinations.filter { !$0.isNew }.map(\.position))
        let editsWithDepartures = sectionEdits.count
        for destination in destinations {
            // The inserted sections so far are exactly those before this one.
            let newSection =
                destination.position - rank(of: destination.position, in: deletedSections)
                + insertedSections.count
            if destination.isNew {
                insertSection(at: newSection, with: destination.arrivals)
            } else {
                fillSection(
                    sections[destination.position].files,
                    oldSection: destination.position,
                    newSection: newSection,
                    with: destination.arrivals,
                    knownEdits: sectionEdits[..<editsWithDepartures]
                )
            }
        }
        for arrival in arrivals {
            if let oldPath = arrival.oldPath,
                let departure = departures.sortedIndex(of: oldPath, by: \.oldPath)
            {
                departures[departure].newPath = arrival.newPath
            }
        }
    }

    /// A directory that files come to.
    private struct Destination {
        /// Positions in `arrivals`.
        var arrivals: Range<Int>
        /// The old section that it is, or would stand before.
        var position: Int
        var isNew: Bool
    }

    private func destinations(in sections: [RepositorySection]) -> [Destination] {
        runs(of: arrivals, by: \.directory).map { range in
            let directory = arrivals[range.lowerBound].directory
            let position = sections.partitioningIndex { $0.path >= directory }
            let isNew = position == sections.count || sections[position].path != directory
            return Destination(arrivals: range, position: position, isNew: isNew)
        }
    }

    private mutating func placeDepartures(in sections: [RepositorySection], refilled: [Int]) {
        for range in runs(of: departures, by: { $0.oldPath.section }) {
            let section = departures[range.lowerBound].oldPath.section
            let isEmptied = range.count == sections[section].files.count
            if isEmptied, refilled.sortedIndex(of: section, by: \.self) == nil {
                deletedSections.append(section)
            } else {
                let removed = departures[range].map { $0.oldPath.item }
                sectionEdits.append(SectionEdit(oldSection: section, removed: removed))
            }
        }
    }

    private mutating func insertSection(at newSection: Int, with range: Range<Int>) {
        for (item, index) in range.enumerated() {
            arrivals[index].newPath = ItemPath(section: newSection, item: item)
        }
        let section = RepositorySection(
            path: arrivals[range.lowerBound].directory,
            files: arrivals[range].map(\.file)
        )
        insertedSections.append((newSection, section))
    }

    private mutating func fillSection(
        _ files: [RepositoryFile],
        oldSection: Int,
        newSection: Int,
        with range: Range<Int>,
        knownEdits: ArraySlice<SectionEdit>
    ) {
        let known = knownEdits.sortedIndex(of: oldSection, by: \.oldSection)
        var edit = known.map { knownEdits[$0] } ?? SectionEdit(oldSection: oldSection)
        for (arrivalsBefore, index) in range.enumerated() {
            let name = arrivals[index].file.name
            let filesBefore = files.partitioningIndex { $0.name >= name }
            let item = filesBefore - rank(of: filesBefore, in: edit.removed) + arrivalsBefore
            arrivals[index].newPath = ItemPath(section: newSection, item: item)
            edit.inserted.append((item, arrivals[index].file))
        }
        if let known { sectionEdits[known] = edit } else { sectionEdits.append(edit) }
    }

    /// The maximal ranges of neighbours of equal key.
    private func runs<Element, Key: Equatable>(
        of elements: [Element],
        by key: (Element) -> Key
    ) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for position in elements.indices
        where position + 1 == elements.count
            || key(elements[position + 1]) != key(elements[position])
        {
            runs.append(start..<(position + 1))
            start = position + 1
        }
        return runs
    }

    private func rank(of value: Int, in ascending: [Int]) -> Int {
        ascending.partitioningIndex { $0 >= value }
    }
}
