import CollectionPublishing
import Foundation
import Testing

@testable import LiveBoardServer

/// The states of lists and their HTML.
@Suite(.timeLimit(.minutes(3)))
struct ListTests {
    // MARK: The board

    private func board(_ shape: [Int]) -> BoardModel {
        BoardModel(
            columns: shape.enumerated().map { column, count in
                ("s\(column)", "S", (0..<count).map { "text \($0)" })
            }
        )
    }

    private func edits(of board: BoardModel) -> [BoardEdit] {
        let cards = board.columns.flatMap { $0.cards.map(\.id) } + ["gone"]
        var edits: [BoardEdit] = []
        for section in ["s0", "s1", "gone"] {
            for before in cards + [nil] {
                edits.append(.add(section: section, text: "new", before: before))
                for card in cards {
                    edits.append(.move(id: card, section: section, before: before))
                }
            }
        }
        return edits + cards.flatMap { [.remove(id: $0), .rename(id: $0, text: "other")] }
    }

    /// Returns the expected names of the cards after an edit, or `nil` if the edit must fail.
    private func expected(_ edit: BoardEdit, _ board: BoardModel) -> [[String]]? {
        var columns = board.columns.map { $0.cards.map(\.id) }
        func place(_ section: String, _ before: String?) -> (column: Int, item: Int)? {
            guard let column = ["s0", "s1"].firstIndex(of: section) else { return nil }
            guard let before else { return (column, columns[column].count) }
            return columns[column].firstIndex(of: before).map { (column, $0) }
        }
        if edit.card != "new", !columns.joined().contains(edit.card) { return nil }
        switch edit {
        case .rename: return columns
        case .remove(let id): return columns.map { $0.filter { $0 != id } }
        case .move(let id, _, let before) where before == id: return columns
        case .add(let section, _, let before), .move(_, let section, let before):
            columns = columns.map { $0.filter { $0 != edit.card } }
            guard let (column, item) = place(section, before) else { return nil }
            columns[column].insert(edit.card, at: item)
            return columns
        }
    }

    /// Compares every edit of every small board with the same edit of arrays.
    @Test func everyEditMatchesAModel() throws {
        for shape in [[0, 0], [1, 0], [2, 1], [3, 2]] {
            let before = board(shape)
            for edit in edits(of: before) {
                var after = before
                guard let expected = expected(edit, before) else {
                    #expect(throws: RequestFault.self) { try after.apply(edit, newID: "new") }
                    #expect(after.state == before.state)
                    continue
                }
                #expect(try after.apply(edit, newID: "new") == edit.card)
                #expect(after.columns.map { $0.cards.map(\.id) } == expected, "\(edit)")
                for card in after.columns.flatMap(\.cards) where card.id != edit.card {
                    #expect(before.columns.contains { $0.cards.contains(card) })
                }
            }
        }
        var full = board([BoardModel.limit])
        #expect(throws: RequestFault.full) {
            try full.apply(.add(section: "s0", text: "x", before: nil), newID: "new")
        }
    }

    private struct Markup: Identifiable, Equatable {
        let id: Int
        let text: String
    }

    private func published(
        _ sections: [(header: String, rows: [String])]
    ) async throws -> PublishedState {
        var last = 0
        func markup(_ text: String) -> Markup {
            last += 1
            return Markup(id: last, text: text)
        }
        let list = LiveList(rows: Markup.self, sections: Markup.self) {
            HTML(markup: $0.text)
        } header: {
            HTML(markup: $0.text)
        }
        try await list.apply(
            SectionedRows(sections.map { (markup($0.header), $0.rows.map(markup)) })
        )
        let state = list.hub.snapshot.state
        await list.close()
        return state
    }

    private func text(_ payload: PublishedPayload) -> String {
        String(decoding: payload.bytes, as: UTF8.self)
    }

    /// The next leader reads the same board from the rendered rows, and omits foreign rows.
    @Test func aPublishedBoardIsReadBack() async throws {
        let texts = [
            "plain", "a & b", "&amp;", "<b>\"x\"</b>", "it's", "</span></div>", "&#39;",
            "\u{301}first", "a\u{301}", ">\u{301}<\u{301}\"\u{301}&\u{301};", "日本語 🙂", "&lt", ";",
            "data-id=\"c9\"",
        ]
        let columns = ["todo", "a\"b", "<c>"].enumerated().map { at, id in
            let cards = texts.enumerated().map { number, text in
                ListRow(id: "c\(at)-\(number)<&>\"'", content: .card(text))
            }
            return (id: id, title: texts[at + 1], cards: cards)
        }
        for board in [BoardModel(columns: columns), .initial] {
            let state = board.state
            let there = zip(state.sections, state.rows).map { header, rows in
                (header: text(header.payload), rows: rows.map { text($0.payload) })
            }
            #expect(BoardModel(try await published(there))?.state == state)
        }
        func card(_ id: String, _ text: String) -> String {
            self.text(ListRow(id: id, content: .card(text)).payload)
        }
        let long = String(repeating: "x", count: BoardEdit.maximumTextLength + 1)
        let rows = [
            card("c1", "stays"), "<script>", "", card("c1", "comes twice"), card("c2", ""),
            card("c3", long), card("c4", " spaces "), card("", "nameless"), card(long, "long name"),
            "<div class=\"row card\" data-id=\"c5\"><b>x</b></div>",
            "<div class=\"card\" data-id=\"c6\"><span class=\"text\">x</span></div>",
        ]
        let header = ListHeader(list: "board", id: "todo", title: "To do", count: 1)
        let foreign = ListHeader(list: "files", id: "x", title: "X", count: 1)
        let nonsense = try await published([
            (text(header.payload), rows), (text(foreign.payload), [card("c7", "x")]),
        ])
        let read = try #require(BoardModel(nonsense))
        #expect(read.columns.map(\.id) == ["todo"])
        #expect(read.columns[0].cards == [ListRow(id: "c1", content: .card("stays"))])
        #expect(BoardModel(PublishedState()) == nil)
    }

    // MARK: Processes

    /// A process may have any name.
    @Test func namesCannotBreakOutOfTheirElement() {
        func html(_ name: String) -> String {
            let row = ProcessRow(
                name: name,
                command: name,
                state: "running",
                megabytes: 1,
                threads: 1
            )
            return text(ListRow(id: name, content: .process(row)).payload)
        }
        let evil = html("\"><img src=x onerror=alert(1)>'<!--")
        for mark in ["<", ">", "\"", "'"] {
            #expect(evil.split(separator: mark).count == html("a").split(separator: mark).count)
        }
    }

    @Test func processesAreRankedByCPUUseSinceTheLastSample() throws {
        let line = "42 (a (b) c) R 1 42 42 0 -1 41 10 0 0 0 300 20 0 0 20 0 7 0 9000 12345 250 0"
        let read = try #require(
            ProcessSample(
                stat: Array(line.utf8),
                command: Array("/bin/a\0-x\0".utf8),
                user: "root",
                pageSize: 4096
            )
        )
        #expect(read.id == 42 && read.row.name == "a (b) c" && read.row.command == "/bin/a -x")
        #expect(read.ticks == 320 && read.row.threads == 7 && read.start == 9000)
        #expect(read.row.megabytes == 1 && read.row.state == "running")
        // Truncated and changed text never traps.
        for count in line.utf8.indices {
            let cut = Array(line.utf8[..<count])
            _ = ProcessSample(stat: cut, command: cut, user: "", pageSize: .max)
            _ = ProcessSample(stat: cut + [0xff], command: [], user: "", pageSize: .max)
        }

        func sample(_ id: Int, _ ticks: UInt64, start: UInt64 = 1, user: String = "u")
            -> ProcessSample
        {
            ProcessSample(id: id, start: start, user: user, ticks: ticks, row: read.row)
        }
        var sampler = ProcessSampler()
        let first = [sample(1, 1000), sample(2, 0), sample(3, 7)]
        _ = sampler.rank(first, seconds: 0, ticksPerSecond: 100)
        // Process 3 reuses a number and process 4 is new, so their recent CPU use is unknown.
        let second = [
            sample(1, 1010), sample(2, 50), sample(3, 900, start: 2), sample(4, 5000),
            sample(5, 1, user: "a"),
        ]
        let state = sampler.rank(second, seconds: 2, ticksPerSecond: 100)
        #expect(state.sections.map(\.id) == ["a", "u"])
        #expect(state.rows[1].map(\.id) == ["2", "1", "3", "4"])
        #expect(state.sections[1].total == "30.0 %" && state.sections[1].count == 4)
        let own = try #require(try sampler.sample().first { $0.id == getpid() })
        #expect(own.row.threads >= 1 && own.row.megabytes > 0 && !own.row.command.isEmpty)
    }

    /// A list closes without waiting for a slow sample.
    @Test func aCancelledTaskDoesNotWaitForBlockingWork() async throws {
        let work = BlockingWork(0)
        let (begun, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let task = Task {
            try await work.run { _ in
                begun.continuation.yield()
                release.wait()
            }
        }
        _ = await begun.stream.first { _ in true }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        release.signal()
        #expect(try await work.run { $0 } == 0)
    }

    // MARK: Files

    @Test func filesAreInTheOrderOfTheirPaths() throws {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("live-board-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for path in ["b/x", "a/z/1", "a/y", "top", "a.b/q", "Z"] {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(count: path.utf8.count).write(to: file)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/loop",
            withDestinationPath: "."
        )
        let state = try FileScanner(root: root.path).state()
        #expect(state.sections.map(\.id) == [".", "a", "a.b", "a/z", "b"])
        #expect(
            state.rows.map { $0.map(\.id) } == [
                ["Z", "loop", "top"], ["a/y"], ["a.b/q"], ["a/z/1"], ["b/x"],
            ]
        )
        #expect(text(state.rows[0][1].payload).contains("file link"))
        #expect(text(state.rows[3][0].payload).contains(">1</span>"))
        let some = try FileScanner(root: root.path, limit: 3).state()
        #expect(some.rows.joined().count <= 3)
        #expect(throws: SystemFiles.Fault.self) { try FileScanner(root: "/nowhere").state() }
        let time = FileRow(kind: .regular, size: 0, modified: 1_764_072_007).html(id: "a")
        #expect(time.markup.contains("\"2025-11-25T12:00:07Z\">2025-11-25 12:00</time>"))
        for (count, text) in [
            (0, "0 B"), (-5, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_949, "9.9 kB"),
            (9_950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (.max, "9223 PB"),
        ] {
            #expect(FileRow.bytes(count) == text)
        }
    }
}

extension BoardEdit {
    /// The name of the card that the edit concerns; "new" for an added one.
    fileprivate var card: String {
        switch self {
        case .add: "new"
        case .rename(let id, _), .move(let id, _, _), .remove(let id): id
        }
    }
}
