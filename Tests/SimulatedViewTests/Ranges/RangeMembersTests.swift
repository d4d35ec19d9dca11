import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import SimulatedView

@Suite("What is known of the elements around a viewport")
struct RangeMembersTests {
    private typealias Member = RangeMembers.Member

    private static func row(_ number: Int) -> Rect {
        Rect(x: 0, y: Double(number), width: 1, height: 1)
    }

    private static func found(
        _ state: InterfaceState,
        _ visibleRect: Rect? = nil
    ) -> RangeMembers.Finding {
        RangeMembers.Finding(state: state, visibleRect: visibleRect)
    }

    /// Elements of a map, each a row further.
    private func makeMembers(_ list: RangedList, _ rows: Range<Int>) -> [Member] {
        nonisolated(unsafe) var members: [Member] = []
        list.onMain { view, _ in
            members = rows.compactMap { row in
                let path = ItemPath(section: 0, item: row)
                return view.map.element(at: path).map {
                    Member($0, at: .cell(path), frame: Self.row(row))
                }
            }
        }
        return members
    }

    private func text(_ changes: [RangeMembers.Change]) -> [String] {
        changes.map { change in
            "\(change.place): \(change.states.old) > \(change.states.new)"
                + (change.node == nil ? "" : ", told \(change.told.old) > \(change.told.new)")
        }
    }

    @Test func whatIsTheSameIsNotToldAgainAndWhatIsGoneHasLeft() {
        let list = RangedList(6, hasRanges: false)
        let all = makeMembers(list, 0..<6)
        var members = RangeMembers()
        let loaded = members.load(Array(all[0..<3]), Self.row(0)) { _ in Self.found(.preload) }
        #expect(text(loaded).count == 3 && members.rect == Self.row(0))
        #expect(text(loaded).first == "0 - 0: none > preload, told none > preload")
        #expect(members.update { _ in Self.found(.preload) }.isEmpty)
        let later = members.load(Array(all[2..<4]), nil) { _ in Self.found(.preload) }
        #expect(
            text(later) == [
                "0 - 3: none > preload, told none > preload",
                "0 - 0: preload > none, told preload > none",
                "0 - 1: preload > none, told preload > none",
            ]
        )
        #expect(members.rect == nil)
        members.invalidate()
        #expect(members.all.map(\.place) == [.cell(ItemPath(0, 2)), .cell(ItemPath(0, 3))])
    }

    @Test func theMostUrgentComesFirst() {
        let list = RangedList(6, hasRanges: false)
        var members = RangeMembers()
        let states: [InterfaceState] = [
            .preload, .display, [.preload, .display, .visible], [], [.preload, .display],
            [.display, .visible],
        ]
        let changes = members.load(makeMembers(list, 0..<6), nil) {
            Self.found(states[$0.place.path.item])
        }
        #expect(changes.map(\.place.path.item) == [2, 5, 1, 4, 0])
    }

    @Test func aNodeThatIsMadeLateIsToldWhenItIsFound() throws {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let told = Journal<String>()
        let rows = RangedRows(["a"]) { RangedNode($0, told) }
        // With a delegate that measures nothing there is no node until somebody asks.
        let controller = DataController(
            dataSource: rows,
            lane: simulation.makeLane(label: "main"),
            environment: simulation.environment,
            layoutDelegate: MeasuringNothing()
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        let path = ItemPath(section: 0, item: 0)
        let element = try #require(controller.visibleMap.element(at: path))
        var members = RangeMembers()
        let member = Member(element, at: .cell(path), frame: Self.row(0))
        #expect(
            text(members.load([member], nil) { _ in Self.found(.preload) }) == [
                "0 - 0: none > preload"
            ]
        )
        #expect(members.update { _ in Self.found(.preload) }.isEmpty)
        _ = try element.waitForNode()
        let late = members.update { _ in Self.found(.preload) }
        #expect(text(late) == ["0 - 0: preload > preload, told none > preload"])
        let gone = members.update { _ in Self.found([]) }
        #expect(text(gone) == ["0 - 0: preload > none, told preload > none"])
    }

    @Test func anotherVisiblePartIsAChange() {
        let list = RangedList(2, hasRanges: false)
        var members = RangeMembers()
        let (whole, half) = (Self.row(0), Rect(x: 0, y: 0, width: 1, height: 0.5))
        func rects(_ changes: [RangeMembers.Change]) -> [[Rect?]] {
            changes.map { [$0.visibleRects.old, $0.visibleRects.new] }
        }
        let all = makeMembers(list, 0..<1)
        let first = members.load(all, nil) { _ in Self.found(.visible, whole) }
        #expect(rects(first) == [[nil, whole]])
        #expect(members.update { _ in Self.found(.visible, whole) }.isEmpty)
        let second = members.update { _ in Self.found(.visible, half) }
        #expect(rects(second) == [[whole, half]])
        #expect(text(second) == ["0 - 0: visible > visible, told visible > visible"])
        #expect(members.load(all, nil) { _ in Self.found(.visible, half) }.isEmpty)
        let gone = members.load([], nil) { _ in Self.found([]) }
        #expect(rects(gone) == [[half, nil]])
    }

    private final class MeasuringNothing: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { 0 }

        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { 0 }
    }
}
