import CollectionPublishing
import Testing

@testable import LiveBoardServer

struct MarkupTests {
    /// What a row may say that makes reading it back hard.
    private static let texts = [
        "plain", "a & b", "&amp;", "<b>\"x\"</b>", "it's", "</span></div>", "&#39;", "\u{301}first",
        "a\u{301}", ">\u{301}<\u{301}\"\u{301}&\u{301};", "日本語 🙂", "&lt", ";", "data-id=\"c9\"",
    ]

    /// The state as readers have it.
    private func published(_ state: ListState) async throws -> PublishedState {
        let surroundings = ListSurroundings(announcementInterval: .zero, heartbeat: nil)
        let list = LiveList(name: "test", title: "Test", surroundings: surroundings)
        try await list.show(state)
        defer { Task { await list.controller.close() } }
        return list.hub.snapshot.state
    }

    @Test func aBoardThatWasPublishedIsTheSameBoard() async throws {
        let columns = ["todo", "a\"b", "<c>"].enumerated().map { at, id in
            let cards = Self.texts.enumerated().map { number, text in
                ListRow(id: "c\(at)-\(number)<&>\"'", content: .card(text))
            }
            return (id: id, title: Self.texts[at + 1], cards: cards)
        }
        let board = BoardModel(columns: columns)
        let read = try #require(BoardModel(try await published(board.state)))
        #expect(read.state == board.state)
        let initial = BoardModel.initial.state
        #expect(BoardModel(try await published(initial))?.state == initial)
    }

    @Test func aSearchFindsTheSameInWhatWasPublished() async throws {
        let process = ProcessRow(
            name: "sh <x>",
            command: "/bin/sh -c \"a & b\"",
            user: "root",
            state: .running,
            cpuTenths: 31,
            megabytes: 4,
            threads: 2
        )
        let file = FileRow(kind: .regular, size: 7, modified: 0)
        let rows = [
            ListRow(id: "17", content: .process(process)),
            ListRow(id: "a/b & c.txt", content: .file(file)),
            ListRow(id: "c1", content: .card("one <two>")),
        ]
        let header = ListHeader(list: "x", id: "s", title: "S & T", count: 3, total: "7 B")
        let state = ListState([(header, rows)])
        let read = ListState(try await published(state))
        #expect(read.headers == state.headers)
        #expect(read.rows.rows[0].map(\.id) == rows.map(\.id))
        #expect(read.rows.rows[0].map(\.searched) == rows.map(\.searched))
        #expect(read.rows.rows[0].map(\.html) == rows.map(\.html))
    }

    @Test func everyPrefixAndEverySpoiledByteIsNoRowOrAnotherOne() throws {
        let row = ListRow(id: "c1", content: .card("a & \"b\""))
        let bytes = Array(row.html.utf8)
        for count in 0..<bytes.count { #expect(Markup.element(Array(bytes[..<count])) == nil) }
        let whole = try #require(Markup.element(bytes))
        for at in bytes.indices {
            var spoiled = bytes
            spoiled[at] = UInt8(ascii: bytes[at] == UInt8(ascii: "<") ? ">" : "<")
            #expect(Markup.element(spoiled) != whole)
            spoiled[at] = 0xff
            #expect(Markup.element(spoiled) == nil)
        }
    }

    @Test func nonsenseIsLeftOut() async throws {
        let long = String(repeating: "x", count: BoardEdit.longestText + 1)
        func card(_ id: String, _ text: String) -> String {
            ListRow(id: id, content: .card(text)).html
        }
        let rows = [
            card("c1", "stays"), "<script>", "", card("c1", "comes twice"), card("c2", ""),
            card("c3", long), card("c4", " spaces "), card("", "nameless"),
            card(long, "has a long name"), "<div class=\"row card\" data-id=\"c5\"><b>x</b></div>",
            "<div class=\"card\" data-id=\"c6\"><span class=\"text\">x</span></div>",
            "<div class=\"row card\"><span class=\"text\">x</span></div>",
        ]
        func contents(_ name: String, _ rows: [String]) -> [ListRow] {
            rows.enumerated().map { at, text in
                let payload = PublishedPayload(text)
                return ListRow(id: "\(name)\(at)", content: .published(payload, searched: ""))
            }
        }
        let header = ListHeader(list: "board", id: "todo", title: "To do", count: 1)
        let foreign = ListHeader(list: "files", id: "x", title: "X", count: 1)
        let state = try await published(
            ListState([(header, contents("a", rows)), (foreign, contents("b", [card("c7", "x")]))])
        )
        let board = BoardModel(state)
        #expect(board?.columns.map(\.id) == ["todo"])
        #expect(board?.columns[0].cards == [ListRow(id: "c1", content: .card("stays"))])
        #expect(BoardModel(PublishedState()) == nil)
    }

    @Test(arguments: [
        ("http://10.0.0.1:80", "10.0.0.1", 80), ("http://[::1]:8080", "::1", 8080),
        ("http://some-host.local:1", "some-host.local", 1),
    ])
    func addressesAreRead(text: String, host: String, port: Int) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(arguments: [
        "", "http://", "http://a", "http://:80", "https://a:80", "http://a:0", "http://a:65536",
        "http://a:80/x", "http://a b:80", "http://[a]:80", "http://::1:80", "http://a\r\nx:80",
        "http://u@a:80", "http://a:80x",
    ])
    func otherAddressesAreNot(text: String) { #expect(ServerAddress(text) == nil) }
}
