import CollectionPublishing

/// A list at one time: sections with their headers, and rows.
struct ListState: Equatable, Sendable {
    typealias Rows = SectionedRows<String, ListRow>

    let headers: [ListHeader]
    let rows: Rows

    /// The state with these sections, in this order.
    init(_ sections: [(header: ListHeader, rows: [ListRow])] = []) {
        headers = sections.map(\.header)
        rows = Rows(sections.map { ($0.header.id, $0.rows) })
    }

    /// Returns the changes that lead from `old` to this state: a row that moves keeps its identity, a row that shows
    /// something else is changed in place, and a header that says something else is made again.
    ///
    /// Complexity: O(n).
    func changes(from old: ListState) throws(DifferenceError) -> HierarchyChangeSet {
        let update = try rows.changes(
            from: old.rows,
            options: DifferenceOptions(),
            isCancelled: { false }
        )
        var changes = HierarchyChangeSet(recording: update)
        let others = headers.indices.filter { section in
            update.oldSection(for: section).map { old.headers[$0] != headers[section] } ?? false
        }
        if !others.isEmpty {
            changes.reloadSupplementaries(ofKind: .header, in: SectionSet(others))
        }
        return changes
    }
}

/// A row of a list. Two rows are equal if they show the same.
struct ListRow: Identifiable, Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case process(ProcessRow)
        case card(String)
        case file(FileRow)
    }

    /// The application's name of the row, `data-id` on the page; unique in a list.
    let id: String
    let content: Content

    /// The row on a page, as bytes. A worker calls it when it measures the row.
    var payload: PublishedPayload {
        switch content {
        case .process(let process): PublishedPayload(process.html(id: id))
        case .card(let text):
            PublishedPayload(
                "<div class=\"row card\" data-id=\"\(id)\">\(HTML.span("text", text))</div>"
            )
        case .file(let file): PublishedPayload(file.html(id: id))
        }
    }
}

/// The header of a section: its title, and how much is in it.
struct ListHeader: Equatable, Sendable {
    /// The name of the list.
    let list: String
    /// The application's name of the section, `data-id` on the page; unique in a list.
    let id: String
    let title: String
    let count: Int
    /// The sum of all rows, if it means something.
    var total: String?

    /// The header on a page, as bytes. A worker calls it when it measures the header.
    var payload: PublishedPayload {
        let rows = "\(count) row\(count == 1 ? "" : "s")"
        let total = total.map { [HTML.span("total", $0)] } ?? []
        return PublishedPayload(
            """
            <div class="header \(list)" data-id="\(id)">\(HTML.span("title", title))\
            <span class="count" title="\(rows)">\(count)</span>\(total)</div>
            """
        )
    }
}

/// The data source of a list: a state, and nodes that are rendered rows. It lives on the controller's main lane.
final class ListSource: CollectionDataSource {
    var state = ListState()
    private var names: RowNames

    init(names: RowNames) { self.names = names }

    /// Returns a name that no row of the list had.
    func makeName() -> String {
        names.last += 1
        return "\(names.prefix)\(names.last)"
    }

    func numberOfSections() -> Int { state.headers.count }

    func numberOfItems(inSection section: Int) -> Int { state.rows.rows[section].count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let row = state.rows.rows[path.section][path.item]
        // A worker renders it, once for all readers.
        return { PayloadNode(row.payload) }
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] { [.header] }

    func supplementaryNodeProvider(
        ofKind kind: SupplementaryKind,
        at path: ItemPath
    ) -> NodeProvider {
        let header = state.headers[path.section]
        return { PayloadNode(header.payload) }
    }
}

/// The names of rows that are added.
struct RowNames: Sendable {
    /// A prefix that no other maker of the same list has.
    var prefix = "c"
    /// The number in the last name.
    var last = 0
}
