import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite("What is laid out of what was laid out before")
struct FlowPlanTests {
    /// Lays out a map; counts what it asks for.
    private func lay(
        _ list: PreparedList,
        _ map: ElementMap,
        after former: PreparedFlow? = nil
    ) -> (prepared: PreparedFlow?, asked: [String]) {
        nonisolated(unsafe) var result: (PreparedFlow?, [String]) = (nil, [])
        list.onMain { view in
            guard let plan = (view.collectionViewLayout as? FlowLayout).flatMap(FlowPlan.init)
            else { return }
            var asked: [String] = []
            let prepared = plan.laidOut(map, after: former) { place in
                asked.append("\(place)")
                return place.category == .cell ? Size(width: 100, height: 30) : nil
            }
            result = (prepared, asked)
        }
        return result
    }

    private var map: (PreparedList) -> ElementMap { { $0.controller.visibleMap } }

    @Test func onlyWhatIsNewIsAskedFor() throws {
        let list = PreparedList(100)
        let first = lay(list, map(list))
        // All rows, and the header and the footer that may be.
        #expect(first.asked.count == 102)
        #expect(lay(list, map(list), after: first.prepared).asked.isEmpty, "the same")
        list.update { source, changes in
            source.rows.insert("new", at: 7)
            changes.insertItems(at: [ItemPath(0, 7)])
        }
        let second = lay(list, map(list), after: first.prepared)
        #expect(
            second.asked == ["header 0 - 0", "footer 0 - 0", "0 - 7"] || second.asked.count == 3
        )
        #expect(second.asked.contains("0 - 7"))
        #expect(second.prepared?.map.isIdentical(to: map(list)) == true)
        // In other room, or set up otherwise, everything counts anew.
        let same = map(list)
        list.onMain { $0.resize(to: Size(width: 80, height: 60)) }
        #expect(lay(list, same, after: second.prepared).asked.count == 103)
        list.onMain { $0.resize(to: Size(width: 100, height: 60)) }
        #expect(lay(list, same, after: second.prepared).asked.isEmpty)
        list.onMain { ($0.collectionViewLayout as? FlowLayout)?.sectionInset.top = 3 }
        #expect(lay(list, same, after: second.prepared).asked.count == 103)
    }

    /// Whose maps have nothing to do with each other.
    @Test func whatWasLaidOutOfAnotherCollectionIsNotUsed() {
        let (list, other) = (PreparedList(20), PreparedList(20))
        let first = lay(other, map(other))
        let second = lay(list, map(list), after: first.prepared)
        #expect(second.asked.count == 22 && second.prepared?.map.isIdentical(to: map(list)) == true)
    }

    @Test(arguments: [ScrollDirection.vertical, .horizontal])
    func whatIsNearLiesWithinAScreenful(_ direction: ScrollDirection) {
        let size = Size(width: 20, height: 20)
        let list = PreparedList(300, size: Size(width: 60, height: 40)) {
            $0.scrollDirection = direction
            $0.itemSize = size
        }
        // Lines of three that are 20 high, two of them visible; or of two that are 20 wide, three of them.
        let perLine = direction == .vertical ? 3 : 2
        list.onMain { view in
            view.contentOffset =
                direction == .vertical ? Point(x: 0, y: 400) : Point(x: 400, y: 0)
        }
        let (prepared, _) = lay(list, map(list))
        let lines = direction == .vertical ? 18..<24 : 17..<26
        let items = (lines.lowerBound * perLine)..<(lines.upperBound * perLine)
        let expected = items.map { "0 - \($0)" } + ["header 0 - 0", "footer 0 - 0"]
        #expect(prepared?.nearPlaces.map(\.description) == expected)
    }

    // MARK: Adopting

    /// What was measured besides nobody says, so everything is asked for again, once.
    @Test func whatWasMeasuredBesidesIsLaidOutWhereTheLayoutDoesIt() {
        let list = PreparedList(300, relayouts: false)
        // The set is accepted with one inset and deployed with another; and what is near is elsewhere by then.
        list.onMain { [controller = list.controller] view in
            view.contentOffset = Point(x: 0, y: 5000)
            controller.enqueueBatchUpdates { source, changes in
                source.rows.append("last")
                changes.insertItems(at: [ItemPath(0, 300)])
            } completion: { _ in
            }
            controller.lane.enqueue {
                (view.collectionViewLayout as? FlowLayout)?.sectionInset = EdgeInsets(top: 7)
            }
        }
        let (layout, fresh) = (list.layout, list.fresh())
        #expect(layout.work.laidOutSections > 0)
        #expect(layout.collectionViewContentSize == fresh.collectionViewContentSize)
        for item in 0..<301 {
            let path = ItemPath(0, item)
            #expect(layout.frame(ofItem: path) == fresh.frame(ofItem: path))
        }
        list.onMain { ($0.collectionViewLayout as? FlowLayout)?.sectionInset.top = 9 }
        let asked = layout.work.askedSizes
        list.onMain { view in
            let context = FlowLayoutInvalidationContext()
            context.invalidateItems(at: [ItemPath(0, 250)])
            view.collectionViewLayout.invalidateLayout(with: context)
        }
        #expect(list.layout.work.askedSizes == asked + 1)
    }

    /// The same where nobody asks for more afterwards: what is seen was measured before.
    @Test func whatWasMeasuredAheadIsLaidOutWhereTheLayoutDoesIt() {
        let list = PreparedList(300, relayouts: false)
        list.onMain { [controller = list.controller] view in
            // A larger viewport reaches farther; the set is deployed with another inset than it was accepted with.
            view.resize(to: Size(width: 100, height: 100))
            controller.enqueueBatchUpdates { source, changes in
                source.rows.append("last")
                changes.insertItems(at: [ItemPath(0, 300)])
            } completion: { _ in
            }
            controller.lane.enqueue {
                (view.collectionViewLayout as? FlowLayout)?.sectionInset = EdgeInsets(top: 7)
            }
        }
        #expect(list.made.count == 10)
        let (layout, fresh) = (list.layout, list.fresh())
        #expect(layout.collectionViewContentSize == fresh.collectionViewContentSize)
        #expect(layout.frame(ofItem: ItemPath(0, 20)) == fresh.frame(ofItem: ItemPath(0, 20)))
    }

    @Test func errorsAreThoseOfTheLayout() {
        let list = PreparedList(3) { $0.itemSize = Size(width: -1, height: 10) }
        #expect(list.layout.errors.map(\.code) == [.itemSize])
        list.update { source, changes in
            source.rows.append("last")
            changes.insertItems(at: [ItemPath(0, 3)])
        }
        #expect(list.layout.work.laidOutSections == 0)
        #expect(list.layout.errors.allSatisfy { $0.code == .itemSize })
        #expect((1...2).contains(list.layout.errorCount))
        list.onMain { $0.collectionViewLayout.invalidateLayout() }
        #expect((1...2).contains(list.layout.errorCount), "they are told once")
        list.onMain { $0.collectionViewLayout.invalidateLayout(with: LayoutInvalidationContext()) }
        #expect(list.layout.errors.contains { $0.code == .invalidationContext })
    }

    private final class Extents: LayoutMetrics {
        func metrics(ofSection section: Int) -> SectionMetrics {
            SectionMetrics(headerExtent: 37, footerExtent: 41)
        }
    }

    /// Whether the layout says it, or who answers for the view; without either there are none.
    @Test(arguments: ScrollDirection.allCases, [false, true])
    func headersAndFootersHaveTheViewsExtentAcrossAndTheirOwnAlong(
        _ direction: ScrollDirection,
        _ isAnswered: Bool
    ) {
        let (header, footer) = (Size(width: 37, height: 37), Size(width: 41, height: 41))
        let list = PreparedList(3) { layout in
            layout.scrollDirection = direction
            if !isAnswered {
                (layout.headerReferenceSize, layout.footerReferenceSize) = (header, footer)
            }
        }
        let answers = Extents()
        list.onMain { view in
            if isAnswered { view.layoutMetrics = answers }
            view.collectionViewLayout.invalidateLayout()
        }
        let isVertical = direction == .vertical
        nonisolated(unsafe) var sizes: [Size?] = []
        list.onMain { view in
            let layout = view.collectionViewLayout
            sizes = [LayoutPlace.header(0), .footer(0)].map { place in
                layout.layoutAttributes(for: place)?.size
            }
        }
        #expect(
            sizes
                == [37, 41].map {
                    isVertical ? Size(width: 100, height: $0) : Size(width: $0, height: 60)
                }
        )
    }
}
