import Testing

@testable import CollectionLayouts

/// A flow layout whose contexts are not of its own class, which is a mistake.
private final class ForeignFlow: FlowLayout {
    override class var invalidationContextClass: LayoutInvalidationContext.Type {
        LayoutInvalidationContext.self
    }
}

@Suite("What a flow layout does again")
struct FlowInvalidationTests {
    /// Two sections of which nobody but the layout says anything; every property shows.
    private func host() -> ScriptedHost {
        let items = [Size?](repeating: nil, count: 5)
        let section = ScriptedSection(items: items)
        let host = ScriptedHost([section, section], width: 110, height: 200)
        host.safeAreaInsets = EdgeInsets(top: 7, left: 1, bottom: 3, right: 2)
        host.measured[.header(1)] = Size(width: 4, height: 4)
        host.measured[.footer(0)] = Size(width: 5, height: 5)
        host.bounds.origin.y = 30
        return host
    }

    private typealias Change = (name: String, of: (FlowLayout) -> Void)

    private let metrics: [Change] = [
        ("direction", { $0.scrollDirection = .horizontal }),
        ("line", { $0.minimumLineSpacing = 3 }),
        ("interitem", { $0.minimumInteritemSpacing = 20 }),
        ("item", { $0.itemSize = Size(width: 30, height: 20) }),
        ("estimate", { $0.estimatedItemSize = Size(width: 60, height: 70) }),
        ("header", { $0.headerReferenceSize = Size(width: 11, height: 12) }),
        ("footer", { $0.footerReferenceSize = Size(width: 13, height: 14) }),
        ("inset", { $0.sectionInset = EdgeInsets(top: 1, left: 5) }),
        ("reference", { $0.sectionInsetReference = .fromSafeArea }),
    ]

    private let pins: [Change] = [
        ("headers", { $0.sectionHeadersPinToVisibleBounds = true }),
        ("footers", { $0.sectionFootersPinToVisibleBounds = true }),
    ]

    // MARK: Properties

    @Test func aPropertyThatChangesInvalidatesMetricsOnceAndOneThatStaysNothing() throws {
        for change in metrics {
            let host = host()
            let layout = host.lay(FlowLayout())
            let before = layout.everything(in: host)
            change.of(layout)
            let context = try #require(host.contexts.first as? FlowLayoutInvalidationContext)
            #expect(
                context.invalidatesFlowLayoutDelegateMetrics
                    && context.invalidatesFlowLayoutAttributes
            )
            #expect(!context.isPartial && !context.invalidatesDataSourceCounts)
            #expect(context.invalidatesEverything == (change.name == "estimate"), "\(change.name)")
            // What the view knows it is not told again.
            change.of(layout)
            layout.minimumLineSpacing += 1
            layout.minimumLineSpacing -= 1
            #expect(host.contexts.count == 1, "\(change.name)")
            layout.prepare()
            change.of(layout)
            #expect(host.contexts.count == 1, "\(change.name)")
            let fresh = FlowLayout()
            change.of(fresh)
            let after = layout.everything(in: host)
            #expect(after != before, "\(change.name)")
            #expect(after == host.lay(fresh).everything(in: host), "\(change.name)")
        }
    }

    @Test func pinningThatChangesInvalidatesNoMetricsAndLaysNothingOut() throws {
        for change in pins {
            let host = host()
            let layout = FlowLayout()
            layout.headerReferenceSize = Size(width: 10, height: 10)
            layout.footerReferenceSize = Size(width: 10, height: 10)
            #expect(
                !layout.sectionHeadersPinToVisibleBounds && !layout.sectionFootersPinToVisibleBounds
            )
            layout.attach(to: host)
            change.of(layout)
            layout.sectionHeadersPinToVisibleBounds = false
            layout.sectionFootersPinToVisibleBounds = false
            #expect(host.contexts.isEmpty, "nothing is prepared yet")
            layout.prepare()
            let (work, before) = (layout.work, layout.everything(in: host))
            change.of(layout)
            change.of(layout)
            #expect(host.contexts.count == 1)
            let context = try #require(host.contexts.last as? FlowLayoutInvalidationContext)
            #expect(
                !context.invalidatesFlowLayoutDelegateMetrics
                    && !context.invalidatesFlowLayoutAttributes
            )
            #expect(!context.invalidatesEverything && !context.invalidatesDataSourceCounts)
            layout.prepare()
            change.of(layout)
            #expect(host.contexts.count == 1)
            #expect(layout.work.laidOutSections == work.laidOutSections)
            #expect(layout.work.askedSizes == work.askedSizes)
            #expect(layout.everything(in: host) != before)
        }
    }

    @Test func aPropertyIsTakenBeforeTheFirstPassAndBeforeTheNextOne() {
        for change in metrics {
            let host = host()
            let layout = FlowLayout()
            layout.attach(to: host)
            change.of(layout)
            #expect(host.contexts.isEmpty, "nothing is prepared yet")
            layout.prepare()
            let expected = layout.everything(in: host)

            let other = host.lay(FlowLayout())
            let context = FlowLayoutInvalidationContext()
            context.invalidateItems(at: [ItemPath(section: 0, item: 0)])
            other.invalidateLayout(with: context)
            change.of(other)
            #expect(host.contexts.count == 1, "the view knows of the item")
            other.prepare()
            #expect(other.everything(in: host) == expected, "\(change.name)")
        }
    }

    /// By the answer to a question, say; also when a pass follows that nobody asked for.
    @Test(arguments: [false, true])
    func whatIsSetWhilePreparingCountsForTheNextPass(_ wasPrepared: Bool) {
        for change in metrics + pins {
            let host = host()
            let layout = FlowLayout()
            layout.attach(to: host)
            if wasPrepared {
                layout.prepare()
                let bounds = host.bounds
                host.bounds.size = .zero
                layout.prepare()
                host.bounds = bounds
            }
            var isSet = false
            host.metrics?.onSize = {
                if !isSet { change.of(layout) }
                isSet = true
            }
            layout.prepare()
            host.metrics?.onSize = nil
            #expect(isSet && host.contexts.isEmpty, "\(change.name)")
            layout.prepare()
            let fresh = FlowLayout()
            change.of(fresh)
            #expect(layout.everything(in: host) == host.lay(fresh).everything(in: host))
            let asked = layout.work.askedSizes
            layout.prepare()
            #expect(layout.work.askedSizes == asked, "\(change.name)")
        }
    }

    // MARK: Sizes that views asked for

    private func sized(_ layout: FlowLayout, _ host: ScriptedHost) -> [Double] {
        layout.attach(to: host)
        layout.estimatedItemSize = Size(width: 40, height: 50)
        layout.prepare()
        let original = layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 1))
        if let original { _ = layout.prefer(Size(width: 40, height: 80), to: original) }
        return heights(layout)
    }

    private func heights(_ layout: FlowLayout) -> [Double] {
        layout.frames().map(\.size.height)
    }

    private let kept: [Double] = [50, 80, 50, 50, 50]
    private let lost: [Double] = [50, 50, 50, 50, 50]

    @Test func metricsThatChangeKeepTheSizesThatViewsAskedForAndAnEstimateDoesNot() {
        let keeping = metrics.filter { !["direction", "item", "estimate"].contains($0.name) }
        for change in keeping {
            for isInvalid in [false, true] {
                let (host, layout) = (host(), FlowLayout())
                #expect(sized(layout, host) == kept)
                if isInvalid { layout.invalidateLayout() }
                change.of(layout)
                layout.prepare()
                #expect(heights(layout) == kept, "\(change.name)")
            }
        }
        for isInvalid in [false, true] {
            let (host, layout) = (host(), FlowLayout())
            #expect(sized(layout, host) == kept)
            if isInvalid { layout.invalidateLayout() }
            layout.estimatedItemSize = Size(width: 41, height: 50)
            layout.prepare()
            #expect(heights(layout) == lost)
        }
    }

    @Test(arguments: [false, true])
    func aContextForgetsThemWhereItInvalidatesEverythingOrTheCounts(_ isForeign: Bool) {
        let paths = [[], [ItemPath(section: 1, item: 0)]]
        for (everything, counts) in [(false, false), (true, false), (false, true), (true, true)] {
            for paths in paths {
                let host = host()
                let layout = isForeign ? ForeignFlow() : FlowLayout()
                #expect(sized(layout, host) == kept)
                let context = type(of: layout).invalidationContextClass.init()
                context.invalidatesEverything = everything
                context.invalidatesDataSourceCounts = counts
                context.invalidateItems(at: paths)
                layout.invalidateLayout(with: context)
                layout.prepare()
                #expect(heights(layout) == (everything || counts ? lost : kept))
            }
        }
    }

    /// Then nobody knows which items they were of.
    @Test func theyAreForgottenWhereTheCountsAreOthersWithoutAnUpdate() {
        let (host, layout) = (host(), FlowLayout())
        #expect(sized(layout, host) == kept)
        host.sections[0].items.removeLast()
        layout.invalidateLayout()
        layout.prepare()
        #expect(heights(layout) == [50, 50, 50, 50])
    }

    /// An estimate is no size that a view asked for.
    @Test func whatIsMeasuredInTheMeantimeTakesThePlaceOfAnEstimate() {
        let (host, layout) = (host(), FlowLayout())
        #expect(sized(layout, host) == kept)
        host.measured[.cell(ItemPath(section: 0, item: 3))] = Size(width: 40, height: 33)
        layout.invalidateLayout()
        layout.prepare()
        #expect(heights(layout) == [50, 80, 50, 33, 50])
    }
}
