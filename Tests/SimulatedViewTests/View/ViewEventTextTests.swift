import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The words of the log, each event with its values.
@Suite("Events in words")
struct ViewEventTextTests {
    private static let id = SubmissionID(rawValue: 7)
    private static let cell = LayoutPlace.cell(ItemPath(1, 2))
    private static let path = ItemPath(1, 2)

    @Test func anEventOfUpdatesViewsAndErrorsIsALineWithItsValues() {
        let id = Self.id
        let events: [(ViewEvent, String)] = [
            (.received(id), "received #7"), (.postponed(waiting: 3), "postponed, 3 waiting"),
            (
                .applied(id, removals: 1, insertions: 2, reconfigured: 3), "applied #7: -1 +2 ~3"
            ),
            (.applied(nil, removals: 1, insertions: 2, reconfigured: 3), "applied: -1 +2 ~3"),
            (.reloaded(id), "reloaded #7"), (.reloaded(nil), "reloaded"),
            (.refused(id, ViewRefusal(.wrongBase, "text")), "refused #7: wrongBase"),
            (.dropped(id), "dropped #7"), (.finished(id), "finished #7"),
            (.finished(nil), "finished"), (.becameBusy, "busy"), (.becameIdle, "idle"),
            (.contentSize(Size(width: 1, height: 2.5)), "contentSize 1 × 2.5"),
            (.scrolled(Point(x: -1, y: 0)), "scrolled (-1, 0)"),
            (.prepareForReuse(Self.cell), "prepareForReuse 1 - 2"),
            (.apply(.header(1)), "apply header 1 - 0"), (.refilled(Self.cell), "refilled 1 - 2"),
            (.preferred(Self.cell, Size(width: 3, height: 4)), "preferred 1 - 2 3 × 4"),
            (.willDisplay(.footer(3)), "willDisplay footer 3 - 0"),
            (.didEndDisplaying(Self.cell), "didEndDisplaying 1 - 2"),
            (.error(ViewError(.noView, "text")), "error noView"),
        ]
        for (event, text) in events { #expect(event.description == text) }
    }

    @Test func aCallAboutScrollingIsALineWithItsValues() {
        let (speed, place) = (Point(x: 0, y: 1.5), Point(x: 0, y: 40))
        let calls: [(ViewEvent.ScrollingCall, String)] = [
            (.willBeginDragging, "willBeginDragging"),
            (
                .willEndDragging(velocity: speed, proposed: place, .zero),
                "willEndDragging velocity (0, 1.5) (0, 40): (0, 0)"
            ),
            (.didEndDragging(willDecelerate: true), "didEndDragging willDecelerate: true"),
            (.willBeginDecelerating, "willBeginDecelerating"),
            (.didEndDecelerating, "didEndDecelerating"),
            (.didEndScrollingAnimation, "didEndScrollingAnimation"),
            (.node(Self.cell, .didStop), "node 1 - 2: didStop"),
        ]
        for (call, text) in calls {
            #expect(ViewEvent.scrolling(call).description == text)
        }
    }

    @Test func aNumberIsAsShortAsItCanBe() {
        let numbers: [(Double, String)] = [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (10, "10"), (100, "100"), (0.5, "0.5"),
            (-2.25, "-2.25"), (1.05, "1.05"), (20.0, "20"), (1e300, "1e+300"), (.nan, "nan"),
            (.infinity, "inf"),
        ]
        for (number, text) in numbers {
            let event = ViewEvent.scrolled(Point(x: number, y: number))
            #expect(event.description == "scrolled (\(text), \(text))")
        }
    }

    @Test func aCallOfTheLayoutIsALineWithItsAnswer() {
        let (cell, size) = (Self.cell, Size(width: 3, height: 4))
        let rect = Rect(x: 1, y: 2, width: 3, height: 4)
        let category = ElementCategory.supplementary(.header)
        let calls: [(ViewEvent.LayoutCall, String)] = [
            (.prepare, "prepare"), (.prepareApplying, "prepare(applying:)"),
            (.collectionViewContentSize(size), "collectionViewContentSize 3 × 4"),
            (.layoutAttributesForElements(rect, count: 5), "attributes in (1, 2) 3 × 4: 5"),
            (.layoutAttributes(cell, found: true), "attributes for 1 - 2"),
            (.layoutAttributes(cell, found: false), "attributes for 1 - 2: none"),
            (
                .shouldInvalidateLayoutForBounds(rect, true),
                "shouldInvalidateLayout bounds (1, 2) 3 × 4: true"
            ),
            (.invalidationContextForBounds(rect), "context for bounds (1, 2) 3 × 4"),
            (
                .shouldInvalidateLayoutForPreferred(cell, size, false),
                "shouldInvalidateLayout preferred 1 - 2 3 × 4: false"
            ),
            (.invalidationContextForPreferred(cell), "context for preferred 1 - 2"),
            (
                .targetContentOffset(proposed: Point(x: 1, y: 2), Point(x: 3, y: 4)),
                "targetContentOffset (1, 2): (3, 4)"
            ),
            (
                .flingTarget(
                    proposed: Point(x: 1, y: 2),
                    velocity: Point(x: 5, y: 6),
                    Point(x: 3, y: 4)
                ),
                "targetContentOffset (1, 2) velocity (5, 6): (3, 4)"
            ),
            (.initialLayoutAttributes(cell, found: true), "initialLayoutAttributes 1 - 2"),
            (.initialLayoutAttributes(cell, found: false), "initialLayoutAttributes 1 - 2: none"),
            (.finalLayoutAttributes(cell, found: true), "finalLayoutAttributes 1 - 2"),
            (.finalLayoutAttributes(cell, found: false), "finalLayoutAttributes 1 - 2: none"),
            (.indexPathsToDelete(category, []), "indexPathsToDelete header"),
            (.indexPathsToDelete(category, [Self.path]), "indexPathsToDelete header: 1 - 2"),
            (
                .indexPathsToInsert(category, [ItemPath(0, 0), Self.path]),
                "indexPathsToInsert header: 0 - 0, 1 - 2"
            ),
            (.indexPathsToInsert(category, []), "indexPathsToInsert header"),
            (.finalizeCollectionViewUpdates, "finalizeCollectionViewUpdates"),
            (
                .prepareForAnimatedBoundsChange(rect),
                "prepare(forAnimatedBoundsChange:) (1, 2) 3 × 4"
            ),
            (.finalizeAnimatedBoundsChange, "finalizeAnimatedBoundsChange"),
            (.prepareForTransitionTo, "prepareForTransition(to:)"),
            (.prepareForTransitionFrom, "prepareForTransition(from:)"),
            (.finalizeLayoutTransition, "finalizeLayoutTransition"),
        ]
        for (call, text) in calls {
            #expect(ViewEvent.layout(call).description == "layout \(text)")
        }
    }

    @Test func ofManyEditsTheFirstAreNamedAndTheRestCounted() {
        let items: [LayoutUpdateItem] = [.deleteItem(Self.path), .insertSection(4)]
        for (count, rest) in [(2, ""), (3, " and 1 more"), (40, " and 38 more")] {
            let call = ViewEvent.LayoutCall.prepareForCollectionViewUpdates(
                first: items,
                count: count
            )
            let text = "prepare(forCollectionViewUpdates:) delete 1 - 2, insert section 4\(rest)"
            #expect(call.description == text)
        }
    }

    @Test func aCallOfTheDataSourceOrOfTheDelegateIsALineWithItsAnswer() {
        let path = Self.path
        let calls: [(ViewEvent, String)] = [
            (.dataSource(.numberOfSections(2)), "dataSource numberOfSections: 2"),
            (.dataSource(.numberOfItems(section: 1, 9)), "dataSource numberOfItems 1: 9"),
            (.dataSource(.view(.header(2))), "dataSource view header 2 - 0"),
            (.dataSource(.context(section: 3)), "dataSource context 3"),
            (.dataSource(.prefetch([path, ItemPath(1, 1)])), "dataSource prefetch 1 - 2, 1 - 1"),
            (.dataSource(.cancelPrefetching([path])), "dataSource cancelPrefetching 1 - 2"),
            (.selection(.shouldHighlight(path, true)), "shouldHighlight 1 - 2: true"),
            (.selection(.didHighlight(path)), "didHighlight 1 - 2"),
            (.selection(.didUnhighlight(path)), "didUnhighlight 1 - 2"),
            (.selection(.shouldSelect(path, false)), "shouldSelect 1 - 2: false"),
            (.selection(.didSelect(path)), "didSelect 1 - 2"),
            (.selection(.shouldDeselect(path, true)), "shouldDeselect 1 - 2: true"),
            (.selection(.didDeselect(path)), "didDeselect 1 - 2"),
        ]
        for (call, text) in calls { #expect(call.description == text) }
    }

    /// Every combination of what a context may say.
    @Test func anInvalidationSaysWhatIsWrongAndHowMuchIsListed() {
        let kind = SupplementaryKind.header
        let backdrop = SupplementaryKind(rawValue: "backdrop")
        for number in 0..<128 {
            func has(_ bit: Int) -> Bool { number & (1 << bit) != 0 }
            let context = LayoutInvalidationContext()
            context.invalidatesEverything = has(0)
            context.invalidatesDataSourceCounts = has(1)
            if has(2) { context.invalidateItems(at: [ItemPath(0, 0)]) }
            if has(3) {
                for kind in [kind, .footer] {
                    context.invalidateSupplementaryElements(ofKind: kind, at: [ItemPath(0, 0)])
                }
            }
            if has(4) {
                for kind in [kind, backdrop] {
                    let paths = [ItemPath(0, 0), ItemPath(1, 0)]
                    context.invalidateDecorationElements(ofKind: kind, at: paths)
                }
            }
            if has(5) { context.contentSizeAdjustment = Size(width: 0, height: -2) }
            if has(6) { context.contentOffsetAdjustment = Point(x: 3, y: 0) }
            let listed = (has(2) ? 1 : 0) + (has(3) ? 2 : 0) + (has(4) ? 4 : 0)
            var words = has(0) ? ["everything"] : []
            if has(1) { words.append("counts") }
            if listed > 0 { words.append("\(listed)") }
            if words.isEmpty { words = ["all"] }
            if has(5) { words.append("size 0 × -2") }
            if has(6) { words.append("offset (3, 0)") }
            let event = ViewEvent.invalidated(ViewEvent.Invalidation(context))
            #expect(event.description == "invalidated " + words.joined(separator: " "))
        }
    }

    @Test func anErrorIsItsMessage() {
        let error = ViewError(.noView, "what went wrong", at: Self.cell)
        #expect("\(error)" == "what went wrong" && error.place == Self.cell)
    }
}
