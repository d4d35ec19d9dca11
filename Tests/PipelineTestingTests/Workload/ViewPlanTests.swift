import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionLayouts
@testable import PipelineTesting
@testable import SimulatedView

/// The simulated views that plans describe.
@Suite("Views of plans", .endsHangs) struct ViewPlanTests {
    private static func plan(_ layout: ViewPlan.Layout = .list) -> ViewPlan {
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.layout, plan.sizesItself, plan.isPrefetching) = (layout, false, false)
        (plan.hasRanges, plan.hasFetcher, plan.isInverted) = (false, false, nil)
        (plan.width, plan.height) = (40, 12)
        return plan
    }

    @Test func aViewIsMadeAsItsPlanSays() {
        for isInverted in [nil, false, true] {
            var plan = Self.plan()
            plan.isInverted = isInverted
            let view = plan.makeView()
            #expect(view.isInverted == (isInverted == true))
            let text = "simulated view 40 × 12, layout list"
            #expect(plan.description == text + (isInverted == true ? ", inverted" : ""))
            #expect(view.bounds.size == Size(width: 40, height: 12))
        }
        for isOn in [false, true] {
            var plan = Self.plan()
            plan.isPrefetching = isOn
            #expect(plan.makeView().isPrefetchingEnabled == isOn)
            plan.hasRanges = isOn
            #expect((plan.makeView().rangeController != nil) == isOn)
            plan.hasFetcher = isOn
            #expect((plan.makeView().batchFetcher != nil) == isOn)
        }
    }

    /// Cells and headers are of classes that are counted, and cells of one with wishes where they size themselves.
    @Test func whatIsShownIsOfTheClassesThatAreWatched() {
        for layout: ViewPlan.Layout in [.list, .flow, .composed] {
            for sizesItself in [false, true] {
                let scene = RunScene {
                    $0.view = Self.plan(layout)
                    $0.view?.sizesItself = sizesItself
                }
                scene.onMain { run in
                    let views = run.watchedView?.shown.visibleViews ?? []
                    let headers = views.filter {
                        $0.attributes?.place.category == .supplementary(.header)
                    }
                    #expect(
                        !headers.isEmpty && headers.allSatisfy { $0 is WatchedHeader },
                        "\(layout)"
                    )
                    let cells = views.compactMap { $0 as? CollectionViewCell }
                    #expect(!cells.isEmpty && cells.allSatisfy { $0 is WatchedCell })
                    #expect(cells.allSatisfy { ($0 is SizingCell) == sizesItself })
                    #expect(run.cells.numberAlive >= headers.count + cells.count)
                }
                #expect(scene.noted == [])
            }
        }
    }

    // MARK: Layouts

    @Test func layoutsGiveInToWishesWhereThePlanSaysSo() {
        for sizesItself in [false, true] {
            let list = ViewPlan.Layout.list.make(sizesItself: sizesItself) as? ListLayout
            #expect(list?.estimatesHeights == sizesItself)
            let flow = ViewPlan.Layout.flow.make(sizesItself: sizesItself) as? FlowLayout
            #expect(flow?.estimatedItemSize == (sizesItself ? Size(width: 12, height: 2) : .zero))
        }
    }

    /// What touches its neighbour would hide that it is a unit off.
    @Test func layoutsLeaveAUnitBetweenElements() {
        let pages = ViewPlan.Layout.pages.make(sizesItself: false) as? PagerLayout
        #expect(pages?.pageSpacing == 1)
        let flow = ViewPlan.Layout.flow.make(sizesItself: false) as? FlowLayout
        #expect(flow?.minimumLineSpacing == 1 && flow?.minimumInteritemSpacing == 1)
        #expect(flow?.sectionHeadersPinToVisibleBounds == true)
        let masonry = ViewPlan.Layout.masonry.make(sizesItself: false) as? ComposedLayout
        let columns = masonry?.defaultLayout as? MasonrySectionLayout
        #expect(columns?.columnCount == 2)
        #expect(columns?.lineSpacing == 1 && columns?.interitemSpacing == 1)
        #expect(masonry?.layoutProvider == nil)
    }

    @Test func aComposedLayoutHasSectionsOfAllSorts() {
        let layout = ViewPlan.Layout.composed.make(sizesItself: false) as? ComposedLayout
        var lines = FlowSectionLayout()
        (lines.lineSpacing, lines.interitemSpacing) = (1, 1)
        var columns = MasonrySectionLayout(columnCount: 2)
        (columns.lineSpacing, columns.interitemSpacing) = (1, 1)
        #expect(layout?.defaultLayout as? FlowSectionLayout == lines)
        for index in 0..<3 {
            // By the identity of the section, wherever it is.
            func section(_ id: Int) -> (any SectionLayout)? {
                layout?.layoutProvider?(index, ModelContext(id))
            }
            for id in [0, 3, 33] { #expect(section(id) as? FlowSectionLayout == lines) }
            for id in [1, 4, 31] { #expect(section(id) as? MasonrySectionLayout == columns) }
            for id in [2, 5, 32] {
                let cards = section(id) as? BackgroundSectionLayout
                #expect(cards?.base as? FlowSectionLayout == lines)
                #expect(cards?.kind == SupplementaryKind(rawValue: "card"))
                #expect(cards?.insets == EdgeInsets(left: 1, right: 1))
            }
            #expect(layout?.layoutProvider?(index, nil) as? FlowSectionLayout == lines)
        }
        #expect(layout?.features.count == 1 && layout?.features.first is StickyHeaders)
    }
}
