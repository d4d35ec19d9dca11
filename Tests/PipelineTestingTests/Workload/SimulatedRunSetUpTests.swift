import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// What a run makes of its plan: the model, the layout and the view, and what these are told.
@Suite("What a run is made of", .endsHangs)
struct SimulatedRunSetUpTests {
    private static func viewPlan(_ layout: ViewPlan.Layout) -> ViewPlan {
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.layout, plan.sizesItself, plan.isPrefetching) = (layout, false, false)
        (plan.hasRanges, plan.hasFetcher, plan.isInverted) = (false, false, nil)
        (plan.width, plan.height) = (40, 12)
        return plan
    }

    // MARK: The model

    @Test func theModelIsAskedForRangesWhereThePlanSaysSo() {
        for givesRanges in [false, true] {
            let scene = RunScene { $0.givesRanges = givesRanges }
            #expect((scene.run.model is RangedModel) == givesRanges)
            #expect(scene.items.count == 6 && scene.noted == [])
        }
    }

    @Test func whatIsShownWithTraitsThatHaveChangedIsReported() {
        let scene = RunScene()
        scene.run.textScale = 9
        scene.perform(.insertAtTop)
        let paths = [0, 1, 2, 3].map { ItemPath(0, $0) } + [0, 1, 2].map { ItemPath(1, $0) }
        #expect(
            scene.noted
                == paths.map {
                    "Consistent Snapshot: item \($0) is shown with traits that have changed since"
                }
        )
    }

    // MARK: The layout

    /// Two items of three are measured, and are as high as their numbers say.
    @Test func aLayoutIsAsHighAsWhatItMeasures() {
        for (items, failure) in [(1, 0.0), (3, 0), (5, 0), (5, 1)] {
            let scene = RunScene {
                ($0.hasLayout, $0.sections, $0.items, $0.loadsFirst) = (true, 2, items, false)
                $0.faults = [.init(point: .measurementThrows, rate: failure)]
            }
            let updates = scene.keepUpdates()
            scene.run.simulation.run()
            var height = 0.0
            for section in scene.run.model?.sections ?? [] {
                for (index, item) in section.items.enumerated() where index % 3 != 2 {
                    height += Double(1 + item.id % 3)
                }
            }
            let heights = updates.values.map { $0.layout as? Double }
            #expect(heights == [failure == 0 ? height : 0], "\(items)")
            #expect(scene.noted == [])
        }
    }

    @Test func theLayoutIsThatOfTheViewWhereItIsPrepared() {
        for hasLayout in [false, true] {
            for prepares in [nil, false, true] {
                for hasView in [false, true] {
                    let (run, view) = Self.makeView {
                        ($0.hasLayout, $0.preparesLayout) = (hasLayout, prepares)
                    }
                    let faulty = FaultyView(fates: run.simulation)
                    let layout =
                        if hasView, let view {
                            run.makeLayoutDelegate(view)
                        } else {
                            run.makeLayoutDelegate(faulty)
                        }
                    let isOwn = hasLayout && prepares == true && hasView
                    #expect((layout is FlowLayoutDelegate) == isOwn)
                    #expect((layout is SimulatedLayout) == (hasLayout && !isOwn))
                }
            }
        }
    }

    // MARK: The view

    /// A view that is made and shows nothing yet.
    private static func makeView(_ change: (inout RunPlan) -> Void) -> (SimulatedRun, WatchedView?)
    {
        var plan = RunScene.plan
        plan.view = viewPlan(.list)
        change(&plan)
        let run = SimulatedRun(plan, keepsTrace: false)
        let model = ReferenceModel(nodes: run.nodes, sections: 0, items: 0)
        return (run, run.makeView(SnapshotChecker(model: model)) { nil } as? WatchedView)
    }

    @Test func aViewExpectsWhatThePlanOfTheRunSays() {
        for hasLayout in [false, true] {
            for prepares in [nil, false, true] {
                for releases in [nil, false, true] {
                    for isMeasuring in [false, true] {
                        let (_, view) = Self.makeView {
                            ($0.hasLayout, $0.preparesLayout) = (hasLayout, prepares)
                            $0.releasesNodes = releases
                            $0.measuring = isMeasuring ? .init(first: 1, isOnDemand: true) : nil
                        }
                        let isReleasing = releases == true && (!hasLayout || prepares == true)
                        #expect(view?.releasesNodes == isReleasing)
                        #expect(view?.measuresLater == (isMeasuring || isReleasing))
                        #expect(view?.preparesLayout == (hasLayout && prepares == true))
                        #expect(view?.expectsMeasured == !hasLayout)
                        #expect(view?.nodesAreAskedFor == false)
                    }
                }
            }
        }
    }

    @Test func aViewKnowsWhetherNodesAreAskedFor() {
        let asking: [RunPlan.Action] = [.waitForNode(1), .task(.node(1))]
        for action in asking {
            let (_, view) = Self.makeView { $0.clients = [[.wait], [.edit(1), action]] }
            #expect(view?.nodesAreAskedFor == true)
        }
        let (_, view) = Self.makeView { $0.clients = [[.task(.readModel), .wait]] }
        #expect(view?.nodesAreAskedFor == false)
    }

    @Test func aViewIsOpenUntilTheRunClosesOrAbandonsIt() {
        let (run, view) = Self.makeView { _ in }
        for isClosing in [false, true] {
            for isClosed in [false, true] {
                for isAbandoned in [false, true] {
                    (run.isClosing, run.isClosed, run.isAbandoned) = (
                        isClosing, isClosed, isAbandoned
                    )
                    #expect(view?.isOpen() == !(isClosing || isClosed || isAbandoned))
                }
            }
        }
        var (last, orphan): (SimulatedRun?, WatchedView?) = Self.makeView { _ in }
        #expect(orphan?.isOpen() == true && last != nil)
        last = nil
        #expect(orphan?.isOpen() == false && orphan?.mayBeOlder(0, true) == false)
        orphan = nil
    }

    @Test func aViewIsToldWhichGenerationsMayBeOlder() {
        let scene = RunScene { $0.view = Self.viewPlan(.list) }
        let view = scene.run.watchedView
        #expect(view?.mayBeOlder(5, true) == false && view?.mayBeOlder(5, false) == false)
        scene.run.model?.noteDivergence(at: 5)
        #expect(view?.mayBeOlder(5, true) == true && view?.mayBeOlder(4, true) == false)
        // Short of rest, nodes may be those of later maps.
        #expect(view?.mayBeOlder(4, false) == true)
        #expect(view?.countsAgree() == true)
        let id = SubmissionID(rawValue: 1)
        scene.run.controller?.core.published.withLock { $0.divergence = .content(since: id) }
        #expect(view?.countsAgree() == true)
        scene.run.controller?.core.published.withLock { $0.divergence = .counts(since: id) }
        #expect(view?.countsAgree() == false)
    }

    @Test func aViewIsLookedAtAtRestThereAndThen() {
        let scene = RunScene { $0.view = Self.viewPlan(.list) }
        scene.run.checkViewAtRest()
        #expect(scene.noted == [])
        scene.onMain { $0.watchedView?.shown.beginBusy() }
        scene.run.checkViewAtRest()
        #expect(scene.noted == ["Simulated View: the view is busy at rest"])
        // There is nothing to look at.
        let other = RunScene()
        let steps = other.run.simulation.steps
        other.run.checkViewAtRest()
        #expect(other.run.simulation.steps == steps && other.noted == [])
    }

    @Test func aViewIsLookedAtWhenAnUpdateIsDeployedOrRefused() {
        let scene = RunScene { $0.view = Self.viewPlan(.list) }
        scene.onMain { $0.observeView(RunScene.event(.viewRefused)) }
        #expect(scene.noted == ["Simulated View: the view refused an update: no error"])
        scene.run.watchedView?.visibleMap = { .empty(generation: 7) }
        scene.run.observeView(RunScene.event(.accepted))
        scene.run.simulation.run()
        #expect(scene.noted == [])
        scene.run.observeView(RunScene.event(.deployed))
        #expect(scene.noted == [])
        scene.run.simulation.run()
        let text = "Simulated View: the view shows generation 1, but 7 is visible"
        #expect(scene.noted == [text])
    }

    @Test func whoFetchesIsThereWhereThePlanSaysSo() {
        for hasFetcher in [false, true] {
            let (_, view) = Self.makeView { $0.view?.hasFetcher = hasFetcher }
            #expect((view?.fetches != nil) == hasFetcher)
            #expect((view?.shown.batchFetcher != nil) == hasFetcher)
        }
    }

    /// What is put off meanwhile leaves no trace in its node.
    @Test func theSameMayBeMeasuredAgainWhereAnActionOffersOtherSizes() {
        for isMeasuring in [false, true] {
            let run = Self.makeView {
                $0.measuring = isMeasuring ? .init(first: 1, isOnDemand: true) : nil
            }.0
            #expect(run.nodes.allowance == 1)
            for action: ViewAction in [.scroll(1), .select(1), .idle(3)] { run.perform(action) }
            #expect(run.nodes.allowance == 1)
            run.perform(.inset(1))
            run.perform(.resize(width: 30, height: 9, isAnimated: false))
            run.perform(.setLayout(.flow, isAnimated: false))
            #expect(run.nodes.allowance == (isMeasuring ? 4 : 1))
        }
    }
}
