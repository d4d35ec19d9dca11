import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("What a context costs a flow layout")
struct FlowContextTests {
    /// The view's questions and what is laid out, for every context that a flow layout's view can send.
    @Test func aContextCostsWhatItSaysAndNoMore() {
        for lists in 0...2 {
            for (metrics, attributes) in [
                (true, true), (true, false), (false, true), (false, false),
            ] {
                let host = ScriptedHost((0..<3).map { .uniform(4 + $0, 50, 50) })
                let layout = host.lay(FlowLayout())
                host.metrics?.isWritingDown = true
                let context = FlowLayoutInvalidationContext()
                context.invalidatesFlowLayoutDelegateMetrics = metrics
                context.invalidatesFlowLayoutAttributes = attributes
                let path = ItemPath(section: 1, item: lists == 1 ? 2 : 0)
                if lists == 1 { context.invalidateItems(at: [path]) }
                if lists == 2 {
                    context.invalidateSupplementaryElements(ofKind: .header, at: [path])
                }
                let before = layout.work
                layout.invalidateLayout(with: context)
                layout.prepare()
                let asked = host.metrics?.questions ?? []
                let laidOut = layout.work.laidOutSections - before.laidOutSections
                #expect(
                    layout.work.askedSizes - before.askedSizes
                        == asked.count { $0.hasPrefix("size") }
                )
                if !metrics {
                    #expect(asked == [] && laidOut == (attributes ? 3 : 0))
                } else if lists == 0 {
                    #expect(asked.count == 4 + 5 + 6 + 3 && laidOut == 3)
                } else {
                    #expect(asked == ["metrics 1"] + (lists == 1 ? ["size 1 - 2"] : []))
                    #expect(laidOut == 1)
                }
            }
        }
    }

    @Test func whatIsDoneIsCounted() {
        let mixed = [(200.0, 10.0), (200, 20), (90, 30), (250, 5)].map {
            Size(width: $0, height: $1)
        }
        let host = ScriptedHost([ScriptedSection(items: mixed), .uniform(9, 100, 10)])
        let layout = host.lay(FlowLayout())
        // Equal items stand in a grid: no line of theirs is broken.
        #expect(layout.work.brokenLines == 3 && layout.work.laidOutSections == 2)
        #expect(layout.work.askedSizes == 13 && layout.work.visitedItems == 0)
        let found = layout.layoutAttributesForElements(in: everywhere)
        #expect(layout.work.visitedItems == 13 && found.count == 13)
    }

    /// The others are kept, so that nothing is said twice.
    @Test func whatDoesNotExistIsNotAskedAbout() {
        let host = ScriptedHost([.uniform(4, 50, 50)])
        let layout = host.lay(FlowLayout())
        host.metrics?.isWritingDown = true
        let context = FlowLayoutInvalidationContext()
        context.invalidateItems(
            at: [(0, 4), (0, -1), (1, 0), (-1, 0)].map { ItemPath(section: $0, item: $1) }
        )
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(host.metrics?.questions.contains { $0.hasPrefix("size") } == false)
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 50))
    }

    /// What a view says of itself is looked at in every pass.
    @Test func otherSurroundingsAreLaidOutWithoutBeingInvalidated() {
        let changes: [(ScriptedHost) -> Void] = [
            { $0.isRightToLeft = true }, { $0.displayScale = 3 },
            { $0.safeAreaInsets = EdgeInsets(top: 20, left: 9) },
            { $0.adjustedContentInset = EdgeInsets(left: 9) }, { $0.bounds.size.width = 90 },
        ]
        for change in changes {
            let items = [Size?](repeating: nil, count: 5)
            let section = ScriptedSection(items: items)
            let host = ScriptedHost([section, section], width: 110, height: 200)
            host.safeAreaInsets = EdgeInsets(top: 7, left: 1, bottom: 3, right: 2)
            func make() -> FlowLayout {
                let layout = FlowLayout()
                layout.minimumLineSpacing = 1.0 / 3
                layout.sectionInset = EdgeInsets(left: 8)
                layout.sectionInsetReference = .fromSafeArea
                return host.lay(layout)
            }
            let layout = make()
            let before = layout.everything(in: host)
            change(host)
            layout.prepare()
            #expect(layout.everything(in: host) != before)
            #expect(layout.everything(in: host) == make().everything(in: host))
        }
    }

    /// Other metrics of a section show, whatever of it is invalid; as in a layout from scratch.
    @Test(arguments: 0..<10)
    func metricsOfASectionAreAskedForWithAnyOfItsItems(_ seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let host = ScriptedHost((0..<3).map { _ in FlowScenario.section(&random) })
        host.displayScale = 4096
        let layout = host.lay(FlowLayout())
        for step in 0..<10 {
            let index = random.next(below: 3)
            let items = host.sections[index].items
            let other = FlowScenario.section(&random)
            host.sections[index] = other
            host.sections[index].items = items
            let context = FlowLayoutInvalidationContext()
            if random.chance(0.5), !items.isEmpty {
                let item = random.next(below: items.count)
                host.sections[index].items[item] = FlowScenario.size(&random, 1)
                context.invalidateItems(at: [ItemPath(section: index, item: item)])
            } else {
                let path = ItemPath(section: index, item: 0)
                context.invalidateSupplementaryElements(ofKind: .footer, at: [path])
            }
            layout.invalidateLayout(with: context)
            layout.prepare()
            let fresh = host.lay(FlowLayout())
            #expect(layout.everything(in: host) == fresh.everything(in: host), "step \(step)")
        }
    }
}
