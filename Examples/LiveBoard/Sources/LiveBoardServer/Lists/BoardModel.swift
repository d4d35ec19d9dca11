import CollectionPublishing

/// A change to the board that a client requests.
enum BoardEdit: Equatable, Sendable {
    case add(section: String, text: String, before: String?)
    case rename(id: String, text: String)
    case move(id: String, section: String, before: String?)
    case remove(id: String)

    static let longestText = 500
    /// The maximum number of bytes. Some scripts need four for a character; a stack of marks on one has many more.
    static let largestText = 2000

    /// Returns the text of a card, which is one line without spaces around it; `nil` if it is empty or too long.
    static func text(_ text: String) -> String? {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isFit = !text.isEmpty && text.utf8.count <= largestText && text.count <= longestText
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
                "1 to \(Self.longestText) characters of at most \(Self.largestText) bytes"
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

/// The reason why an edit of the board was not made: others were faster, or the board is full.
struct BoardFault: Error, Equatable {
    let code: String
    let message: String

    static func gone(_ noun: String, _ id: String) -> BoardFault {
        BoardFault(code: "gone", message: "there is no \(noun) \(id.prefix(40)) any more")
    }

    static let full = BoardFault(
        code: "full",
        message: "the board must have at most \(BoardModel.limit) cards"
    )
}

/// The board as a value: columns of cards, and the effect of each edit on them.
struct BoardModel {
    private(set) var columns: [(id: String, title: String, cards: [ListRow])]

    /// The maximum number of cards.
    static let limit = 10_000

    /// The board of a server that starts.
    static let initial = BoardModel(columns: [
        (
            "todo", "To do",
            [
                "Show this board to someone", "Move a card in two browsers at once",
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

    /// The board that a state shows.
    init(_ state: ListState) {
        columns = zip(state.headers, state.rows.rows).map { ($0.id, $0.title, $1) }
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

    /// Makes an edit, whole or not at all.
    ///
    /// - Parameter newID: the name of a card that is added.
    /// - Returns: the changes that lead from the board before to the board after, and the name of the card.
    mutating func apply(
        _ edit: BoardEdit,
        newID: @autoclosure () -> String
    ) throws(BoardFault) -> (changes: HierarchyChangeSet, id: String) {
        var changes = HierarchyChangeSet()
        switch edit {
        case .add(let section, let text, let before):
            guard count < Self.limit else { throw .full }
            let target = try place(in: section, before: before)
            let id = newID()
            columns[target.section].cards.insert(
                ListRow(id: id, content: .card(text)),
                at: target.item
            )
            changes.insertItems(at: [target])
            changes.reloadHeaders([target.section])
            return (changes, id)
        case .rename(let id, let text):
            let path = try path(of: id)
            let card = ListRow(id: id, content: .card(text))
            if columns[path.section].cards[path.item] != card {
                columns[path.section].cards[path.item] = card
                changes.reconfigureItems(at: [path])
            }
            return (changes, id)
        case .move(let id, let section, let before):
            let source = try path(of: id)
            var target = before == id ? source : try place(in: section, before: before)
            // Without the card itself, the cards behind it are one place further to the front.
            if target.section == source.section, target.item > source.item { target.item -= 1 }
            guard target != source else { return (changes, id) }
            let card = columns[source.section].cards.remove(at: source.item)
            columns[target.section].cards.insert(card, at: target.item)
            changes.moveItem(at: source, to: target)
            if source.section != target.section {
                changes.reloadHeaders([source.section, target.section])
            }
            return (changes, id)
        case .remove(let id):
            let path = try path(of: id)
            columns[path.section].cards.remove(at: path.item)
            changes.deleteItems(at: [path])
            changes.reloadHeaders([path.section])
            return (changes, id)
        }
    }

    private func path(of id: String) throws(BoardFault) -> ItemPath {
        for (section, column) in columns.enumerated() {
            if let item = column.cards.firstIndex(where: { $0.id == id }) {
                return ItemPath(section: section, item: item)
            }
        }
        throw .gone("card", id)
    }

    private func place(in id: String, before: String?) throws(BoardFault) -> ItemPath {
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

extension HierarchyChangeSet {
    fileprivate mutating func reloadHeaders(_ newSections: [Int]) {
        reloadSupplementaries(ofKind: .header, in: SectionSet(newSections))
    }
}

// MARK: The board that another server has published

extension BoardModel {
    /// The maximum length of a name. The names that servers give are much shorter.
    private static let longestID = 100

    /// Reads the board back from its rendered rows; `nil` if there is none.
    ///
    /// The rows came over a broker. Cards and columns that could not have been made here are left out.
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

    /// The form of a card, as `ListRow.payload` writes it.
    private static func card() -> Form {
        #/<div class="row card" data-id="([^"<>]*)"><span class="text">([^<>]*)</span></div>/#
    }

    /// The form of a column's header, as `ListHeader.payload` writes it.
    private static func header() -> Form {
        #/<div class="header board" data-id="([^"<>]*)"><span class="title">([^<>]*)</span><span .*/#
    }

    private static func parts(
        of payload: PublishedPayload?,
        _ form: Form
    ) -> (id: String, text: String)? {
        guard let bytes = payload?.bytes, let text = String(validating: bytes, as: UTF8.self),
            // A mark that is composed with a bracket is a character of its own here.
            let match = try? form.matchingSemantics(.unicodeScalar).wholeMatch(in: text)
        else { return nil }
        return (HTML.unescaped(match.1), HTML.unescaped(match.2))
    }
}
