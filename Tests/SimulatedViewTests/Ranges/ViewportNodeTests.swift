import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// A node that notes which part of it is in the viewport, and when.
final class SeenNode: ViewportNode, ReconfigurableNode {
    private let name: Lock<String>
    private let told: Journal<String>

    init(_ name: String, _ told: Journal<String>) {
        self.name = Lock(name)
        self.told = told
    }

    func measure(in range: SizeRange) -> Size {
        // What says how high it is.
        let height = name.withLock { $0.split(separator: "=").dropFirst().first }
        return Size(width: 100, height: height.flatMap { Double($0) } ?? 10)
    }

    func measure(_ model: String, in range: SizeRange) -> Size { measure(in: range) }

    /// What ends in an exclamation mark needs a node of its own.
    func accepts(_ model: String) -> Bool { !model.hasSuffix("!") }

    func update(to model: String) { name.withLock { $0 = model } }

    private func note(_ text: String) { told.append("\(name.withLock { $0 }) \(text)") }

    func didEnterVisibleState() { note("enters") }

    func didExitVisibleState() { note("leaves") }

    func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {
        func text(_ rect: Rect?) -> String {
            rect.map {
                "\(Int($0.minX)) \(Int($0.minY)) \(Int($0.size.width)) \(Int($0.size.height))"
            }
                ?? "nothing"
        }
        note("\(text(oldRect)) to \(text(newRect))")
    }

    func scrollingDidChange(_ event: ScrollingEvent) { note("\(event)") }
}

@Suite("Which part of a node is visible")
struct ViewportNodeTests {
    private let list = RangedList(9) { SeenNode($0, $1) }

    private let whole = "0 0 100 10"

    /// What was told since the last time.
    private func news() -> [String] {
        defer { list.told.removeAll() }
        return list.told.values
    }

    @Test func whatComesIsToldAfterTheStateAndOnce() {
        #expect(
            news() == (0..<3).flatMap { ["row \($0) enters", "row \($0) nothing to \(whole)"] }
        )
        list.onMain { view, _ in view.collectionViewLayout.invalidateLayout() }
        #expect(news() == [])
    }

    @Test func scrollingTellsThoseAtTheEdges() {
        _ = news()
        list.scroll(by: 4)
        #expect(
            news() == [
                "row 0 \(whole) to 0 4 100 6", "row 3 enters", "row 3 nothing to 0 0 100 4",
            ]
        )
        list.scroll(by: 7)
        #expect(
            news() == [
                "row 1 \(whole) to 0 1 100 9", "row 3 0 0 100 4 to \(whole)",
                "row 4 enters", "row 4 nothing to 0 0 100 1",
                "row 0 0 4 100 6 to nothing", "row 0 leaves",
            ]
        )
    }

    @Test func severalStepsBetweenTwoPassesAreOne() {
        _ = news()
        list.onMain { view, _ in
            for _ in 0..<4 { view.contentOffset.y += 1 }
        }
        #expect(news().first == "row 0 \(whole) to 0 4 100 6")
    }

    @Test func updatesAndResizesTellWhatTheyMove() {
        list.scroll(by: 4)
        _ = news()
        list.onMain { view, _ in view.resize(to: Size(width: 60, height: 12)) }
        #expect(
            news() == [
                "row 0 0 4 100 6 to 0 4 60 6", "row 1 \(whole) to 0 0 60 6",
                "row 2 \(whole) to nothing", "row 2 leaves",
                "row 3 0 0 100 4 to nothing", "row 3 leaves",
            ]
        )
        list.update { rows, changes in
            rows.rows.remove(at: 1)
            changes.deleteItems(at: [ItemPath(section: 0, item: 1)])
        }
        #expect(
            news() == [
                "row 2 enters", "row 2 nothing to 0 0 60 6",
                "row 1 0 0 60 6 to nothing", "row 1 leaves",
            ]
        )
    }

    @Test func aNodeInPlaceOfAnotherIsToldAndTheOtherToo() {
        _ = news()
        list.update { rows, changes in
            rows.rows[1] = "new!"
            changes.reconfigureItems(at: [ItemPath(section: 0, item: 1)])
        }
        let told = news()
        #expect(
            Set(told) == [
                "row 1 \(whole) to nothing", "row 1 leaves",
                "new! enters", "new! nothing to \(whole)",
            ]
        )
        #expect(
            told.firstIndex(of: "new! enters") ?? 9 < told.firstIndex {
                $0.hasSuffix("to \(whole)")
            } ?? 0
        )
    }

    /// Nobody sees it then.
    @Test func ofAViewThatIsNotSeenNothingIsVisible() {
        _ = news()
        list.onMain { _, ranges in ranges.isContainerVisible = false }
        #expect(
            news() == (0..<3).flatMap { ["row \($0) \(whole) to nothing", "row \($0) leaves"] }
        )
        list.onMain { _, ranges in ranges.isContainerVisible = true }
        #expect(news().count == 6)
    }

    @Test func theViewsLogHasIt() {
        list.onMain { view, _ in view.clearEventLog() }
        list.scroll(by: 4)
        nonisolated(unsafe) var log: [String] = []
        list.onMain { view, _ in log = view.eventLog.map(\.description) }
        let found = log.filter { $0.hasPrefix("visible") || $0.hasPrefix("state 0 - 3") }
        #expect(found.first == "visible 0 - 0: (0, 4) 100 × 6")
        #expect(!log.contains { $0.hasPrefix("state 0 - 0") }, "which it keeps")
        #expect(found.last == "visible 0 - 3: (0, 0) 100 × 4" && found.count == 3)
        list.scroll(by: 20)
        list.onMain { view, _ in log = view.eventLog.map(\.description) }
        #expect(log.contains("visible 0 - 0: nothing"))
    }

    @Test func theViewsLogHasWhichNodesWereToldOfAFinger() {
        nonisolated(unsafe) var places: [String] = []
        list.onMain { view, _ in
            view.clearEventLog()
            view.beginDragging()
        }
        list.onMain { view, _ in
            places = view.eventLog.compactMap {
                guard case .scrolling(.node(let place, .willBeginDragging)) = $0 else { return nil }
                return "\(place)"
            }
        }
        #expect(places == ["0 - 0", "0 - 1", "0 - 2"])
    }

    @Test func aPartIsWhatLiesWithinInCoordinatesOfItsOwn() {
        let bounds = Rect(x: 10, y: 20, width: 100, height: 50)
        func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
            Rect(x: x, y: y, width: width, height: height).part(in: bounds).description
        }
        #expect(part(30, 40, 20, 10) == "(0.0, 0.0) 20.0 × 10.0")
        #expect(part(4, 13, 20, 10) == "(6.0, 7.0) 14.0 × 3.0")
        #expect(part(95, 66, 20, 10) == "(0.0, 0.0) 15.0 × 4.0")
        #expect(part(0, 0, 300, 200) == "(10.0, 20.0) 100.0 × 50.0")
        #expect(part(120, 80, 5, 5) == "(0.0, 0.0) 0.0 × 0.0", "which nobody expects")
        #expect(part(30, 40, 0, 0.5) == "(0.0, 0.0) 0.0 × 0.5")
    }
}
