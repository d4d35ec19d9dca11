import CollectionPublishing

/// One row of a list: who it is, and what it shows. Two are equal where they show the same.
struct ListRow: Identifiable, Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case process(ProcessRow)
        case card(String)
        case file(FileRow)
        /// What another server has rendered, and what a search looks at in it.
        case published(PublishedPayload, searched: String)
    }

    /// The application's name of the row, `data-id` on the page; once in a list.
    let id: String
    let content: Content

    /// What a search looks at.
    var searched: String {
        switch content {
        case .process(let process): "\(process.name) \(id) \(process.command)"
        case .card(let text): text
        case .file: id
        case .published(_, let searched): searched
        }
    }

    /// The row on a page, as bytes. Called on a worker, when the row is measured.
    var payload: PublishedPayload {
        if case .published(let payload, _) = content { return payload }
        return PublishedPayload(html)
    }

    /// The row on a page.
    var html: String {
        switch content {
        case .process(let process): process.html(id: id)
        case .card(let text):
            "<div class=\"row card\" data-id=\"\(HTMLText.escaped(id))\">"
                + HTMLText.span("text", text) + "</div>"
        case .file(let file): file.html(id: id)
        case .published(let payload, _): String(decoding: payload.bytes, as: UTF8.self)
        }
    }
}

/// The header of a section: what the section is, and how much is in it.
struct ListHeader: Equatable, Sendable {
    let list: String
    /// The application's name of the section, `data-id` on the page; once in a list.
    let id: String
    let title: String
    let count: Int
    /// How much all rows are together, where that means something.
    var total: String?

    /// The header on a page. Called on a worker, when it is measured.
    var html: String {
        let total = total.map { HTMLText.span("total", $0) } ?? ""
        return "<div class=\"header \(list)\" data-id=\"\(HTMLText.escaped(id))\">"
            + HTMLText.span("title", title)
            + "<span class=\"count\" title=\"\(Units.counted(count, "row"))\">\(count)</span>"
            + total + "</div>"
    }
}
