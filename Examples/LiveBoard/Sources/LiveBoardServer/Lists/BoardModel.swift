import CollectionPublishing

/// The board as a value: three columns of cards, and what an edit does to them.
struct BoardModel {
    private(set) var columns: [(id: String, title: String, cards: [ListRow])]

    /// How many cards there may be.
    static let limit = 10_000

    /// The board that a server begins with.
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

    /// The board that a list shows.
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

    /// Does what an edit says, all or nothing.
    ///
    /// - Parameter newID: the name of a card that is added.
    /// - Returns: the record of it, from what was there to what is, and the name of the card.
    mutating func apply(
        _ edit: BoardEdit,
        newID: @autoclosure () -> String
    ) throws(BoardFault) -> (changes: HierarchyChangeSet, id: String) {
        var changes = HierarchyChangeSet()
        switch edit {
        case .add(let section, let text, let before):
            guard count < Self.limit else { throw .full(Self.limit) }
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
            // Without the card itself, those behind it stand one nearer to the front.
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
