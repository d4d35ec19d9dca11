import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import PipelineTesting
@testable import SimulatedView

/// What nodes and cells of a run make of what their view tells them.
@Suite("Nodes and cells that are told") struct WatchedNodeRangeTests {
    private struct NoFates: WorkloadFates {
        func happens(_ fault: FaultPoint) -> Bool { false }
        func pause() {}
    }

    private let nodes = WatchedNodes(fates: NoFates())
    private let node: WatchedNode

    init() throws { node = try nodes.make(ModelItem(id: 3)) }

    /// What was reported, without what all reports begin with.
    private var found: [String] {
        let start = "Each State Once: \(ModelItem(id: 3)) "
        return nodes.reported.map(\.description).map {
            $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : "other: \($0)"
        }
    }

    // MARK: States

    private static let states:
        [(
            state: InterfaceState, begin: @Sendable (WatchedNode) -> Void,
            end: @Sendable (WatchedNode) -> Void
        )] = [
            (.preload, { $0.didEnterPreloadState() }, { $0.didExitPreloadState() }),
            (.display, { $0.didEnterDisplayState() }, { $0.didExitDisplayState() }),
            (.visible, { $0.didEnterVisibleState() }, { $0.didExitVisibleState() }),
        ]

    @Test func everyStateBeginsAndEndsByTurns() {
        var expected: [String] = []
        #expect(!node.wasInRange)
        for (state, begin, end) in Self.states {
            end(node)
            expected.append("left \(state), in which it was not")
            #expect(node.interfaceState == [] && found == expected)
            begin(node)
            #expect(node.interfaceState == state && found == expected)
            #expect(node.wasInRange)
            begin(node)
            expected.append("is told twice that it is in \(state)")
            #expect(node.interfaceState == state && found == expected)
            end(node)
            #expect(node.interfaceState == [] && found == expected)
        }
    }

    /// One state is enough, whichever it is, and it is remembered when it has ended.
    @Test func aNodeThatWasToldAnyStateWasInRange() throws {
        for (_, begin, end) in Self.states {
            let node = try nodes.make(ModelItem(id: 3))
            #expect(!node.wasInRange)
            begin(node)
            end(node)
            #expect(node.wasInRange)
        }
        #expect(found == [])
    }

    @Test func theWholeStateIsWhatTheSingleOnesGave() {
        node.didEnterPreloadState()
        node.interfaceStateDidChange(to: .preload, from: [])
        #expect(found == [])
        node.interfaceStateDidChange(to: [.preload, .display], from: .preload)
        #expect(found == ["is told preload, display after single states gave preload"])
        node.didExitPreloadState()
        node.interfaceStateDidChange(to: .preload, from: .preload)
        #expect(found.last == "is told preload after single states gave none")
        #expect(found.count == 2)
    }

    @Test func whatComesIntoRangeIsCountedUntilItLeaves() {
        nodes.noteInRange(4)
        var count = 4
        for (old, new, difference): (InterfaceState, InterfaceState, Int) in [
            ([], .preload, 1), (.preload, .display, 0), (.display, [], -1), ([], [], 0),
            ([], .visible, 1), ([], .visible, 1), (.visible, [], -1),
        ] {
            node.interfaceStateDidChange(to: new, from: old)
            count += difference
            #expect(nodes.numberInRange == count, "\(old) to \(new)")
        }
    }

    // MARK: Parts

    private func told(_ old: Rect?, _ new: Rect?, after known: Rect?) -> String {
        "is told \(old as Any) > \(new as Any) after \(known as Any)"
    }

    @Test func partsAreToldOneAfterTheOtherWhileTheNodeIsVisible() {
        let (one, other) = (
            Rect(x: 0, y: 0, width: 1, height: 2), Rect(x: 0, y: 1, width: 1, height: 1)
        )
        node.didEnterVisibleState()
        node.visibleRectDidChange(to: one, from: nil)
        #expect(node.visibleRect == one)
        node.visibleRectDidChange(to: other, from: one)
        #expect(node.visibleRect == other && found == [])
        node.visibleRectDidChange(to: nil, from: one)
        #expect(found == [told(one, nil, after: other)])
        #expect(node.visibleRect == nil)
        node.visibleRectDidChange(to: one, from: nil)
        node.visibleRectDidChange(to: one, from: one)
        #expect(found.count == 2)
        #expect(found.last == told(one, one, after: one))
        node.visibleRectDidChange(to: nil, from: one)
        #expect(found.count == 2)
        node.didExitVisibleState()
        node.visibleRectDidChange(to: one, from: nil)
        #expect(found.count == 3)
        #expect(found.last == "is told what part is visible while it is not")
    }

    @Test func whatIsNotVisibleIsToldOfNoScrolling() {
        for event in [ScrollingEvent.willBeginDragging, .didEndDragging, .didStop] {
            node.scrollingDidChange(event)
            #expect(found.last == "is told \(event) while it is not visible")
        }
        #expect(found.count == 3)
        node.didEnterVisibleState()
        node.visibleRectDidChange(to: .zero, from: nil)
        node.scrollingDidChange(.didStop)
        #expect(found.count == 3)
    }

    // MARK: Looks

    @Test func looksAreToldByTurns() {
        var expected: [String] = []
        func tell(_ isSelected: Bool?, _ isHighlighted: Bool?, _ report: String? = nil) {
            if let isSelected { node.selectionDidChange(to: isSelected) }
            if let isHighlighted { node.highlightDidChange(to: isHighlighted) }
            if let report { expected.append("is told twice that it is\(report)") }
            #expect(found == expected)
        }
        #expect(!node.isSelected && !node.isHighlighted)
        tell(false, nil, " not selected")
        tell(nil, false, " not highlighted")
        tell(true, nil)
        #expect(node.isSelected && !node.isHighlighted)
        tell(true, nil, " selected")
        tell(nil, true)
        #expect(node.isSelected && node.isHighlighted)
        tell(nil, true, " highlighted")
        tell(false, nil)
        #expect(!node.isSelected && node.isHighlighted)
        tell(nil, false)
        #expect(!node.isHighlighted)
    }

    // MARK: Cells

    private static func content(_ item: ModelItem?) -> ElementContent {
        let element = ProvidedElement(
            model: item,
            provider: nil,
            terms: ElementTerms(
                sizeRange: .unconstrained,
                surroundings: ElementSurroundings(Traits())
            )
        )
        return element.firstContent
    }

    /// By item, revision and wish, one to four; nothing else of what the layout has is other.
    @Test func aCellWantsAHeightThatItsItemAndItsWishGive() {
        let cell = SizingCell()
        #expect(cell.wish == 0)
        let attributes = LayoutAttributes(
            .cell(ItemPath(0, 1)),
            frame: Rect(x: 1, y: 2, width: 3, height: 9)
        )
        #expect(cell.preferredLayoutAttributesFitting(attributes) == attributes)
        cell.content = Self.content(nil)
        #expect(cell.preferredLayoutAttributesFitting(attributes) == attributes)
        for (id, revision, wish, height) in [
            (0, 0, 0, 1.0), (1, 0, 0, 4), (2, 0, 0, 3), (0, 1, 0, 2), (0, 0, 1, 2), (1, 1, 0, 1),
            (1, 2, 2, 4), (0, 3, 3, 3), (3, 0, 2, 4), (5, 1, 1, 2),
        ] {
            cell.content = Self.content(ModelItem(id: id, revision: revision))
            cell.wish = wish
            var expected = attributes
            expected.size.height = height
            #expect(
                cell.preferredLayoutAttributesFitting(attributes) == expected,
                "item \(id), revision \(revision), wish \(wish)"
            )
        }
        cell.prepareForReuse()
        #expect(cell.wish == 0)
    }
}
