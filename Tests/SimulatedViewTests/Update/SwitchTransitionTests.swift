import PipelineTestSupport
import SimulatedView
import Testing

/// What an animated change of the layout tells of where everything went, and how long transitions stay.
@Suite("Transitions of a change of the layout")
struct SwitchTransitionTests {
    private let kind = SupplementaryKind(rawValue: "backdrop")

    private func rows(_ height: Double, header: Double = 0) -> RowLayout {
        let layout = RowLayout()
        (layout.rowHeight, layout.headerHeight) = (height, header)
        return layout
    }

    private func bench(_ layout: sending RowLayout, height: Double = 30) throws -> Bench<RowLayout>
    {
        let size = Size(width: 100, height: height)
        let bench = try Bench([texts(50)], layout, size: size)
        bench.load()
        return bench
    }

    private func words(_ transitions: [ViewTransition]) -> [String] {
        func words(_ attributes: LayoutAttributes) -> String {
            "\(Int(attributes.frame.minY))\(attributes.alpha == 0 ? " faded" : "")"
        }
        return transitions.map {
            let (old, new) = ($0.oldPlace?.description ?? "-", $0.newPlace?.description ?? "-")
            return "\(old) > \(new): \(words($0.start)) > \(words($0.end))"
        }
    }

    @Test func whatIsVisibleBeforeOrAfterGoesFromLayoutToLayout() throws {
        let bench = try bench(rows(10))
        bench.view.setCollectionViewLayout(rows(15), animated: true)
        #expect(
            words(bench.view.transitions) == [
                "0 - 0 > 0 - 0: 0 > 0", "0 - 1 > 0 - 1: 10 > 15", "0 - 2 > 0 - 2: 20 > 30",
            ]
        )
        bench.view.setCollectionViewLayout(rows(10), animated: true)
        #expect(
            words(bench.view.transitions) == [
                "0 - 0 > 0 - 0: 0 > 0", "0 - 1 > 0 - 1: 15 > 10", "0 - 2 > 0 - 2: 30 > 20",
            ]
        )
        bench.settle()
        #expect(bench.view.transitions.count == 3)
    }

    /// The old layout says where things were on the screen: the content offset moved with the layout.
    @Test func whereTheOffsetMovesThingsStartFromWhereTheyWereOnTheScreen() throws {
        let bench = try bench(rows(10))
        bench.view.scroll(by: 200)
        bench.settle()
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        // The middle, row 21, stays there: from 200 to 92.5.
        #expect(bench.view.contentOffset.y == 92.5)
        let visible = bench.view.transitions.filter { $0.end.frame.intersects(bench.view.bounds) }
        #expect(visible.map { $0.newPlace?.path.item } == [18, 19, 20, 21, 22, 23, 24])
        for transition in bench.view.transitions {
            let item = Double(try #require(transition.newPlace).path.item)
            #expect(transition.start.frame.minY - 92.5 == item * 10 - 200)
            #expect(transition.start.size.height == 10 && transition.start.alpha == 1)
            #expect(transition.end.frame.minY == item * 5)
        }
        bench.settle()
        bench.check()
    }

    /// What only one of the layouts places fades in its place; so do decorations, which are each layout's own.
    @Test func whatTheOtherLayoutDoesNotKnowFades() throws {
        let bench = try Bench([texts(2)], rows(10), size: Size(width: 100, height: 60))
        let new = rows(10, header: 6)
        for layout in [bench.layout, new] {
            layout.decorationKind = kind
            layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        }
        bench.load()
        bench.view.setCollectionViewLayout(new, animated: true)
        let backdrop = "decoration backdrop 0 - 0"
        #expect(
            words(bench.view.transitions) == [
                "\(backdrop) > -: 0 > 0 faded", "0 - 0 > 0 - 0: 0 > 6", "0 - 1 > 0 - 1: 10 > 16",
                "- > header 0 - 0: 0 faded > 0", "- > \(backdrop): 0 faded > 0",
            ]
        )
        bench.settle()
        bench.check()
        bench.view.setCollectionViewLayout(rows(10), animated: true)
        #expect(
            words(bench.view.transitions) == [
                "header 0 - 0 > -: 0 > 0 faded", "\(backdrop) > -: 0 > 0 faded",
                "0 - 0 > 0 - 0: 6 > 0", "0 - 1 > 0 - 1: 16 > 10",
            ]
        )
        bench.settle()
        bench.check()
    }

    /// Pinned headers hang on the bounds, which have changed when the old layout is asked.
    @Test func theOldLayoutIsAskedInTheViewportThatItHad() throws {
        final class Pinned: RowLayout {
            var seen: [Rect] = []

            override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
                if let bounds = host?.bounds { seen.append(bounds) }
                return super.layoutAttributesForItem(at: path)
            }
        }
        let bench = try Bench([texts(50)], Pinned(), size: Size(width: 100, height: 30))
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        let old = bench.layout
        old.seen = []
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        #expect(!old.seen.isEmpty && old.seen.allSatisfy { $0.minY == 200 })
        #expect(old.host == nil && bench.view.contentOffset.y == 92.5)
    }

    /// It no longer has a say about the view.
    @Test func whatTheOldLayoutInvalidatesWhileItIsAskedConcernsNobody() throws {
        final class Correcting: RowLayout {
            var isLeaving = false
            var corrections = 0

            override func prepareForTransition(to newLayout: CollectionLayout) {
                isLeaving = true
            }

            override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
                if isLeaving {
                    corrections += 1
                    invalidateLayout()
                }
                return super.layoutAttributesForItem(at: path)
            }
        }
        let bench = try Bench([texts(50)], Correcting(), size: Size(width: 100, height: 30))
        bench.load()
        bench.view.scroll(by: 200)
        bench.settle()
        let old = bench.layout
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        #expect(old.corrections > 0 && bench.view.contentOffset.y == 92.5)
        bench.settle()
        #expect(bench.view.contentOffset.y == 92.5)
        bench.check()
    }

    /// Paths mean something else then.
    @Test func anUpdateWithinAChangeIsWhatTransitionsTellOf() throws {
        let bench = try bench(rows(10))
        bench.view.scroll(by: 200)
        bench.settle()
        var told: [ViewTransition] = []
        bench.watcher.onScroll = { [watcher = bench.watcher, bench] view in
            watcher.onScroll = { _ in }
            bench.source.sections[0].removeFirst(3)
            try? bench.adapter.deleteItems(at: (0..<3).map { ItemPath(0, $0) })
            told = view.transitions
        }
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        #expect(!told.isEmpty && bench.view.transitions == told)
        bench.settle()
        bench.check()
    }

    @Test func betweenBundledLayoutsEverythingGoesFromWhereItWas() throws {
        let bench = try Bench([texts(40)], ListLayout(), size: Size(width: 100, height: 90))
        bench.load()
        for layout in [
            FlowLayout(), PagerLayout(), ComposedLayout(), ListLayout(),
        ] as [CollectionLayout] {
            let old = bench.view.collectionViewLayout
            var before: [ItemPath: LayoutAttributes] = [:]
            for item in 0..<40 {
                before[ItemPath(0, item)] = old.layoutAttributesForItem(at: ItemPath(0, item))
            }
            let offset = bench.view.contentOffset
            bench.view.setCollectionViewLayout(layout, animated: true)
            #expect(!bench.view.transitions.isEmpty)
            for transition in bench.view.transitions {
                let place = try #require(transition.newPlace)
                #expect(
                    transition.oldPlace == place
                        && transition.end == layout.layoutAttributes(for: place)
                )
                var start = before[place.path]
                start?.center.x += bench.view.contentOffset.x - offset.x
                start?.center.y += bench.view.contentOffset.y - offset.y
                #expect(transition.start == start, "\(type(of: layout))")
            }
            bench.settle()
        }
    }

    /// Who is told of the scrolling may take the layout back: that change is the last one.
    @Test func aChangeWithinAChangeIsTheOneThatCounts() throws {
        let bench = try bench(rows(10))
        bench.view.scroll(by: 200)
        bench.settle()
        let old = bench.layout
        bench.watcher.onScroll = { [watcher = bench.watcher] view in
            watcher.onScroll = { _ in }
            view.setCollectionViewLayout(old, animated: false)
        }
        bench.view.setCollectionViewLayout(rows(5), animated: true)
        #expect(bench.view.collectionViewLayout === old && old.host === bench.view)
        #expect(bench.view.transitions == [])
        bench.settle()
        bench.check()
    }

    // MARK: Stale ones

    enum Change: CaseIterable {
        case update, emptyUpdate, edit, reload, layout, animatedLayout, size, animatedSize
    }

    /// Whatever changes next, transitions are of that or there are none.
    @Test(arguments: Change.allCases, [true, false])
    func noneStayWhenSomethingElseChanges(_ change: Change, afterSwitch: Bool) throws {
        let bench = try bench(rows(10))
        if afterSwitch {
            bench.view.setCollectionViewLayout(rows(15), animated: true)
        } else {
            bench.source.sections[0].removeFirst()
            try bench.adapter.deleteItems(at: [ItemPath(0, 0)], animation: .leading)
        }
        bench.settle()
        let stale = bench.view.transitions
        #expect(!stale.isEmpty)
        // In content coordinates they are as right as they were.
        bench.view.scroll(by: 5)
        bench.settle()
        #expect(bench.view.transitions == stale)
        bench.view.scrollToTop()
        bench.settle()
        switch change {
        case .update: try bench.update { _, changes in changes.reloadItems(at: [ItemPath(0, 0)]) }
        case .emptyUpdate: try bench.update { _, _ in }
        case .edit:
            try bench.adapter.reloadItems(at: [ItemPath(0, 0)], animation: .none)
        case .reload: bench.adapter.reloadData()
        case .layout: bench.view.setCollectionViewLayout(rows(5))
        case .animatedLayout: bench.view.setCollectionViewLayout(rows(5), animated: true)
        case .size: bench.view.resize(to: Size(width: 100, height: 50))
        case .animatedSize: bench.view.resize(to: Size(width: 100, height: 50), animated: true)
        }
        if change == .reload { bench.settle() }
        let left = bench.view.transitions
        #expect(Set(left).isDisjoint(with: stale))
        let isAnimated = change == .animatedLayout || change == .animatedSize
        #expect(left.isEmpty != isAnimated, "\(words(left))")
        bench.settle()
        bench.check()
    }
}
