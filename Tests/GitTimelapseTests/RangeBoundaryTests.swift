import CollectionLayouts
import Testing

@testable import git_timelapse

/// What is at the very edge of a range.
@Suite struct RangeBoundaryTests {
    private func rect(_ top: Double, _ bottom: Double) -> Rect {
        Rect(x: 0, y: top, width: 5, height: bottom - top)
    }

    /// Nine stretches of ten rows from 60 on, whose middles are at 65, 75 and so on, around a viewport in the fifth.
    private func signs(
        display: Rect,
        preload: Rect,
        contentHeight: Double = 1_000
    ) -> String {
        let column = RangeColumn(
            bounds: rect(100, 110),
            display: display,
            preload: preload,
            contentHeight: contentHeight
        )
        return column.rows(9).map { String($0.text.first ?? "?") }.joined()
    }

    @Test func aRangeHasItsFirstRowAndNotTheOneBehindItsLast() {
        #expect(signs(display: rect(95, 115), preload: rect(75, 135)) == " --=#--  ")
        #expect(signs(display: rect(94, 116), preload: rect(74, 136)) == " --=#=-- ")
        #expect(signs(display: rect(96, 114), preload: rect(76, 134)) == "  --#--  ")
        #expect(signs(display: rect(0, 0), preload: rect(105, 125)) == "    #-   ")
    }

    @Test func theListHasTheStretchesThatItReachesInto() {
        let all = rect(-100, 300)
        for (height, expected) in [
            (140.5, "====#===="), (140, "====#=== "), (130.5, "====#=== "), (130, "====#==  "),
            (60.5, "=        "), (60, "         "),
        ] {
            #expect(
                signs(display: all, preload: all, contentHeight: height) == expected,
                "\(height)"
            )
        }
    }
}
