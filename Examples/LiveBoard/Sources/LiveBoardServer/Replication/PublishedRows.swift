import CollectionPublishing

// What a list shows as values again, from what is published of it. It came over a broker, so that what makes no sense is
// left out, and nothing of it is believed further than a page shows it anyway.

extension ListState {
    /// The state that a published one shows: rows stay the bytes that they are. What has no name, or one that was there
    /// before, is left out.
    ///
    /// Complexity: O(n); to be called where it holds up nobody.
    init(_ published: PublishedState) {
        var (names, sectionNames): (Set<String>, Set<String>) = ([], [])
        var sections: [(header: ListHeader, rows: [ListRow])] = []
        for section in 0..<published.numberOfSections {
            guard let header = ListHeader(published.section(at: section)?.payload),
                sectionNames.insert(header.id).inserted
            else { continue }
            let rows = published.items(inSection: section).compactMap { item in
                ListRow(item.payload).flatMap { names.insert($0.id).inserted ? $0 : nil }
            }
            sections.append((header, rows))
        }
        self.init(sections)
    }
}

extension ListHeader {
    /// The header of a payload.
    fileprivate init?(_ payload: PublishedPayload?) {
        guard let element = payload.flatMap({ Markup.element($0.bytes) }),
            element.classes.count == 2, element.classes[0] == "header",
            let id = element.attributes["data-id"], let title = element.span("title")?.text,
            let count = element.span("count").flatMap({ Int($0.text) })
        else { return nil }
        self.init(
            list: String(element.classes[1]),
            id: id,
            title: title,
            count: count,
            total: element.span("total")?.text
        )
    }
}

extension ListRow {
    /// The row of a payload.
    fileprivate init?(_ payload: PublishedPayload?) {
        guard let payload, let element = Markup.element(payload.bytes),
            element.classes.first == "row", let id = element.attributes["data-id"]
        else { return nil }
        let name = element.span("name")
        let parts = [name?.text, id, name?.attributes["title"]]
        let searched =
            switch element.classes.dropFirst().first {
            case "card": element.span("text")?.text ?? ""
            case "file": id
            default: parts.compactMap { $0 }.joined(separator: " ")
            }
        self.init(id: id, content: .published(payload, searched: searched))
    }
}

extension BoardModel {
    /// How long a card's name may be; those that are given are much shorter.
    private static let longestID = 100

    /// The board that is published; nil where none is.
    ///
    /// Cards and columns that could not have been made here are left out.
    init?(_ published: PublishedState) {
        let state = ListState(published)
        var left = Self.limit
        var columns: [(id: String, title: String, cards: [ListRow])] = []
        for (header, rows) in zip(state.headers, state.rows.rows) where header.list == "board" {
            guard (1...Self.longestID).contains(header.id.count) else { continue }
            let cards = rows.compactMap { row -> ListRow? in
                guard case .published(_, let text) = row.content, left > 0,
                    (1...Self.longestID).contains(row.id.count), BoardEdit.text(text) == text
                else { return nil }
                left -= 1
                return ListRow(id: row.id, content: .card(text))
            }
            columns.append((header.id, header.title, cards))
        }
        if columns.isEmpty { return nil }
        self.init(columns: columns)
    }
}
