import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// The objects that a controller retains, the time for which it retains them, and the place where
/// they are released.
@Suite("Lifetimes", .endsHangs) struct LifetimeTests {
    private final class EndingSource: CollectionDataSource {
        let didEnd: () -> Void
        init(_ didEnd: @escaping () -> Void) { self.didEnd = didEnd }
        func numberOfItems(inSection section: Int) -> Int { 100 }
        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { LetterNode("a") } }
        deinit { didEnd() }
    }

    /// The pending work at the time of the last release.
    enum Business: CaseIterable, Sendable {
        case everyLane, aFarDeadline, manyThatWaitForRoom, theViewKeepsAnUpdate, aStallTimer
    }

    @Test(arguments: Substrate.allCases, Business.allCases)
    func theDataSourceIsReleasedOnTheMainLane(
        _ substrate: Substrate,
        _ business: Business
    ) async throws {
        let stage = substrate.makeStage()
        let (endings, completions) = (Journal<Bool>(), Journal<Void>())
        let count = business == .everyLane ? 20 : 1
        for _ in 0..<count {
            let view = RecordingView(.onDemand)
            var configuration = PipelineConfiguration()
            configuration.backlogLimit = 1
            configuration.stallTimeout = business == .aStallTimer ? .seconds(3600) : nil
            let keepsUpdates = business == .theViewKeepsAnUpdate || business == .aStallTimer
            let controller = stage.makeController(
                // Not in a variable, which could be the last owner on this thread.
                EndingSource { endings.append(stage.lane.isCurrent) },
                view: keepsUpdates ? view : nil,
                configuration: configuration,
                observer: EventRecorder()
            )
            for _ in 0..<(business == .manyThatWaitForRoom ? 10 : 1) {
                controller.enqueueBatchUpdates { _, changes in
                    changes.reloadData()
                } completion: { _ in
                    completions.append(())
                }
            }
            if business == .aFarDeadline {
                // Longer than the test may take.
                await controller.close(draining: true, timeout: .seconds(3600))
            }
            if business == .manyThatWaitForRoom { await completions.values(count: 10) }
            guard keepsUpdates else { continue }
            await view.received.values(count: 1)
            await onMain(controller) { _ in view.dropAll() }
        }
        #expect(await endings.values(count: count).allSatisfy { $0 })
    }

    private final class Companion: LayoutDelegate, UpdateFacilitator, PipelineObserver {
        func layoutContext(for map: ElementMap) -> any Sendable { 0 }
        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        { 0 }
        func willDeploy(_ update: ViewUpdate) {}
        func observe(_ event: PipelineEvent) {}
    }

    private final class Token: Sendable {}

    @Test(arguments: Substrate.allCases)
    func companionsLiveAsLongAsTheController(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        weak var delegate: Companion?
        weak var facilitator: Companion?
        weak var observer: Companion?
        weak var token: Token?
        var controller: DataController<TextDataSource>?
        do {
            let companions = (Companion(), Companion(), Companion())
            (delegate, facilitator, observer) = companions
            controller = stage.makeController(
                TextDataSource([["a"]]),
                layoutDelegate: companions.0,
                facilitators: [companions.1],
                observer: companions.2
            )
            try await controller?.reloadData()
        }
        #expect(delegate != nil && facilitator != nil && observer != nil)
        do {
            let kept = Token()
            token = kept
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                controller?.close { withExtendedLifetime(kept) { done.resume() } }
            }
        }
        controller = nil
        func isAnyLeft() -> Bool {
            delegate != nil || facilitator != nil || observer != nil || token != nil
        }
        for _ in 0..<1000 where isAnyLeft() { await stage.lane.run {} }
        #expect(!isAnyLeft())
    }

    enum Keeping: CaseIterable, Sendable {
        case noView, toTheEnd, inTheCallAlone, untilItIsLoaded, untilItHasAnUpdate
    }

    @Test(arguments: Substrate.allCases, Keeping.allCases)
    func aReleasedViewIsReportedOnceAndInEveryResult(
        _ substrate: Substrate,
        _ keeping: Keeping
    ) async throws {
        let (stage, events) = (substrate.makeStage(), EventRecorder())
        var view = keeping == .noView ? nil : RecordingView()
        if keeping == .untilItHasAnUpdate { view?.mode = .onDemand }
        weak let left = view
        let controller = stage.makeController(
            TextDataSource([["a"]]),
            view: view,
            observer: events
        )
        if keeping == .inTheCallAlone { view = nil }
        async let load = controller.reloadData()
        if keeping == .untilItHasAnUpdate {
            _ = await view?.received.values(count: 1)
            view = nil
        }
        var results = [try await load]
        if keeping == .untilItIsLoaded { view = nil }
        for _ in 0..<1000 where view == nil && left != nil { await stage.lane.run {} }
        for text in ["b", "c"] {
            results.append(try await controller.performBatchUpdates { $0.append(text, &$1) })
        }
        let firstGone: Int? =
            switch keeping {
            case .noView, .toTheEnd: nil
            case .inTheCallAlone, .untilItHasAnUpdate: 1
            case .untilItIsLoaded: 2
            }
        #expect(controller.visibleMap.texts == [["a", "b", "c"]])
        #expect(results.map(\.viewWasGone) == (1...3).map { $0 >= firstGone ?? 4 })
        let reported = events.events(.viewGone)
        #expect(reported.map(\.submission?.rawValue) == (firstGone.map { [$0] } ?? []))
        let advice = " viewGone: keep the view, unless it was dropped on purpose"
        #expect(reported.allSatisfy { "\($0)".hasSuffix(advice) })
        await controller.close()
        withExtendedLifetime(view) {}
        #expect(view != nil || left == nil)
    }

    @Test func elementsDoNotRetainTheirController() async throws {
        var scene: Scene? = Scene(.dispatch, [["a"]])
        try await scene?.controller.reloadData()
        let element = try #require(scene?.controller.pendingMap.element(at: ItemPath(0, 0)))
        #expect(element.controller(of: TextDataSource.self) === scene?.controller)
        #expect(element.controller(of: EndingSource.self) == nil)
        await scene?.close()
        scene = nil
        #expect(element.controller(of: TextDataSource.self) == nil)
        // The core is released after its scheduled turns.
        while element.dataSourcePlace != nil { await Task.yield() }
        element.setNeedsLayout()
    }
}

/// The release of models and nodes that large updates remove.
@Suite("Reclaiming", .endsHangs)
struct ReclaimingTests {
    /// A model that records where it is released.
    final class Mortal: Sendable {
        private let endings: Journal<CallPlace>
        private let stage: Stage

        init(_ endings: Journal<CallPlace>, _ stage: Stage) {
            self.endings = endings
            self.stage = stage
        }

        deinit { endings.append(stage.currentPlace) }
    }

    final class MortalNode: CollectionNode {
        private let mortal: Mortal
        init(_ mortal: Mortal) { self.mortal = mortal }
        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
    }

    /// A data source that does not retain its models.
    final class MortalSource: ModelDataSource {
        var counts: [Int]
        var onModels: () -> Void = {}
        let stage: Stage
        let endings: Journal<CallPlace>
        let makeNode: @Sendable (Mortal) throws -> any CollectionNode = { MortalNode($0) }

        init(_ counts: [Int], _ stage: Stage, _ endings: Journal<CallPlace>) {
            (self.counts, self.stage, self.endings) = (counts, stage, endings)
        }

        func numberOfSections() -> Int { counts.count }
        func numberOfItems(inSection section: Int) -> Int { counts[section] }
        func models(at items: Range<Int>, inSection section: Int) -> [Mortal] {
            onModels()
            return items.map { _ in Mortal(endings, stage) }
        }
    }

    /// An update of 5,000 and 6 items, with the number of released and remaining models.
    struct Removal: Sendable {
        let ended: Int
        let left: Int
        let update: @Sendable (MortalSource, inout BatchRecorder) -> Void
    }

    static let removals: [Removal] = [
        Removal(ended: 5000, left: 6) { source, changes in
            source.counts = [6]
            changes.deleteSections([0])
        },
        Removal(ended: 5000, left: 9) { source, changes in
            source.counts = [3, 6]
            changes.reloadSections([0])
        },
        Removal(ended: 5006, left: 0) { source, changes in
            source.counts = []
            changes.reloadData()
        },
        Removal(ended: 4990, left: 16) { source, changes in
            source.counts = [10, 6]
            changes.deleteItems(at: (10..<5000).map { ItemPath(0, $0) })
        },
    ]

    /// A smaller update needs no lane for this. The remaining models are released with the
    /// controller, also elsewhere if there are many.
    @Test(arguments: Substrate.allCases, removals.indices)
    func objectsRemovedByLargeUpdatesAreReleasedOffTheMainLane(
        _ substrate: Substrate,
        _ number: Int
    ) async throws {
        let (removal, endings) = (Self.removals[number], Journal<CallPlace>())
        let made = substrate.makeStage()
        let environment = RecordingEnvironment(made.environment)
        let stage = Stage(lane: made.lane, environment: environment)
        func lanes() -> Int { environment.lanes.values.count { $0.hasSuffix(".reclaiming") } }
        do {
            let controller = stage.makeController(MortalSource([400, 6], stage, endings))
            try await controller.reloadData()
            try await controller.performBatchUpdates(Self.removals[0].update)
            await endings.values(count: 400)
            #expect(lanes() == 0)
            // The models of a rejected change set are released too.
            await #expect(throws: UpdateError.self) {
                try await controller.performBatchUpdates { source, changes in
                    source.counts = [6, 5000]
                    changes.insertSections([1])
                    source.onModels = { [unowned source] in source.counts[1] += 1 }
                }
            }
            await endings.values(count: 5400)
            await controller.withDataSource { source in
                source.onModels = {}
                source.counts = [5000, 6]
            }
            try await controller.reloadData()
            await endings.values(count: 5406)
            endings.removeAll()
            try await controller.performBatchUpdates(removal.update)
            #expect(controller.visibleMap.numberOfItems == removal.left)
            let places = await endings.values(count: removal.ended)
            #expect(places.count == removal.ended && !places.contains(.mainLane))
            #expect(lanes() == 1)
            await controller.withDataSource { $0.counts = [5000] }
            try await controller.reloadData()
            await endings.values(count: removal.ended + removal.left)
            endings.removeAll()
            await controller.close()
        }
        #expect(await !endings.values(count: 5000).contains(.mainLane))
    }
}
