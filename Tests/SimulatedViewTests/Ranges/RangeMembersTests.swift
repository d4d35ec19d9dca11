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

    @Test func whatWasInNoRangeDoesNotLeaveAny() {
        let list = RangedList(2, hasRanges: false)
        var members = RangeMembers()
        let first = members.load(makeMembers(list, 0..<2), nil) { _ in Self.found([]) }
        #expect(first.isEmpty)
        #expect(members.load([], nil) { _ in Self.found([]) }.isEmpty)
    }

    /// Gives rows nodes of their own in place of those that they have.
    private func replaceNodes(_ list: RangedList, _ rows: Range<Int>) {
        list.update { source, changes in
            for row in rows { source.rows[row] = "row \(row)!" }
            changes.reconfigureItems(at: rows.map { ItemPath(0, $0) })
        }
    }

    @Test func nodesThatWereReplacedHearTheEndInTheOrderOfTheirPlaces() {
        let list = RangedList(3, hasRanges: false)
        let all = makeMembers(list, 0..<3)
        var members = RangeMembers()
        _ = members.load(all, nil) { _ in Self.found(.preload) }
        replaceNodes(list, 0..<2)
        #expect(
            text(members.load(all, nil) { _ in Self.found(.preload) }) == [
                "0 - 0: preload > preload, told none > preload",
                "0 - 1: preload > preload, told none > preload",
                "0 - 0: preload > preload, told preload > none",
                "0 - 1: preload > preload, told preload > none",
            ]
        )
    }

    /// Which may be another by then.
    @Test func whatComesBackIntoARangeIsToldThroughTheNodeThatItHasThen() throws {
        let list = RangedList(2, hasRanges: false)
        let all = makeMembers(list, 0..<1)
        let element = try #require(all.first?.element)
        var members = RangeMembers()
        _ = members.load(all, nil) { _ in Self.found(.preload) }
        _ = members.update { _ in Self.found([]) }
        let first = try #require(element.nodeIfAllocated)
        replaceNodes(list, 0..<1)
        let second = try #require(element.nodeIfAllocated)
        #expect(second !== first)
        let back = members.update { _ in Self.found(.preload) }
        #expect(back.count == 1 && back.first?.node === second)
    }

    /// Once, and not what stays near or has no node to be released.
    @Test func whatIsNotNearAnyMoreIsReturnedOnceWhereItsNodeIsToBeReleased() throws {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let view = SimulatedCollectionView(size: Size(width: 100, height: 60))
        var configuration = PipelineConfiguration()
        configuration.measuringPolicy = .onDemand(1)
        configuration.releasesNodes = true
        let rows = RangedRows((0..<300).map { "row \($0)" }) { RangedNode($0, Journal()) }
        let controller = DataController(
            dataSource: rows,
            view: view,
            in: simulation,
            configuration: configuration
        )
        controller.enqueueBatchUpdates { _, changes in
            changes.reloadData()
        } completion: { _ in
        }
        simulation.run()
        // So far away that nobody has made their nodes.
        let all = try (200..<203).map { row in
            let path = ItemPath(section: 0, item: row)
            let element = try #require(controller.visibleMap.element(at: path))
            return Member(element, at: .cell(path), frame: Self.row(row))
        }
        for member in all.prefix(2) { _ = try member.element.waitForNode() }
        #expect(all.map { $0.element.nodeIfAllocated != nil } == [true, true, false])
        var members = RangeMembers()
        _ = members.load(all, nil) { _ in Self.found([]) }
        _ = members.load([all[1]], nil) { _ in Self.found([]) }
        #expect(members.takeLeft().map(ObjectIdentifier.init) == [ObjectIdentifier(all[0].element)])
        #expect(members.takeLeft().isEmpty)
    }

    @Test func whereNodesStayNothingIsToBeReleased() {
        let list = RangedList(2, hasRanges: false)
        var members = RangeMembers()
        _ = members.load(makeMembers(list, 0..<2), nil) { _ in Self.found(.preload) }
        _ = members.load([], nil) { _ in Self.found([]) }
        #expect(members.takeLeft().isEmpty)
    }

    private final class MeasuringNothing: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { 0 }

        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { 0 }
    }
}
