import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// Who fetches more for the view of a run, and what is said of a view that asks too little or too often.
@Suite("What fetches bring and what is asked amiss", .endsHangs)
struct SimulatedFetchesTests {
    /// Content of an extent and nothing in it.
    private final class FixedLayout: CollectionLayout {
        private let extent: Size
        init(_ extent: Size) { self.extent = extent }
        override var collectionViewContentSize: Size { extent }
    }

    /// A view of 10 by 10 that was filled, beside a run.
    private final class Scene: @unchecked Sendable {  // one thread
        let run: SimulatedRun
        let view: SimulatedCollectionView
        let fetcher = BatchFetcher()
        let fetches: SimulatedFetches
        private let controller: DataController<ModelList<String>>

        init(
            seed: UInt64 = 1,
            content: Size = Size(width: 10, height: 5),
            inset: EdgeInsets = .zero,
            size: Size = Size(width: 10, height: 10)
        ) {
            var plan = RunPlan(seed: 1)
            (plan.seed, plan.strategy, plan.faults, plan.onlyFault) = (seed, .inOrder, [], nil)
            (plan.clients, plan.view, plan.measuring, plan.loadsFirst) = ([], nil, nil, true)
            run = SimulatedRun(plan, keepsTrace: false)
            run.setUp()
            nonisolated(unsafe) let layout = FixedLayout(content)
            view = SimulatedCollectionView(size: size, layout: layout)
            view.contentInset = inset
            view.batchFetcher = fetcher
            fetches = SimulatedFetches(run, view)
            nonisolated(unsafe) let models = ModelList([["a", "b"]])
            controller = DataController(
                dataSource: models,
                view: view,
                lane: run.lane,
                environment: run.simulation.environment
            )
            controller.enqueueBatchUpdates { _, _ in
            } completion: { _ in
            }
            run.simulation.run()
        }

        func onMain(_ body: @escaping (Scene) -> Void) {
            nonisolated(unsafe) let body = body
            run.lane.enqueue { [self] in body(self) }
            run.simulation.run()
        }

        /// What is wrong at rest.
        var foundAtRest: [String] {
            onMain { $0.fetches.checkAtRest() }
            return noted
        }

        /// What was noted since it was asked last.
        var noted: [String] {
            defer { run.violations = [] }
            return run.violations.map(\.description)
        }

        /// Has the view ask, and whoever fetches do so.
        func begin() {
            onMain { scene in
                scene.fetcher.delegate = scene.fetches
                scene.view.setNeedsLayout()
            }
        }
    }

    private static func text(_ end: String) -> String {
        "Fetched Once: nobody is asked for the \(end), though there is less than the viewport shows"
    }

    // MARK: At rest

    /// Whether content fills the viewport along the one axis that scrolls, else along the vertical one.
    @Test func thereIsTooLittleWhereTheViewportIsNotFilled() {
        let insets = [
            EdgeInsets.zero, EdgeInsets(left: 1), EdgeInsets(right: 2), EdgeInsets(top: 1),
            EdgeInsets(bottom: 2), EdgeInsets(top: 1, left: 1, bottom: 1, right: 1),
        ]
        for inset in insets {
            for width in [8.0, 9, 10, 11] {
                for height in [8.0, 9, 10, 11] {
                    let content = Size(width: width, height: height)
                    let scene = Scene(content: content, inset: inset)
                    let isWider = width + inset.left + inset.right > 10
                    let isHigher = height + inset.top + inset.bottom > 10
                    let extent = isWider && !isHigher ? width : height
                    #expect(
                        scene.foundAtRest == (extent < 10 ? [Self.text("tail")] : []),
                        "\(content) within \(inset)"
                    )
                }
            }
        }
    }

    @Test func aViewOfNothingIsFilled() {
        for size in [Size.zero, Size(width: 10, height: 0), Size(width: 0, height: 10)] {
            #expect(Scene(size: size).foundAtRest == [])
        }
    }

    @Test func onlyTheEndsThatAreWantedAreAskedFor() {
        let scene = Scene()
        #expect(scene.foundAtRest == [Self.text("tail")])
        scene.onMain { $0.fetches.perform(.wantsHead) }
        #expect(scene.fetcher.leadingScreens(at: .head) == 1)
        #expect(scene.foundAtRest == [Self.text("head"), Self.text("tail")])
        scene.onMain { $0.fetches.perform(.wantsNoHead) }
        #expect(scene.fetcher.leadingScreens(at: .head) == 0)
        #expect(scene.foundAtRest == [Self.text("tail")])
    }

    // MARK: Fetching

    /// What became of a fetch that somebody else began.
    private static func outcome(of scene: Scene) -> BatchFetchContext.Call? {
        let calls = Lock<[BatchFetchContext.Call]>([])
        scene.onMain { scene in
            let context = BatchFetchContext(at: .tail) { call in calls.withLock { $0.append(call) }
            }
            scene.fetches.batchFetcher(scene.fetcher, willBegin: context)
        }
        return calls.withLock { $0.first }
    }

    /// Five times anything may come of it, and from then on an end has nothing more, since it would be fetched for ever.
    @Test func anythingMayComeOfFiveFetchesAndNothingAfterThem() {
        var fifthThatGoesOn = 0
        var marks: Set<String> = []
        for seed: UInt64 in 0..<30 {
            let scene = Scene(seed: seed)
            for number in 1...7 {
                let outcome = Self.outcome(of: scene)
                let isExhausted =
                    if case .completed(.exhausted)? = outcome { true } else { false }
                #expect(outcome != nil, "fetch \(number) ends")
                if number > 5 { #expect(isExhausted, "fetch \(number) of seed \(seed)") }
                if number == 5, !isExhausted { fifthThatGoesOn += 1 }
            }
            #expect(scene.run.marks["fetch tail"] == 7)
            marks.formUnion(scene.run.marks.keys)
            #expect(scene.noted == [], "seed \(seed)")
        }
        #expect(fifthThatGoesOn > 0)
        for fate in [
            "brings", "bringsLate", "bringsTwice", "bringsNothing", "exhausts", "fails", "givesUp",
        ] { #expect(marks.contains("fetch \(fate)"), "\(fate) among \(marks.sorted())") }
    }

    @Test func whoIsAskedAgainMeanwhileIsNoted() {
        let scene = Scene()
        scene.onMain { scene in
            for _ in 0..<2 {
                let context = BatchFetchContext(at: .head) { _ in }
                scene.fetches.batchFetcher(scene.fetcher, willBegin: context)
            }
        }
        let text = "Fetched Once: the head is asked for again, though somebody fetches"
        #expect(scene.noted == [text])
    }

    @Test func whoTriesAgainIsAskedAgain() {
        for seed: UInt64 in 0..<12 {
            let scene = Scene(seed: seed)
            scene.begin()
            let count = scene.run.marks["fetch tail"] ?? 0
            #expect(count > 0)
            #expect(scene.foundAtRest == [])
            scene.onMain { $0.fetches.perform(.triesTailAgain) }
            #expect((scene.run.marks["fetch tail"] ?? 0) > count)
            #expect(scene.foundAtRest == [])
        }
    }

    /// Whoever wants to try again and is not asked is noted, and calling off what nobody fetches changes nothing.
    @Test func whatNobodyFetchesCannotBeCalledOff() {
        for seed: UInt64 in 0..<12 {
            let scene = Scene(seed: seed)
            _ = Self.outcome(of: scene)
            scene.onMain { $0.fetches.perform(.triesTailAgain) }
            #expect(scene.foundAtRest == [Self.text("tail")])
            scene.onMain { $0.fetches.perform(.callsOffTail) }
            #expect(scene.foundAtRest == [Self.text("tail")])
        }
    }

    /// An end rests whose fetch was called off, whenever that is.
    @Test func whatIsCalledOffRests() {
        let calledOff = Lock(0)
        for seed: UInt64 in 0..<6 {
            for steps in 1..<20 {
                let scene = Scene(seed: seed)
                scene.run.lane.enqueue {
                    scene.fetcher.delegate = scene.fetches
                    scene.view.setNeedsLayout()
                }
                for _ in 0..<steps { scene.run.simulation.step() }
                scene.run.lane.enqueue {
                    if scene.fetcher.isFetching(at: .tail) { calledOff.withLock { $0 += 1 } }
                    scene.fetches.perform(.callsOffTail)
                }
                scene.run.simulation.run()
                let found = scene.foundAtRest
                #expect(!found.contains(Self.text("tail")), "seed \(seed), after \(steps) steps")
            }
        }
        #expect(calledOff.withLock { $0 } > 0)
    }
}
