import TestSupport
import Testing

@testable import CollectionElements

@Suite("What a node knows of its element", .endsHangs)
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

    /// And one that is nobody's asks nobody.
    @Test func aMapAsksWhoKeepsItToRelayout() {
        final class Keeper: MapReclaimer {
            let owner: (any ElementOwner)?
            init(_ owner: Owner) { self.owner = owner }
            func reclaim(_ release: @escaping @Sendable () -> Void) { release() }
        }
        let nobodys = ElementMap.empty(generation: 0)
        nobodys.setNeedsRelayout()
        let owner = Owner(pending: nobodys, visible: nobodys)
        ElementMap.empty(generation: 0, reclaimer: Keeper(owner)).setNeedsRelayout()
        #expect(owner.relayouts.count == 1)
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

    @Test func aNodeDoesNotKeepItsElement() {
        let node = NotingNode()
        makeElement(node).makeItsNode()
        #expect(node.element == nil && node.heard.values.first == "element")
    }

    @Test func anElementOfNobodyIsNowhere() {
        let element = makeElement(NotingNode())
        #expect(element.dataSourcePlace == nil && element.viewPlace == nil)
        element.setNeedsLayout()
        element.setNeedsMeasuring()
        #expect(element.surroundings.controller == nil)
    }

    @Test func placesAreThoseOfTheMapsOfTheOwner() throws {
        var maker = ElementMaker()
        let shown = try MapPicture().loaded([2], &maker).map
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(0, 0)])
        changes.insertItems(at: [ItemPath(0, 1)])
        var change = ElementMapChange()
        let fresh = maker.element()
        change.insertedItems = [fresh]
        let accepted = shown.applying(
            try changes.validated(from: [2], to: [2]),
            change,
            generation: 2
        )
        let surroundings = fresh.surroundings
        let elements = shown.items.map(\.element) + [fresh]
        var owner: Owner? = Owner(pending: accepted, visible: shown)
        surroundings.owner = owner
        surroundings.controller = owner
        #expect(elements.map { $0.dataSourcePlace?.path.item } == [nil, 0, 1])
        #expect(elements.map { $0.viewPlace?.path.item } == [0, 1, nil])
        fresh.setNeedsLayout()
        #expect(owner?.asked.values == [fresh])
        // What is measured needs nobody.
        for _ in 0..<2 { fresh.setNeedsMeasuring() }
        #expect(owner?.wanted.values == [fresh, fresh])
        _ = fresh.prepare(fresh.content)
        fresh.setNeedsMeasuring()
        #expect(owner?.wanted.count == 2)
        #expect(surroundings.controller === owner)
        owner = nil
        #expect(surroundings.owner == nil, "nothing keeps it")
        #expect(surroundings.controller == nil && elements[1].dataSourcePlace == nil)
    }
}

extension CollectionElement {
    /// And lets go of the element.
    fileprivate func makeItsNode() { _ = try? waitForNode() }
}
