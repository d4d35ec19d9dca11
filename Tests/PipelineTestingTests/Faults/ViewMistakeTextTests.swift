import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import PipelineTesting

/// What a person reads of a mistake, and when a view is looked at for it.
@Suite("What is said of a view's mistakes", .endsHangs)
struct ViewMistakeTextTests {
    private static func text(_ shown: String, _ expected: String) -> (String, String) {
        let text = TextDifference.text(shown, expected)
        let parts = text.dropFirst("the view shows ".count).split(separator: " in place of ")
        #expect(text.hasPrefix("the view shows ") && parts.count == 2, "\(text)")
        return (String(parts.first ?? ""), String(parts.last ?? ""))
    }

    /// Two texts of these lengths with so many equal characters at their start.
    private static func pair(_ shown: Int, _ expected: Int, _ common: Int) -> (String, String) {
        let start = (0..<common).map { String($0 % 10) }.joined()
        return (
            start + String(repeating: "a", count: shown - common),
            start + String(repeating: "b", count: expected - common)
        )
    }

    @Test func textsOfUpToTwoLinesAreGivenWhole() {
        for (shown, expected, common) in [(1, 1, 0), (120, 120, 119), (120, 120, 60), (120, 3, 2)] {
            let pair = Self.pair(shown, expected, common)
            #expect(Self.text(pair.0, pair.1) == pair)
        }
    }

    /// Where one is longer, both are cut to begin 40 characters before they differ.
    @Test func longerTextsAreCutToWhereTheyDiffer() {
        for (shown, expected) in [(121, 120), (120, 121), (200, 200), (1000, 110)] {
            for common in [41, 60, 100, 109] {
                let pair = Self.pair(shown, expected, common)
                func cut(_ text: String) -> String {
                    let rest = text.dropFirst(common - 40)
                    return "…" + rest.prefix(120) + (rest.count > 120 ? "…" : "")
                }
                #expect(Self.text(pair.0, pair.1) == (cut(pair.0), cut(pair.1)))
            }
        }
    }

    @Test func aStartThatIsNotCutIsNotMarkedSo() {
        for common in [0, 1, 39, 40] {
            let pair = Self.pair(121, 120, common)
            let text = Self.text(pair.0, pair.1)
            #expect(text == (String(pair.0.prefix(120)) + "…", pair.1), "\(common)")
        }
    }

    @Test func aFailureSaysWhetherItsRatesAreNeeded() {
        for hasOwnRates in [true, false] {
            let failure = SeedFailure(
                seed: 7,
                choices: [1, 2],
                underlyingError: TestFailure("wrong"),
                isRepeated: true,
                hasOwnRates: hasOwnRates,
                timeline: Timeline([], laneLabels: [])
            )
            let text = "\(failure)"
            #expect(text.contains("Again: Simulation.forEachSeed([7]), or by the 2 choices"))
            #expect(text.contains("; with the same faultRates\n") == hasOwnRates)
        }
    }

    // MARK: When a view is looked at

    /// Shows updates in their order; what is wrong with it is when.
    private final class OddView: CollectionView, @unchecked Sendable {  // one thread
        enum Oddity { case waitsForWhatIsEmpty, clearsAtTheEnd }

        private let oddity: Oddity?
        private(set) var texts: [[String]] = []
        private var waiting: [ViewUpdate] = []
        private var lane: (any Lane)?

        init(_ oddity: Oddity?) { self.oddity = oddity }

        func attach(to lane: any Lane) { self.lane = lane }
        var elementSizeRange: SizeRange { .width(40) }
        var firstVisiblePath: ItemPath? { nil }

        func perform(_ update: ViewUpdate) {
            waiting.append(update)
            if oddity == .waitsForWhatIsEmpty, !update.changeSet.isEmpty { return }
            lane?.enqueue { [weak self] in self?.turn() }
        }

        private func turn() {
            for update in waiting {
                if update.deploy({ texts = ListView.texts(of: $0.newMap) }) { update.finish() }
            }
            waiting = []
        }

        func controllerDidClose() {
            waiting = []
            if oddity == .clearsAtTheEnd { texts = [] }
        }
    }

    private static func mistake(of oddity: OddView.Oddity?) -> ViewMistake.Code? {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let list = OddView(oddity)
        let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.texts) {
            list.texts
        }
        let models = ModelList([["a", "b"]])
        let controller = DataController(dataSource: models, view: view, in: simulation)
        controller.enqueueBatchUpdates { list, changes in
            list[0].insert("c", at: 0)
            changes.insertItems(at: [ItemPath(0, 0)])
        } completion: { _ in
        }
        do throws(ViewMistake) {
            try simulation.settle(controller, view)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aViewIsLookedAtBeforeTheLastUpdateAndAfterTheClose() {
        #expect(Self.mistake(of: nil) == nil)
        #expect(Self.mistake(of: .waitsForWhatIsEmpty) == .neverDeployed)
        #expect(Self.mistake(of: .clearsAtTheEnd) == .changedOutsideDeploy)
    }
}
