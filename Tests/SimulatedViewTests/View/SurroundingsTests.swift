import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What lies around the content")
struct SurroundingsTests {
    private typealias Change = @Sendable (SimulatedCollectionView) -> Void

    private static let insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)

    private static let changes: [Change] = [
        { $0.contentInset = insets }, { $0.safeAreaInsets = insets },
        { $0.layoutMargins = insets }, { $0.isRightToLeft = true }, { $0.displayScale = 3 },
        { $0.contentInsetAdjustmentBehavior = .always },
    ]

    @Test(arguments: changes.indices)
    func aChangeInvalidatesTheLayoutOnceAndTheSameAgainDoesNot(_ index: Int) throws {
        let bench = try Bench([texts(3)])
        bench.load()
        Self.changes[index](bench.view)
        #expect(bench.log == ["invalidated all"])
        bench.clear()
        Self.changes[index](bench.view)
        #expect(bench.log == [])
        bench.settle()
        bench.check()
    }

    @Test func whatIsSetIsAnswered() throws {
        let view = try Bench([texts(3)]).view
        #expect(view.contentInset == .zero && view.safeAreaInsets == .zero)
        #expect(view.layoutMargins == .zero && !view.isRightToLeft && view.displayScale == 1)
        for change in Self.changes { change(view) }
        #expect(view.contentInset == Self.insets && view.safeAreaInsets == Self.insets)
        #expect(view.layoutMargins == Self.insets && view.isRightToLeft)
        #expect(view.displayScale == 3 && view.contentInsetAdjustmentBehavior == .always)
        for scale in [0.5, 1, 1.5, 2] {
            view.displayScale = scale
            #expect(view.displayScale == scale)
        }
        view.isRightToLeft = false
        #expect(!view.isRightToLeft)
        let none = Double.nan
        for insets in [
            EdgeInsets(top: none, left: 2, bottom: 3, right: 4),
            EdgeInsets(top: 1, left: none, bottom: 3, right: 4),
            EdgeInsets(top: 1, left: 2, bottom: .infinity, right: 4),
            EdgeInsets(top: 1, left: 2, bottom: 3, right: -.infinity),
        ] {
            func orNone(_ value: Double) -> Double { value.isFinite ? value : 0 }
            let expected = EdgeInsets(
                top: orNone(insets.top),
                left: orNone(insets.left),
                bottom: orNone(insets.bottom),
                right: orNone(insets.right)
            )
            view.layoutMargins = insets
            #expect(view.layoutMargins == expected)
        }
    }

    /// Whether the content is there yet, or comes again in the same pass.
    @Test func anInsetBeforeTheBeginningIsShownWithTheFirstLoadAndWithAReload() throws {
        let bench = try Bench([texts(30)])
        bench.view.contentInset.top = 7
        bench.load()
        #expect(bench.view.contentOffset.y == -7 && bench.rows.first == "7: 0")
        bench.view.safeAreaInsets.top = 4
        bench.source.sections = [texts(20)]
        bench.adapter.reloadData()
        bench.settle()
        #expect(bench.view.contentOffset.y == -11 && bench.rows.first == "11: 0")
        bench.check()
    }

    /// The first row that is wholly visible stays where it was when the inset above it changes.
    @Test func awayFromTheBeginningAnInsetMovesNothing() throws {
        let bench = try Bench([texts(30)])
        bench.load()
        bench.view.scroll(by: 105)
        bench.settle()
        bench.layout.rowHeight = 20
        bench.view.contentInset = EdgeInsets(top: 4, left: 0, bottom: 4, right: 0)
        bench.settle()
        #expect(bench.rows.first { $0.hasSuffix(": 11") } == "5: 11")
        bench.check()
    }
}
