import CollectionLayouts
import Testing

@testable import git_timelapse

@Suite struct RangeColumnTests {
    private func rect(_ top: Double, _ bottom: Double) -> Rect {
        Rect(x: 0, y: top, width: 5, height: bottom - top)
    }

    /// Around a viewport of ten rows, forty rows above it and below.
    private func column(
        _ contentHeight: Double = 1_000,
        display: (Double, Double) = (95, 120),
        preload: (Double, Double) = (85, 135),
        neighbours: [RangeColumn.Neighbour] = []
    ) -> RangeColumn {
        RangeColumn(
            bounds: rect(100, 110),
            display: rect(display.0, display.1),
            preload: rect(preload.0, preload.1),
            contentHeight: contentHeight,
            neighbours: neighbours
        )
    }

    private func texts(_ column: RangeColumn, _ rows: Int) -> [String] {
        column.rows(rows).map(\.text)
    }

    private func signs(_ column: RangeColumn, _ rows: Int) -> String {
        texts(column, rows).map { String($0.first!) }.joined()
    }

    @Test func everyStretchShowsTheNearestRangeThatItsMiddleIsIn() {
        #expect(RangeColumn.window(around: rect(100, 110)) == rect(60, 150))
        #expect(signs(column(), 18) == "     --=##==---   ")
        #expect(signs(column(display: (90, 115), preload: (75, 125)), 18) == "   ---==##=--     ")
        #expect(signs(column(display: (0, 0), preload: (100, 110)), 18) == "        ##        ")
        #expect(signs(column(display: (0, 0), preload: (100, 140)), 18) == "        ##------  ")
    }

    @Test func theViewportStandsInTheMiddleOfEveryColumn() {
        for rows in [1, 3, 5, 7, 9, 11, 20, 21, 50] {
            let signs = signs(column(), rows)
            #expect(signs.contains("#") && signs.count == rows, "\(rows)")
            let before = signs.prefix { $0 != "#" }.count
            let after = signs.reversed().prefix { $0 != "#" }.count
            #expect(before == after, "\(rows): \(signs)")
        }
        #expect(column().rows(0).isEmpty && column().rows(-1).isEmpty)
    }

    @Test func beyondTheEndsOfTheListThereIsNothing() {
        #expect(signs(column(123), 18) == "     --=##==-     ")
        let top = RangeColumn(
            bounds: rect(0, 10),
            display: rect(-5, 20),
            preload: rect(-15, 35),
            contentHeight: 25
        )
        #expect(signs(top, 18) == "        ##==-     ")
    }

    @Test func besideStandsWhichOfTheElementsThereHaveANode() {
        let nodes = [
            (60.0, 65.0, true), (65, 70, false), (70, 72, true), (72, 75, false), (80, 82, true),
            (82, 96, true),
        ]
        let column = column(
            neighbours: nodes.map { RangeColumn.Neighbour(top: $0.0, bottom: $0.1, hasNode: $0.2) }
        )
        let beside = texts(column, 18).map { String($0.last!) }.joined()
        #expect(beside == "o.: oooo          ")
    }

    @Test func everySignHasAnInkOfItsOwn() {
        let inks = Set(column().rows(18).map { $0.pieces[0] })
        #expect(
            inks == [
                .init(text: "#", ink: .visible), .init(text: "=", ink: .display),
                .init(text: "-", ink: .preload), .init(text: " ", ink: .plain),
            ]
        )
    }

    @Test func aRowWithAnotherBesideItIsPaddedOrCut() {
        let other = ScreenRow(("#", .visible), ("o", .strong))
        #expect(ScreenRow("ab").beside(other, at: 5).text == "ab   #o")
        #expect(ScreenRow("abcdef").beside(other, at: 5).text == "abc… #o")
        #expect(ScreenRow("漢字漢").beside(other, at: 7).text == "漢字漢 #o")
        #expect(ScreenRow("a\u{1B}").beside(other, at: 9).text == "a\\u{1b}  #o")
        #expect(ScreenRow("abcdef").beside(ScreenRow("  "), at: 5).text == "abc…")
        #expect(Array(ScreenRow("").beside(other, at: 3).pieces.suffix(2)) == other.pieces)
    }
}
