import CollectionElements
import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting
@testable import SimulatedView

/// What becomes of single fetches, and of ends that an application calls off.
@Suite("Fates of fetches", .endsHangs)
struct SimulatedFetchesFateTests {
    /// A view beside a run, which shows an item in much room, and who fetches for it.
    private final class Scene: @unchecked Sendable {  // one thread
        let scene: RunScene
        let view: SimulatedCollectionView
        let fetcher = BatchFetcher()
        let fetches: SimulatedFetches
        var run: SimulatedRun { scene.run }

        init(seed: UInt64 = 1, size: Size = Size(width: 40, height: 100)) {
            scene = RunScene { $0.seed = seed }
            nonisolated(unsafe) let layout = ListLayout()
            view = SimulatedCollectionView(size: size, layout: layout)
            view.batchFetcher = fetcher
            fetches = SimulatedFetches(scene.run, view)
            // What is brought is to be shown there.
            run.controller = scene.makeOther(sections: 1, items: 1, view: view).controller
            run.simulation.run()
        }

        func count(_ mark: String) -> Int { run.marks[mark] ?? 0 }
    }

    // MARK: Fates

    private static func name(_ call: BatchFetchContext.Call) -> String {
        switch call {
        case .completed(.fetched): "fetched"
        case .completed(.exhausted): "exhausted"
        case .completed(.failed(let error)): error is PlannedFailure ? "failed" : "\(error)"
        case .completedAgain: "again"
        case .abandoned: "abandoned"
        }
    }

    /// By fate: how often the run edits, what is told in the turn in which it is met, and what later.
    private static let fates: [(name: String, edits: Int, now: [String], later: [String])] = [
        ("brings", 1, ["fetched"], []), ("bringsTwice", 1, ["fetched", "again"], []),
        ("bringsLate", 1, [], ["fetched"]), ("bringsNothing", 0, ["fetched"], []),
        ("exhausts", 0, ["exhausted"], []), ("fails", 0, ["failed"], []),
        ("givesUp", 0, ["abandoned"], []),
    ]

    @Test func everyFateIsMetAsItsNameSaysAfterUpToFourTurns() {
        var turns: Set<Int> = []
        var met: Set<String> = []
        for seed: UInt64 in 0..<60 {
            let scene = Scene(seed: seed)
            let run = scene.run
            let calls = Lock<[String]>([])
            run.lane.enqueue {
                let context = BatchFetchContext(at: .tail) { call in
                    calls.withLock { $0.append(Self.name(call)) }
                }
                scene.fetches.batchFetcher(scene.fetcher, willBegin: context)
            }
            func fate() -> (name: String, edits: Int, now: [String], later: [String])? {
                Self.fates.first { scene.count("fetch \($0.name)") > 0 }
            }
            run.simulation.step()
            #expect(scene.count("fetch tail") == 1 && fate() == nil)
            var count = 0
            while fate() == nil, run.simulation.step() { count += 1 }
            turns.insert(count)
            guard let (name, edits, now, later) = fate() else { continue }
            met.insert(name)
            #expect(run.completions.count == 1 + edits, "\(name)")
            #expect(calls.withLock { $0 } == now, "\(name)")
            run.simulation.run()
            #expect(calls.withLock { $0 } == now + later, "\(name)")
            #expect(run.completions.count == 1 + edits && scene.scene.noted == [])
        }
        #expect(turns == [1, 2, 3, 4])
        #expect(met == Set(Self.fates.map(\.name)))
    }

    // MARK: Calling off

    @Test func anEndThatIsCalledOffRestsAndMayBeTriedAgain() {
        let ends: [(ContentEnd, FetchAction, FetchAction)] = [
            (.head, .callsOffHead, .triesHeadAgain), (.tail, .callsOffTail, .triesTailAgain),
        ]
        for (end, callsOff, triesAgain) in ends {
            let other: ContentEnd = end == .head ? .tail : .head
            var count = 0
            for seed: UInt64 in 0..<12 {
                let scene = Scene(seed: seed)
                let run = scene.run
                run.lane.enqueue {
                    scene.fetcher.delegate = scene.fetches
                    scene.fetches.perform(.wantsHead)
                }
                while scene.count("fetch tail") == 0, run.simulation.step() {}
                #expect(scene.count("fetch head") == 1)
                let isCalledOff = Lock(false)
                run.lane.enqueue {
                    let isFetching = scene.fetcher.isFetching(at: end)
                    let isOtherFetching = scene.fetcher.isFetching(at: other)
                    scene.fetches.perform(callsOff)
                    #expect(!scene.fetcher.isFetching(at: end))
                    #expect(scene.fetcher.isFetching(at: other) == isOtherFetching)
                    isCalledOff.withLock { $0 = isFetching }
                    scene.fetches.perform(triesAgain)
                }
                while scene.count("fetch \(end)") < 2, run.simulation.step() {}
                #expect(scene.count("fetch \(end)") == 2)
                run.simulation.run()
                #expect(scene.scene.noted == [], "seed \(seed)")
                if isCalledOff.withLock({ $0 }) { count += 1 }
            }
            #expect(count > 0, "\(end)")
        }
    }

    // MARK: At rest

    @Test func aViewWithoutExtentLacksNothing() {
        for (width, height) in [(40.0, 100.0), (0, 100), (40, 0), (0, 0)] {
            let scene = Scene(size: Size(width: width, height: height))
            scene.scene.onMain { _ in scene.fetches.checkAtRest() }
            let text =
                "Fetched Once: nobody is asked for the tail, though there is less than the viewport shows"
            #expect(
                scene.scene.noted == (width > 0 && height > 0 ? [text] : []),
                "\(width) × \(height)"
            )
        }
    }
}
