import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import PipelineTesting
import SimulatedView
import Testing

@Suite("Faulty View") struct FaultyViewTests {
    typealias Bug = ListView.Bug

    /// Two of the first section go, and two others come, so that the order matters; on request a section too.
    private func change(
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

    /// Submits six batches; every one must complete once.
    private func run(
        _ simulation: Simulation,
        _ view: FaultyView,
        changesSections: Bool = false,
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
        #expect(completed.values.sorted() == Array(0..<6))
    }

    private func runList(_ bug: Bug?, _ seeds: Range<UInt64>) throws(SeedFailure) {
        try Simulation.forEachSeed(seeds) { simulation in
            let list = ListView(bug)
            let view = FaultyView(wrapping: list, in: simulation, expecting: ListView.texts) {
                list.texts
            }
            try run(
                simulation,
                view,
                changesSections: bug == nil,
                closesEarly: bug == .keepsWhenClosed
            )
            #expect(list.isClosed)
            // By turns, from the first update to the close, which lets nothing in any more.
            #expect(list.inFlight == list.inFlight.indices.map { $0 % 2 == 0 })
            #expect(list.inFlight.last == true)
        }
    }

    @Test func aRightViewPasses() throws {
        try runList(nil, 0..<Effort.number(1_000, usually: 300))
    }

    private static let codes: [(Bug, ViewMistake.Code)] = [
        (.insertsFirst, .wrongContent),
        (.showsWhatIsReplaced, .changedOutsideDeploy),
        (.keepsWhatIsReplaced, .keptReplaced),
        (.changesLater, .changedOutsideDeploy),
        (.finishesFirst, .wrongCall),
        (.deploysTwice, .wrongCall),
        (.deploysLastFirst, .wrongCall),
        (.neverDeploys, .neverDeployed),
        (.neverFinishes, .neverFinished),
        (.dropsWhatIsEmpty, .notShown),
        (.keepsWhenClosed, .keptAfterClose),
    ]

    @Test(arguments: codes)
    func aBugIsFoundAndSaysWhatToDo(_ bug: Bug, _ code: ViewMistake.Code) throws {
        let failure = #expect(throws: SeedFailure.self) { try runList(bug, 0..<1_000) }
        let mistake = try #require(failure?.underlyingError as? ViewMistake)
        #expect(mistake.code == code, "\(mistake)")
        let text = try #require(failure.map { "\($0)" })
        #expect(text.hasPrefix("seed ") && text.contains("\nDo: \(mistake.hint)\n"))
        #expect(text.contains("\nAgain: Simulation.forEachSeed("), "\(text)")
        #expect(text.contains("\nstep "), "\(text)")
    }

    @Test func aSeedAndItsChoicesGiveTheSameFailure() throws {
        let first = #expect(throws: SeedFailure.self) {
            try runList(.showsWhatIsReplaced, 0..<1_000)
        }
        let seed = try #require(first?.seed)
        let again = #expect(throws: SeedFailure.self) {
            try runList(.showsWhatIsReplaced, seed..<seed + 1)
        }
        #expect(again?.choices == first?.choices && again?.isRepeated == true)
        #expect(again?.timeline == first?.timeline)
    }

    @Test func whatDependsOnMoreThanItsSimulationIsToldSo() throws {
        var count = 0
        let failure = #expect(throws: SeedFailure.self) {
            try Simulation.forEachSeed([7]) { _ in
                count += 1
                if count == 1 { throw TestFailure("once") }
            }
        }
        #expect(failure?.isRepeated == false)
        #expect(failure.map { "\($0)" }?.contains("something beside its simulation") == true)
    }

    @Test func theSimulatedViewPasses() throws {
        try Simulation.forEachSeed(0..<200) { simulation in
            let shown = SimulatedCollectionView(size: Size(width: 40, height: 6))
            let view = FaultyView(wrapping: shown, in: simulation, expecting: ListView.texts) {
                ListView.texts(of: shown.map)
            }
            try run(simulation, view, changesSections: true)
        }
    }

    @Test func withoutAViewEverythingIsShown() throws {
        try Simulation.forEachSeed(0..<200) { simulation in
            try run(simulation, FaultyView(in: simulation), changesSections: true)
        }
    }

    @Test func everyFaultHappens() throws {
        var happened: Set<FaultPoint> = []
        try Simulation.forEachSeed(0..<100) { simulation in
            try run(simulation, FaultyView(wrapping: ListView(), in: simulation))
            happened.formUnion(simulation.faultCounts.keys)
        }
        #expect(happened == Set(FaultPoint.viewRates.keys))
    }

    @Test func nothingIsKeptOfAClosedController() throws {
        try Simulation.forEachSeed(0..<100) { simulation in
            weak var released: ListView?
            do {
                let list = ListView()
                released = list
                try run(simulation, FaultyView(wrapping: list, in: simulation))
            }
            simulation.run()
            #expect(released == nil)
        }
    }
}
