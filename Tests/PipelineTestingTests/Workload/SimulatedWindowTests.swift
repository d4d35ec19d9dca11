import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing
@testable import PipelineTesting

/// The windows that readers of a run ask for, and where they are in what is shown.
@Suite("Windows of readers of a run", .endsHangs)
struct SimulatedWindowTests {
    private static let drawn: [(window: SimulatedWindow, asked: PublishedWindow)] =
        (0..<3000).map { (seed: UInt64) in
            var random = SeededGenerator(seed: seed)
            let version = seed.isMultiple(of: 2) ? nil : Self.version
            let window = SimulatedWindow(&random, at: version)
            return (window, window.window)
        }

    /// Each of them once.
    private static let kinds: [(window: SimulatedWindow, asked: PublishedWindow)] = {
        var known: Set<PublishedWindow> = []
        return drawn.filter { known.insert($0.asked).inserted }
    }()

    private static let version = PublishedVersion(handle: HistoryHandle(rawValue: 7), number: 3)

    /// Some items, to be shown in one order and another.
    private static let items: [SimulatedHub.Shown.Item] =
        HubScene([Array(0..<8)]).newest.sections[0]

    private static func shown(_ sections: [[Int]]) -> SimulatedHub.Shown {
        SimulatedHub.Shown(sections: sections.map { $0.map { items[$0] } }, isReload: false)
    }

    private static let lists = [
        [], [[]], [[], []], [[0]], [[], [1, 0]], [[0, 1, 2], [], [3, 4]],
        [[2, 5], [4, 3, 7], [0]],
        [[7, 6, 5, 4, 3, 2, 1, 0]], [[4], [], [], [0, 6]],
    ]

    private struct Place: Equatable {
        let place: WindowPlace
        let shape: HierarchyShape
    }

    private static func found(_ window: SimulatedWindow, in list: [[Int]]) -> Place? {
        window.place(in: shown(list)).map { Place(place: $0.0, shape: $0.shape) }
    }

    /// Where the hub says that some rows are, and what is in them.
    private static func expected(
        _ rows: RowWindow,
        of list: [[Int]]
    ) -> Place {
        let sections = list.map { items in
            PublishedContents.FreshSection(
                section: PublishedSection(number: 1, payload: nil),
                items: items.map { PublishedItem(number: UInt64($0) + 1, payload: nil) }
            )
        }
        let state = PublishedState(sections, shape: HierarchyShape(list.map(\.count)))
        let table = RowTable(state.shape)
        let range = rows.rows(of: table.numberOfRows)
        return Place(place: table.place(of: range), shape: state.part(range, table).shape)
    }

    /// In the order of rows; nil for a header.
    private static func rows(_ list: [[Int]]) -> [Int?] { list.flatMap { [nil] + $0 } }

    // MARK: What is drawn

    @Test func everyWindowIsDrawnAndNoOther() {
        var (rows, befores, afters, counts): (Set<Int>, Set<Int>, Set<Int>, Set<Int>) =
            ([], [], [], [])
        var (following, far) = (0, 0)
        for (index, drawn) in Self.drawn.enumerated() {
            let asked = drawn.asked
            switch asked.pin {
            case .place(let row):
                rows.insert(row)
                counts.insert(asked.count)
                #expect(asked.before == 0)
            case .row(let row, let version):
                rows.insert(row)
                befores.insert(asked.before)
                afters.insert(asked.count - asked.before - 1)
                following += 1
                if row > 9 { far += 1 }
                #expect(version == (index.isMultiple(of: 2) ? nil : Self.version))
            }
        }
        #expect(rows == Set(0..<10).union([.max - 1, .max]))
        #expect(befores == Set(0..<4))
        #expect(afters == Set(0..<6))
        #expect(counts == Set(0..<6))
        #expect((1400...1600).contains(following))
        // Rows that no list has are rare.
        #expect((40...120).contains(far))
    }

    // MARK: Where they are

    @Test func aWindowOfRowsIsWhereTheHubSays() {
        var elsewhere: [String] = []
        for (window, asked) in Self.kinds {
            guard case .place(let row) = asked.pin else { continue }
            let rows = RowWindow(pin: row, before: 0, count: asked.count, follows: false)
            // It follows nothing that could be lost.
            var lost = window
            lost.lose()
            for list in Self.lists {
                let expected = Self.expected(rows, of: list)
                if Self.found(window, in: list) != expected
                    || Self.found(lost, in: list) != expected
                {
                    elsewhere.append("\(asked) of \(list)")
                }
            }
        }
        #expect(elsewhere == [])
    }

    /// What it follows is what was in its row where it was found, whatever it is shown later.
    @Test func aWindowThatFollowsIsWhereItsItemIs() {
        var (elsewhere, count): ([String], Int) = ([], 0)
        for (index, drawn) in Self.kinds.enumerated() {
            let asked = drawn.asked
            guard case .row(let row, _) = asked.pin else { continue }
            let before = Self.lists[index % Self.lists.count]
            let rowsBefore = Self.rows(before)
            let item = rowsBefore.isEmpty ? nil : rowsBefore[min(row, rowsBefore.count - 1)]
            for list in Self.lists {
                var window = drawn.window
                window.find(in: nil)
                if Self.found(window, in: list) != nil { elsewhere.append("\(asked) before") }
                window.find(in: Self.shown(before))
                window.find(in: Self.shown(list))
                let rows = item.flatMap { Self.rows(list).firstIndex(of: $0) }.map {
                    RowWindow(pin: $0, before: asked.before, count: asked.count, follows: true)
                }
                let expected = rows.map { Self.expected($0, of: list) }
                if Self.found(window, in: list) != expected {
                    elsewhere.append("\(asked) of \(before), then \(list)")
                }
                if expected != nil { count += 1 }
            }
        }
        #expect(elsewhere == [])
        #expect(count > 500)
    }

    @Test func whatAWindowFollowsIsLostForEver() {
        let shown = Self.shown([Array(0..<8)])
        var count = 0
        for drawn in Self.kinds {
            guard case .row(let row, _) = drawn.asked.pin, row > 0 else { continue }
            var window = drawn.window
            window.lose()
            window.find(in: shown)
            #expect(window.place(in: shown) == nil)
            window = drawn.window
            window.find(in: shown)
            #expect(window.place(in: shown) != nil)
            window.lose()
            #expect(window.place(in: shown) == nil)
            count += 1
        }
        #expect(count > 100)
    }
}
