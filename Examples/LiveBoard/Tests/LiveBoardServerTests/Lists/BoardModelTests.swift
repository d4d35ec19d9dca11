import CollectionPublishing
import Testing

@testable import LiveBoardServer

/// Every edit of every small board, against arrays.
struct BoardModelTests {
    private let shapes: [[Int]] = [[0, 0], [1, 0], [2, 1], [3, 2]]

    private func board(_ shape: [Int]) -> BoardModel {
        BoardModel(
            columns: shape.enumerated().map { column, count in
                ("s\(column)", "S", (0..<count).map { "text \($0)" })
            }
        )
    }

    private func edits(of board: BoardModel) -> [BoardEdit] {
        let cards = board.columns.flatMap { $0.cards.map(\.id) } + ["gone"]
        let places = cards + [nil]
        var edits: [BoardEdit] = []
        for section in ["s0", "s1", "gone"] {
            for before in places {
                edits.append(.add(section: section, text: "new", before: before))
                for card in cards {
                    edits.append(.move(id: card, section: section, before: before))
                }
            }
        }
        for card in cards {
            edits.append(.remove(id: card))
            edits.append(.rename(id: card, text: "other"))
        }
        return edits
    }

    /// What an edit means, said another way: by names.
    private func expected(_ edit: BoardEdit, _ board: BoardModel) -> [[String]]? {
        var columns = board.columns.map { $0.cards.map(\.id) }
        func column(_ id: String) -> Int? { board.columns.firstIndex { $0.id == id } }
        func insert(_ id: String, _ section: String, _ before: String?) -> Bool {
            guard let column = column(section) else { return false }
            guard let before else {
                columns[column].append(id)
                return true
            }
            guard let place = columns[column].firstIndex(of: before) else { return false }
            columns[column].insert(id, at: place)
            return true
        }
        func remove(_ id: String) -> Bool {
            guard columns.contains(where: { $0.contains(id) }) else { return false }
            for index in columns.indices { columns[index].removeAll { $0 == id } }
            return true
        }
        switch edit {
        case .add(let section, _, let before):
            guard insert("new", section, before) else { return nil }
        case .rename(let id, _):
            guard columns.contains(where: { $0.contains(id) }) else { return nil }
        case .move(let id, let section, let before):
            guard columns.contains(where: { $0.contains(id) }) else { return nil }
            if before == id { return columns }
            guard remove(id), insert(id, section, before) else { return nil }
        case .remove(let id):
            guard remove(id) else { return nil }
        }
        return columns
    }

    @Test func everyEditDoesWhatItSaysAndItsRecordLeadsThere() throws {
        for shape in shapes {
            let before = board(shape)
            for edit in edits(of: before) {
                var after = before
                guard let expected = expected(edit, before) else {
                    #expect(throws: BoardFault.self) { try after.apply(edit, newID: "new") }
                    #expect(after.state == before.state)
                    continue
                }
                let made = try after.apply(edit, newID: "new")
                #expect(after.columns.map { $0.cards.map(\.id) } == expected, "\(edit)")
                // The record leads from the one shape to the other, and moves what it says.
                let update = try made.changes.validated(
                    from: HierarchyShape(before.columns.map(\.cards.count)),
                    to: HierarchyShape(after.columns.map(\.cards.count))
                )
                for (section, column) in after.columns.enumerated() {
                    for (item, card) in column.cards.enumerated() where card.id != made.id {
                        let old = update.oldPath(for: ItemPath(section: section, item: item))
                        let path = try #require(old, "\(edit)")
                        #expect(before.columns[path.section].cards[path.item].id == card.id)
                    }
                }
            }
        }
    }

    @Test func aFullBoardTakesNoMore() {
        var model = board([BoardModel.limit])
        #expect(throws: BoardFault.full(BoardModel.limit)) {
            try model.apply(.add(section: "s0", text: "x", before: nil), newID: "new")
        }
    }

    @Test func textsAreOneLine() {
        #expect(BoardEdit.text("  a\n\tb  ") == "a b")
        #expect(BoardEdit.text(" \n") == nil)
        #expect(BoardEdit.text(String(repeating: "x", count: 501)) == nil)
    }
}
