import CollectionPublishing

/// A change to the board that a client requests.
enum BoardEdit: Equatable, Sendable {
    case add(section: String, text: String, before: String?)
    case rename(id: String, text: String)
    case move(id: String, section: String, before: String?)
    case remove(id: String)

    static let maximumTextLength = 500
    /// The maximum number of bytes, because combining marks can make a character arbitrarily long.
    static let maximumTextBytes = 2000

    /// Returns `text` as one line without surrounding spaces, or `nil` if it is empty or too long.
    static func text(_ text: String) -> String? {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isFit =
            !text.isEmpty && text.utf8.count <= maximumTextBytes && text.count <= maximumTextLength
        return isFit ? text : nil
    }
}

extension BoardEdit: Decodable {
    private enum CodingKeys: String, CodingKey {
        case edit, id, section, text, before
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func word(_ key: CodingKeys) throws -> String {
            try container.decode(String.self, forKey: key)
        }
        func text() throws -> String {
            if let text = Self.text(try word(.text)) { return text }
            throw RequestFault.badValue(
                "text",
                "1 to \(Self.maximumTextLength) characters of at most \(Self.maximumTextBytes) bytes"
            )
        }
        let before = try container.decodeIfPresent(String.self, forKey: .before)
        switch try word(.edit) {
        case "add": self = .add(section: try word(.section), text: try text(), before: before)
        case "rename": self = .rename(id: try word(.id), text: try text())
        case "move":
            self = .move(id: try word(.id), section: try word(.section), before: before)
        case "remove": self = .remove(id: try word(.id))
        default: throw RequestFault.badValue("edit", "add, rename, move or remove")
        }
    }
}

/// A value that holds the board's columns of cards and applies edits to them.
struct BoardModel {
    private(set) var columns: [(id: String, title: String, cards: [ListRow])]

    /// The maximum number of cards.
    static let limit = 10_000

    /// The board of a new server.
    static let initial = BoardModel(columns: [
        (
            "todo", "To do",
            [
                "Show this board to a colleague", "Move a card in two browsers at once",
                "Kill the server",
            ]
        ),
        ("doing", "Doing", ["Read the example", "Watch a process change rank"]),
        ("done", "Done", ["Start the server"]),
    ])

    init(columns: [(id: String, title: String, cards: [ListRow])]) { self.columns = columns }

    init(columns: [(id: String, title: String, texts: [String])]) {
        var number = 0
        self.columns = columns.map { id, title, texts in
            let cards = texts.map { text in
                number += 1
                return ListRow(id: "c\(number)", content: .card(text))
            }
            return (id, title, cards)
        }
    }

    /// Creates the board that `state` shows.
    init(_ state: ListState) {
        columns = zip(state.sections, state.rows).map { ($0.id, $0.title, $1) }
    }

    var state: ListState {
        ListState(
            columns.map { column in
                let header = ListHeader(
                    list: "board",
                    id: column.id,
                    title: column.title,
                    count: column.cards.count
                )
                return (header, column.cards)
            }
        )
    }

    var count: Int { columns.reduce(0) { $0 + $1.cards.count } }

    /// Applies an edit completely, or throws an error and changes nothing.
    ///
    /// - Parameter newID: The name of an added card.
    /// - Returns: The name of the card.
    mutating func apply(
        _ edit: BoardEdit,
        newID: @autoclosure () -> String
    ) throws(RequestFault) -> String {
        switch edit {
        case .add(let section, let text, let before):
            guard count < Self.limit else { throw .full }
            let target = try place(in: section, before: before)
            let card = ListRow(id: newID(), content: .card(text))
            columns[target.section].cards.insert(card, at: target.item)
            return card.id
        case .rename(let id, let text):
            let path = try path(of: id)
            columns[path.section].cards[path.item] = ListRow(id: id, content: .card(text))
            return id
        case .move(let id, let section, let before):
            let source = try path(of: id)
            var target = before == id ? source : try place(in: section, before: before)
            // Removing the card moves the cards after it one place to the front.
            if target.section == source.section, target.item > source.item { target.item -= 1 }
            let card = columns[source.section].cards.remove(at: source.item)
            columns[target.section].cards.insert(card, at: target.item)
            return id
        case .remove(let id):
            let path = try path(of: id)
            columns[path.section].cards.remove(at: path.item)
            return id
        }
    }

    private func path(of id: String) throws(RequestFault) -> ItemPath {
        for (section, column) in columns.enumerated() {
            if let item = column.cards.firstIndex(where: { $0.id == id }) {
                return ItemPath(section: section, item: item)
            }
        }
        throw .gone("card", id)
    }

    private func place(in id: String, before: String?) throws(RequestFault) -> ItemPath {
        guard let section = columns.firstIndex(where: { $0.id == id }) else {
            throw .gone("column", id)
        }
        let cards = columns[section].cards
        guard let before else { return ItemPath(section: section, item: cards.count) }
        guard let item = cards.firstIndex(where: { $0.id == before }) else {
            throw .gone("card", before)
        }
        return ItemPath(section: section, item: item)
    }
}

// MARK: Reading a published board

extension BoardModel {
    /// The maximum number of bytes in a name. Servers make much shorter names.
    private static let longestID = 100

    /// Creates the board that rendered rows show, or returns `nil` if they have no column.
    ///
    /// The rows arrive through a broker. The board omits cards and columns that no server makes.
    init?(_ published: PublishedState) {
        var names: Set<String> = []
        func admit(_ parts: (id: String, text: String)?) -> Bool {
            guard let parts, (1...Self.longestID).contains(parts.id.utf8.count),
                BoardEdit.text(parts.text) == parts.text
            else { return false }
            return names.count < Self.limit && names.insert(parts.id).inserted
        }
        columns = (0..<published.numberOfSections).compactMap {
            section -> (id: String, title: String, cards: [ListRow])? in
            let header = Self.parts(of: published.section(at: section)?.payload, Self.header())
            guard let header, admit(header) else { return nil }
            let cards = published.items(inSection: section).compactMap { item -> ListRow? in
                let card = Self.parts(of: item.payload, Self.card())
                guard let card, admit(card) else { return nil }
                return ListRow(id: card.id, content: .card(card.text))
            }
            return (header.id, header.text, cards)
        }
        if columns.isEmpty { return nil }
    }

    private typealias Form = Regex<(Substring, Substring, Substring)>

    /// The pattern of a card that `ListRow.payload` renders.
    private static func card() -> Form {
        #/<div class="row card" data-id="([^"<>]*)"><span class="text">([^<>]*)</span></div>/#
    }

    /// The pattern of a column's header that `ListHeader.payload` renders.
    private static func header() -> Form {
        #/<div class="header board" data-id="([^"<>]*)"><span class="title">([^<>]*)</span><span .*/#
    }

    private static func parts(
        of payload: PublishedPayload?,
        _ form: Form
    ) -> (id: String, text: String)? {
        guard let bytes = payload?.bytes, let text = String(validating: bytes, as: UTF8.self),
            // By scalars, because a combining mark forms one character with a preceding bracket.
            let match = try? form.matchingSemantics(.unicodeScalar).wholeMatch(in: text)
        else { return nil }
        return (HTML.unescaped(match.1), HTML.unescaped(match.2))
    }
}
