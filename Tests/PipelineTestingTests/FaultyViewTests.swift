import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import Testing

/// A view that an application has written, under many faults: a correct view passes, and each
/// mistake is identified.
@Suite("Faulty View", .endsHangs) struct FaultyViewTests {
    typealias Bug = ListView.Bug

    /// Removes two items of the first section and inserts two, so that the order matters; on
    /// request also changes a section.
    private static func change(
        _ list: ModelList<String>,
        _ changes: inout BatchRecorder,
        _ number: Int,
        changesSections: Bool
    ) {
        list[0].remove(at: 2)
        list[0].remove(at: 0)
        list[0].insert("x\(number)", at: 0)
        list[0].insert("y\(number)", at: 1)
        let paths = (0..<3).map { ItemPath(section: 0, item: $0) }
        changes.deleteItems(at: [paths[0], paths[2]])
        changes.insertItems(at: [paths[0], paths[1]])
        guard changesSections else { return }
        if number.isMultiple(of: 2) {
            list.sections.insert(["s\(number)", "t\(number)"], at: 1)
            changes.insertSections([1])
        } else {
            list.sections.remove(at: 1)
            changes.deleteSections([1])
        }
    }

    /// Submits six batches; each must complete once.
    private static func run(
        _ simulation: Simulation,
        _ view: FaultyView,
        changesSections: Bool = true,
        closesEarly: Bool = false
    ) throws {
        let models = ModelList([["a", "b", "c", "d"], ["e", "f"]])
        let controller = DataController(dataSource: models, view: view, in: simulation)
        let completed = Journal<Int>()
        for number in 0..<6 {
            controller.enqueueBatchUpdates { list, changes in
                change(list, &changes, number, changesSections: changesSections)
            } completion: { _ in
                completed.append(number)
            }
        }
        if closesEarly {
            for _ in 0..<20 { simulation.step() }
            controller.close(draining: false) {}
        }
        try simulation.settle(controller, view)
        if completed.values.sorted() != Array(0..<6) {
            throw TestFailure("completed: \(completed.values)")
        }
    }

    private static func runList(
        _ bug: Bug?,
        refuses: Bool = false,
        rates: [FaultPoint: Double] = FaultPoint.viewRates,
        _ seeds: Range<UInt64>
    ) throws(SeedFailure) -> Set<FaultPoint> {
        var occurred: Set<FaultPoint> = []
        try Simulation.forEachSeed(seeds, faultRates: rates) { simulation in
            weak var released: ListView?
            do {
                let signal = simulation.environment.makeSignal()
                let list = ListView(bug, refuses: refuses) { signal.wait() }
                released = list
                let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.texts) {
                    list.texts
                }
                try run(
                    simulation,
                    view,
                    changesSections: bug == nil,
                    closesEarly: bug == .keepsWhenClosed
                )
                // The values alternate from the first update to the close, which admits no further
                // updates.
                let turns = list.inFlight.indices.map { $0 % 2 == 0 }
                if !list.isClosed || list.inFlight != turns || turns.last != true {
                    throw TestFailure("in flight: \(list.inFlight), closed: \(list.isClosed)")
                }
            }
            occurred.formUnion(simulation.faultCounts.keys)
            simulation.run()
            if released != nil { throw TestFailure("a closed controller retains the view") }
        }
        return occurred
    }

    @Test(arguments: [false, true]) func aCorrectViewPasses(refuses: Bool) throws {
        let count = UInt64(Effort.number(1_000, usually: 300))
        let occurred = try Self.runList(nil, refuses: refuses, 0..<count)
        #expect(occurred == Set(FaultPoint.viewRates.keys), "every fault happens")
    }

    @Test func withoutAViewEverythingIsShown() throws {
        try Simulation.forEachSeed(0..<200) { simulation in
            try Self.run(simulation, FaultyView(in: simulation))
        }
    }

    private static let codes: [(Bug, ViewMistake.Code)] = [
        (.insertsFirst, .wrongContent),
        (.showsWhatIsReplaced, .changedOutsideDeploy),
        (.keepsWhatIsReplaced, .keptReplaced),
        (.changesLater, .changedOutsideDeploy),
        (.clearsWhenClosed, .changedOutsideDeploy),
        (.finishesFirst, .wrongCall),
        (.deploysTwice, .wrongCall),
        (.deploysLastFirst, .wrongCall),
        (.neverDeploys, .neverDeployed),
        (.waitsForWhatIsEmpty, .neverDeployed),
        (.neverFinishes, .neverFinished),
        (.keepsWhatIsEmpty, .neverFinished),
        (.dropsWhatIsEmpty, .notShown),
        (.keepsWhenClosed, .keptAfterClose),
        (.waits, .hangs),
    ]

    @Test func theTableHasEveryBugAndMistake() {
        #expect(Set(Self.codes.map(\.0)) == Set(Bug.allCases))
        let ofContent: Set<ViewMistake.Code> = [.unrecordedContent, .uncheckedContent]
        #expect(Set(Self.codes.map(\.1)) == Set(ViewMistake.Code.allCases).subtracting(ofContent))
    }

    @Test(arguments: codes)
    func aBugIsFoundAndTheReportSuggestsAFix(_ bug: Bug, _ code: ViewMistake.Code) throws {
        func run(_ seeds: Range<UInt64>) -> SeedFailure? {
            #expect(throws: SeedFailure.self) { _ = try Self.runList(bug, seeds) }
        }
        let failure = try #require(run(0..<1_000))
        let mistake = try #require(failure.underlyingError as? ViewMistake)
        #expect(mistake.code == code, "\(mistake)")
        let text = "\(failure)"
        for part in ["\n\(mistake.hint).\n", "\nRepeat it with Simulation.forEachSeed(", "\nstep "]
        {
            #expect(text.hasPrefix("seed \(failure.seed): ") && text.contains(part), "\(text)")
        }
        // The reported seed gives the same failure again, in the same steps.
        let again = try #require(run(failure.seed..<failure.seed + 1))
        #expect(again.choices == failure.choices && again.timeline == failure.timeline)
        #expect(again.isRepeated && !text.contains("the same faultRates"))
    }

    @Test func aFailureDescribesHowToRepeatIt() throws {
        let rates: [FaultPoint: Double] = [.viewIsBusy: 0.5]
        let own = #expect(throws: SeedFailure.self) {
            _ = try Self.runList(.neverFinishes, rates: rates, 0..<5)
        }
        #expect(own.map { "\($0)" }?.contains(", and the same faultRates\n") == true)
        var count = 0
        let failure = #expect(throws: SeedFailure.self) {
            try Simulation.forEachSeed([7]) { _ in
                count += 1
                if count == 1 { throw TestFailure("once") }
            }
        }
        #expect(failure?.isRepeated == false && failure?.seed == 7)
        #expect(failure.map { "\($0)" }?.contains("something outside its simulation") == true)
    }

    // MARK: Content

    /// The mistakes of a feed, or of the code that edits it.
    enum FeedMistake: String, CaseIterable, Sendable {
        case wrongIndex, reloadedAfterwards, unrecorded, withoutModels, withOpaqueModels
    }

    private final class Feed: CollectionDataSource {
        private struct Opaque { let text: String }

        var posts: [String] = []
        private let mistake: FeedMistake?

        init(_ mistake: FeedMistake?) { self.mistake = mistake }

        func numberOfItems(inSection section: Int) -> Int { posts.count }

        func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { { throw TestFailure() } }

        func model(forItemAt path: ItemPath) -> (any Sendable)? {
            switch mistake {
            case .withoutModels: nil
            case .withOpaqueModels: Opaque(text: posts[path.item])
            default: posts[path.item]
            }
        }
    }

    private static func runFeed(
        _ mistake: FeedMistake?,
        _ seed: UInt64,
        checksContent: Bool = true
    ) -> SeedFailure? {
        do {
            try Simulation.forEachSeed([seed]) { simulation in
                let view = FaultyView(in: simulation)
                var configuration = PipelineConfiguration()
                configuration.name = "news"
                if mistake == .reloadedAfterwards { configuration.contentCheck = .all }
                let controller = DataController(
                    dataSource: Feed(mistake),
                    view: view,
                    in: simulation,
                    configuration: configuration
                )
                for number in 0..<6 {
                    controller.enqueueBatchUpdates { feed, changes in
                        feed.posts.insert("post \(number)", at: 0)
                        switch (mistake, number) {
                        case (.wrongIndex, 3), (.reloadedAfterwards, 3):
                            changes.insertItems(at: [ItemPath(0, 3)])
                        case (.reloadedAfterwards, 5): changes.reloadData()
                        default: changes.insertItems(at: [ItemPath(0, 0)])
                        }
                    } completion: { _ in
                        guard mistake == .unrecorded, number == 5 else { return }
                        controller.assumeIsolated().dataSource.posts.append("unrecorded")
                    }
                }
                try simulation.settle(controller, view, checksContent: checksContent)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Every seed finds each mistake, unless the content is not checked.
    @Test(arguments: FeedMistake.allCases)
    func unrecordedOrIncomparableContentIsFound(_ mistake: FeedMistake) throws {
        for seed in 0..<UInt64(10) {
            #expect(Self.runFeed(nil, seed) == nil)
            #expect(Self.runFeed(mistake, seed, checksContent: false) == nil)
            let failure = try #require(Self.runFeed(mistake, seed), "seed \(seed)")
            let found = try #require(failure.underlyingError as? ViewMistake)
            let isUnchecked = mistake == .withoutModels || mistake == .withOpaqueModels
            #expect(found.code == (isUnchecked ? .uncheckedContent : .unrecordedContent))
            #expect("\(found)".contains("\n\(found.hint).") && failure.isRepeated, "\(failure)")
            // The last steps name the controller, its lanes, and the outcomes of submissions.
            let timeline = "\(failure.timeline)"
            for part in ["news.main", "news #"] {
                #expect(timeline.contains(part), "\(timeline)")
            }
        }
    }

    /// The report shows the difference, however long the texts are.
    @Test(arguments: [3, 60, 500]) func aReportedDifferenceIsShortened(_ length: Int) throws {
        let start = (0..<length).map { String($0 % 10) }.joined()
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let list = ListView()
        let view = FaultyView(wrapping: list, in: simulation) { _ in
            start + "expected"
        } showing: {
            start + "shown"
        }
        let mistake = #expect(throws: ViewMistake.self) { try Self.run(simulation, view) }
        let summary = try #require(mistake?.summary)
        #expect(mistake?.code == .wrongContent && summary.count < 400)
        #expect(
            summary.contains("shown instead of ") && summary.hasSuffix("expected"),
            "\(summary)"
        )
    }
}
