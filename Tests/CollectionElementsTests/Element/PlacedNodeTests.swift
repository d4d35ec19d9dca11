import TestSupport
import Testing

@testable import CollectionElements

@Suite("Nodes, their elements and their interface states", .endsHangs)
struct PlacedNodeTests {
    /// Records the order of the calls.
    private final class NotingNode: PlacedNode {
        let calls = Journal<String>()
        private let place = Lock<ElementReference?>(nil)

        var element: CollectionElement? { place.withLock { $0 }?.element }

        func didAttach(to element: ElementReference) {
            place.withLock { $0 = element }
            calls.append("element")
        }

        func traitsDidChange(_ traits: Traits) { calls.append("traits") }

        func measure(in range: SizeRange) -> Size {
            calls.append("measure")
            return .zero
        }
    }

    /// Owns two maps that a test passes.
    private final class Owner: ElementOwner {
        let maps: (pending: ElementMap, visible: ElementMap)
        let layoutRequests = Journal<CollectionElement>()
        let measuringRequests = Journal<CollectionElement>()
        let relayouts = Journal<Void>()

        init(pending: ElementMap, visible: ElementMap) { maps = (pending, visible) }

        func setNeedsLayout(_ element: CollectionElement) { layoutRequests.append(element) }

        func setNeedsMeasuring(_ element: CollectionElement) { measuringRequests.append(element) }

        func setNeedsRelayout() { relayouts.append(()) }
    }

    private final class Keeper: MapReclaimer {
        private weak let kept: Owner?
        var owner: (any ElementOwner)? { kept }
        init(_ owner: Owner?) { kept = owner }
        func reclaim(_ release: @escaping @Sendable () -> Void) { release() }
    }

    private func makeElement(
        _ node: any CollectionNode,
        in elementEnvironment: ElementEnvironment = ElementEnvironment(Traits())
    ) -> CollectionElement {
        ProvidedElement(
            model: nil,
            provider: { node },
            configuration: ElementConfiguration(
                sizeRange: .unconstrained,
                elementEnvironment: elementEnvironment
            )
        )
    }

    @Test func aNodeReceivesItsElementOnceBeforeOtherCalls() async throws {
        let (first, second) = (NotingNode(), NotingNode())
        let (prepared, requested) = (makeElement(first), makeElement(second))
        _ = prepared.prepare(prepared.content)
        prepared.refreshTraits()
        #expect(first.calls.values == ["element", "traits", "measure"])
        #expect(first.element === prepared)
        #expect(try await requested.node === second)
        #expect(second.calls.values == ["element", "traits"] && second.element === requested)
    }

    @Test func aReplacementNodeReceivesItsElementToo() {
        let script = ElementScript("a")
        _ = script.element.prepare(script.contents[0])
        let node = NotingNode()
        let content = ElementContent(
            revising: script.element,
            model: "!",
            sizeRange: .unconstrained,
            provider: { node }
        )
        script.element.accept(content)
        _ = script.element.prepare(content)
        #expect(node.element === script.element)
        #expect(node.calls.values == ["element", "traits", "measure"])
    }

    @Test func anElementWithoutOwnerHasNoPlaceAndItsNodeDoesNotRetainIt() {
        let node = NotingNode()
        do {
            let element = makeElement(node)
            element.makeItsNode()
            #expect(element.dataSourcePlace == nil && element.viewPlace == nil)
            element.setNeedsLayout()
            element.setNeedsMeasuring()
            #expect(element.elementEnvironment.controller == nil && !element.content.isRequested)
        }
        #expect(node.element == nil && node.calls.values.first == "element")
    }

    @Test func placesComeFromTheOwnersMaps() throws {
        var maker = ElementMaker()
        let shown = try MapPicture().loaded([1, 3], &maker)
        // Inserts before the items that stay, so that no path is the same in both maps.
        let accepted = try shown.changed(to: [2, 1, 3], &maker) {
            $0.insertSections([0])
            $0.deleteItems(at: [ItemPath(1, 0)])
            $0.insertItems(at: [ItemPath(2, 0)])
        }
        let (old, new) = (shown.map.items.map(\.element), accepted.map.items.map(\.element))
        let inserted = accepted.sections[2].items[0].element
        let elementEnvironment = inserted.elementEnvironment
        var owner: Owner? = Owner(pending: accepted.map, visible: shown.map)
        elementEnvironment.owner = owner
        elementEnvironment.controller = owner
        for element in old + new {
            #expect(element.dataSourcePlace == accepted.elements[element])
            #expect(element.viewPlace == shown.elements[element])
        }
        inserted.setNeedsLayout()
        #expect(owner?.layoutRequests.values == [inserted])
        // A measured element sends no request.
        for _ in 0..<2 { inserted.setNeedsMeasuring() }
        #expect(owner?.measuringRequests.values == [inserted, inserted])
        _ = old[0].prepare(old[0].content)
        old[0].setNeedsMeasuring()
        #expect(owner?.measuringRequests.count == 2)
        #expect(elementEnvironment.controller === owner)
        // A map notifies the owner of its reclaimer; without a reclaimer it notifies nothing.
        let keeper = Keeper(owner)
        ElementMap.empty(generation: 0, reclaimer: keeper).setNeedsRelayout()
        shown.map.setNeedsRelayout()
        #expect(owner?.relayouts.count == 1)
        owner = nil
        #expect(elementEnvironment.owner == nil, "no reference retains it")
        #expect(elementEnvironment.controller == nil && old[1].dataSourcePlace == nil)
    }

    // MARK: Interface states

    private final class RangedNode: RangeManagedNode {
        let calls = Journal<String>()

        func measure(in range: SizeRange) -> Size { .zero }

        func didEnterPreloadState() { calls.append("+preload") }
        func didExitPreloadState() { calls.append("-preload") }
        func didEnterDisplayState() { calls.append("+display") }
        func didExitDisplayState() { calls.append("-display") }
        func didEnterVisibleState() { calls.append("+visible") }
        func didExitVisibleState() { calls.append("-visible") }

        func interfaceStateDidChange(
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) { calls.append("\(oldState) > \(newState)") }
    }

    private static let singles: [(InterfaceState, String)] = [
        (.preload, "preload"), (.display, "display"), (.visible, "visible"),
    ]

    /// Changes from each of the eight states to each.
    @Test func everyStateChangeIsReportedInOrder() {
        for old in (0..<8).map(InterfaceState.init(rawValue:)) {
            for new in (0..<8).map(InterfaceState.init(rawValue:)) {
                let node = RangedNode()
                node.interfaceStateChanges(to: new, from: old)
                let ended = Self.singles.reversed()
                    .filter { old.contains($0.0) && !new.contains($0.0) }.map { "-\($0.1)" }
                let begun = Self.singles
                    .filter { new.contains($0.0) && !old.contains($0.0) }.map { "+\($0.1)" }
                let whole = old == new ? [] : ["\(old) > \(new)"]
                #expect(node.calls.values == ended + begun + whole, "\(old) > \(new)")
            }
        }
    }
}

extension CollectionElement {
    /// Makes the node without retaining the element.
    fileprivate func makeItsNode() { _ = try? waitForNode() }
}
