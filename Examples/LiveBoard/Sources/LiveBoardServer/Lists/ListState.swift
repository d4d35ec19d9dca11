import CollectionPublishing

/// A list at one time, whole: sections with their headers, and rows.
struct ListState: Equatable, Sendable {
    typealias Rows = SectionedRows<String, ListRow>

    let headers: [ListHeader]
    let rows: Rows

    /// The state with no sections.
    init() { self.init([]) }

    /// The state of these sections, in this order.
    init(_ sections: [(header: ListHeader, rows: [ListRow])]) {
        headers = sections.map(\.header)
        rows = Rows(sections.map { ($0.header.id, $0.rows) })
    }

    /// What is to be done so that `old` becomes this state: what moves keeps its identity, what shows something else is
    /// changed in place, and headers that say something else are made again.
    ///
    /// Complexity: O(n); to be called where it holds up nobody.
    func changes(from old: ListState) throws(DifferenceError) -> HierarchyChangeSet {
        let update = try rows.changes(
            from: old.rows,
            options: DifferenceOptions(),
            isCancelled: { false }
        )
        var changes = HierarchyChangeSet(recording: update)
        var others: [Int] = []
        for section in headers.indices {
            guard let oldSection = update.oldSection(for: section) else { continue }
            if old.headers[oldSection] != headers[section] { others.append(section) }
        }
        if !others.isEmpty {
            changes.reloadSupplementaries(ofKind: .header, in: SectionSet(others))
        }
        return changes
    }

    /// The rows that a search finds, in the sections that have some, with the counts of what is left.
    ///
    /// Complexity: O(n).
    func filtered(by query: SearchQuery) -> ListState {
        var sections: [(header: ListHeader, rows: [ListRow])] = []
        for (header, rows) in zip(headers, rows.rows) {
            let found = rows.filter { query.finds($0.searched) }
            guard !found.isEmpty else { continue }
            let header = ListHeader(
                list: header.list,
                id: header.id,
                title: header.title,
                count: found.count
            )
            sections.append((header, found))
        }
        return ListState(sections)
    }
}
