import TestSupport
import Testing

@testable import CollectionElements

@Suite("What a node knows of its element and its state", .endsHangs)
struct PlacedNodeTests {
    /// Notes the order in which it hears what.
    private final class NotingNode: PlacedNode {
        let heard = Journal<String>()
        private let place = Lock<ElementReference?>(nil)

        var element: CollectionElement? { place.withLock { $0 }?.element }

        func willShow(_ element: ElementReference) {
            place.withLock { $0 = element }
            heard.append("element")
        }

        func traitsDidChange(_ traits: Traits) { heard.append("traits") }

        func measure(in range: SizeRange) -> Size {
            heard.append("measure")
            return .zero
        }
    }

    /// Keeps two maps that a test gives it.
    private final class Owner: ElementOwner {
        let maps: (pending: ElementMap, visible: ElementMap)
        let asked = Journal<CollectionElement>()
        let wanted = Journal<CollectionElement>()
        let relayouts = Journal<Void>()

        init(pending: ElementMap, visible: ElementMap) { maps = (pending, visible) }

        func setNeedsLayout(_ element: CollectionElement) { asked.append(element) }

        func setNeedsMeasuring(_ element: CollectionElement) { wanted.append(element) }

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
        in surroundings: ElementSurroundings = ElementSurroundings(Traits())
    ) -> CollectionElement {
        ProvidedElement(
            model: nil,
            provider: { node },
            terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
        )
    }

    @Test func aNodeIsToldItsElementOnceBeforeAllElse() async throws {
        let (first, second) = (NotingNode(), NotingNode())
        let (prepared, asked) = (makeElement(first), makeElement(second))
        _ = prepared.prepare(prepared.content)
        prepared.refreshTraits()
        #expect(first.heard.values == ["element", "traits", "measure"])
        #expect(first.element === prepared)
        #expect(try await asked.node === second)
        #expect(second.heard.values == ["element", "traits"] && second.element === asked)
    }

    @Test func aNodeThatTakesAnothersPlaceIsToldToo() {
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
        #expect(node.heard.values == ["element", "traits", "measure"])
    }

    @Test func anElementOfNobodyIsNowhereAndItsNodeDoesNotKeepIt() {
        let node = NotingNode()
        do {
            let element = makeElement(node)
            element.makeItsNode()
            #expect(element.dataSourcePlace == nil && element.viewPlace == nil)
            element.setNeedsLayout()
            element.setNeedsMeasuring()
            #expect(element.surroundings.controller == nil && !element.content.isAsked)
        }
        #expect(node.element == nil && node.heard.values.first == "element")
    }

    @Test func placesAreThoseOfTheMapsOfTheOwner() throws {
        var maker = ElementMaker()
        let shown = try MapPicture().loaded([1, 3], &maker)
        // Before everything that stays, so that no path is the same in both.
        let accepted = try shown.changed(to: [2, 1, 3], &maker) {
            $0.insertSections([0])
            $0.deleteItems(at: [ItemPath(1, 0)])
            $0.insertItems(at: [ItemPath(2, 0)])
        }
        let (old, new) = (shown.map.items.map(\.element), accepted.map.items.map(\.element))
        let fresh = accepted.sections[2].items[0].element
        let surroundings = fresh.surroundings
        var owner: Owner? = Owner(pending: accepted.map, visible: shown.map)
        surroundings.owner = owner
        surroundings.controller = owner
        for element in old + new {
            #expect(element.dataSourcePlace == accepted.elements[element])
            #expect(element.viewPlace == shown.elements[element])
        }
        fresh.setNeedsLayout()
        #expect(owner?.asked.values == [fresh])
        // What is measured needs nobody.
        for _ in 0..<2 { fresh.setNeedsMeasuring() }
        #expect(owner?.wanted.values == [fresh, fresh])
        _ = old[0].prepare(old[0].content)
        old[0].setNeedsMeasuring()
        #expect(owner?.wanted.count == 2)
        #expect(surroundings.controller === owner)
        // And a map asks whoever keeps it; one that is nobody's asks nobody.
        let keeper = Keeper(owner)
        ElementMap.empty(generation: 0, reclaimer: keeper).setNeedsRelayout()
        shown.map.setNeedsRelayout()
        #expect(owner?.relayouts.count == 1)
        owner = nil
        #expect(surroundings.owner == nil, "nothing keeps it")
        #expect(surroundings.controller == nil && old[1].dataSourcePlace == nil)
    }

    // MARK: Interface states

    private final class RangedNode: RangeManagedNode {
        let told = Journal<String>()

        func measure(in range: SizeRange) -> Size { .zero }

        func didEnterPreloadState() { told.append("+preload") }
        func didExitPreloadState() { told.append("-preload") }
        func didEnterDisplayState() { told.append("+display") }
        func didExitDisplayState() { told.append("-display") }
        func didEnterVisibleState() { told.append("+visible") }
        func didExitVisibleState() { told.append("-visible") }

        func interfaceStateDidChange(
            to newState: InterfaceState,
            from oldState: InterfaceState
        ) { told.append("\(oldState) > \(newState)") }
    }

    private static let singles: [(InterfaceState, String)] = [
        (.preload, "preload"), (.display, "display"), (.visible, "visible"),
    ]

    /// From each of the eight states to each.
    @Test func everyChangeIsToldInOrder() {
        for old in (0..<8).map(InterfaceState.init(rawValue:)) {
            for new in (0..<8).map(InterfaceState.init(rawValue:)) {
                let node = RangedNode()
                node.interfaceStateChanges(to: new, from: old)
                let ended = Self.singles.reversed()
                    .filter { old.contains($0.0) && !new.contains($0.0) }.map { "-\($0.1)" }
                let begun = Self.singles
                    .filter { new.contains($0.0) && !old.contains($0.0) }.map { "+\($0.1)" }
                let whole = old == new ? [] : ["\(old) > \(new)"]
                #expect(node.told.values == ended + begun + whole, "\(old) > \(new)")
            }
        }
    }
}

extension CollectionElement {
    /// And lets go of the element.
    fileprivate func makeItsNode() { _ = try? waitForNode() }
}
