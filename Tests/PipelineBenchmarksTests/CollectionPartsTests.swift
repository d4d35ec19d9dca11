import CollectionPipeline
import Dispatch
import PipelineTestSupport
import Testing

@testable import pipeline_benchmarks

/// What is measured, at sizes that a person can check.
@Suite struct CollectionPartsTests {
    @Test func randomNumbersAreThoseOfTheirSource() {
        // From the authors' program, with the seed 1234567.
        var random = SplitMix64(seed: 1_234_567)
        let numbers = (0..<3).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ]
        )
    }

    @Test func tenEditsAreFiveDeletesAndFiveInserts() {
        var random = SplitMix64()
        let plan = EditPlan.randomTen(in: [7, 7], using: &random)
        #expect(plan.oldPaths.count == 5 && plan.newPaths.count == 5)
        #expect(Set(plan.oldPaths).count == 5 && Set(plan.newPaths).count == 5)
        #expect(plan.applied(to: [7, 7]).reduce(0, +) == 14)
        let path = ItemPath(section: 1, item: 3)
        let single = EditPlan(deleting: path)
        #expect(single.oldPaths == [path] && single.newPaths.isEmpty)
        #expect(single.applied(to: [7, 7]) == [7, 6])
    }

    @Test(.endsHangs)
    func onlyNamedSectionsAreNamed() throws {
        let collection = try LoadedCollection(.init(4, 6))
        for naming in [true, false, true] {
            #expect(try collection.nanosecondsOfTenEdits(namingSections: naming) > 0)
            #expect(collection.map.numberOfItems == 24)
            #expect(collection.map.shape.itemCounts == collection.counts)
        }
        let source = CountsSource([2, 3], lifetime: DispatchGroup())
        #expect(source.changedSections() == nil)
        source.namesChangedSections = true
        #expect(source.changedSections() == [])
        #expect(source.numberOfSections() == 2 && source.numberOfItems(inSection: 1) == 3)
        #expect(source.models(at: 1..<3, inSection: 1) == 1..<3)
        var changes = HierarchyChangeSet()
        source.applyRandomPlan(to: &changes)
        #expect(source.counts.reduce(0, +) == 5)
        #expect(throws: Never.self) {
            _ = try changes.validated(from: [2, 3], to: HierarchyShape(source.counts))
        }
    }

    @Test(.endsHangs)
    func whatPlansDoReachesTheElements() throws {
        let collection = try LoadedCollection(.init(3, 8))
        for _ in 0..<5 {
            let old = collection.map
            let plan = collection.plan(deletions: 2, insertions: 3)
            let times = try collection.deploy(plan)
            #expect(times.nanoseconds > 0 && times.nanoseconds >= times.longestNanoseconds)
            for path in plan.oldPaths {
                let element = try #require(old.element(at: path))
                #expect(collection.map.path(of: element) == nil)
            }
            for path in plan.newPaths {
                let element = try #require(collection.map.element(at: path))
                #expect(old.path(of: element) == nil)
            }
        }
    }

    @Test(.endsHangs)
    func smallSetsChangeOneItemAndShowTwoOthersAgain() throws {
        let collection = try LoadedCollection(.init(5, 4))
        var count = 20
        for inserting in [true, false, false, true, true, false] {
            let old = collection.map
            let start = Stopwatch.wallNanoseconds
            let time = try collection.wallNanosecondsOfSmallSet(inserting: inserting)
            #expect(time > 0 && time <= Double(Stopwatch.wallNanoseconds - start))
            count += inserting ? 1 : -1
            #expect(collection.map.numberOfItems == count)
            let kept = old.items.count { collection.map.path(of: $0.element) != nil }
            #expect(kept == (inserting ? count - 1 : count))
        }
    }

    @Test(.endsHangs)
    func aGroupTellsWhenACollectionIsGone() throws {
        var collection: LoadedCollection? = try LoadedCollection(.init(2, 2))
        let ended = try #require(collection?.ended)
        #expect(ended.wait(timeout: .now()) == .timedOut)
        do {
            try ended.waitUntilGone(within: 0)
            Issue.record("it is still there")
        } catch let failure as Failure {
            #expect(failure.description.hasSuffix("is still there after 0 s"))
        }
        collection = nil
        try ended.waitUntilGone()
        #expect(ended.wait(timeout: .now()) == .success)
    }

    @Test(.endsHangs)
    func theBenchKeepsOneCollectionAtATime() throws {
        let bench = Workbench(Scale(sizeDivisor: 10_000))
        do {
            let first = try bench.million()
            let second = try bench.million()
            #expect(first.outline == .init(10, 10))
            #expect(first === second)
        }
        weak var gone: LoadedCollection?
        var ended: DispatchGroup?
        do {
            let other = try bench.collection(.init(2, 3))
            #expect(other.outline == .init(2, 3))
            gone = other
            ended = other.ended
        }
        #expect(gone != nil)
        try bench.clear()
        #expect(gone == nil)
        #expect(ended?.wait(timeout: .now()) == .success)
        try bench.clear()
    }

    @Test(.endsHangs)
    func copyingCollectionsHaveTheElementsOfTheirMap() throws {
        let map = try MapFactory.makeMap(.init(3, 4))
        let copying = CopyingCollection(of: map)
        #expect(copying.map.sections.map(\.count) == [4, 4, 4])
        for item in map.items { #expect(copying.map.path(of: item.element) == item.path) }
        let before = BlackHole.consumed
        #expect(copying.nanosecondsOfTenEdits() > 0)
        let after = BlackHole.consumed
        #expect(after.count - before.count == 1 && after.sum - before.sum == 3)
        let kept = map.items.count { copying.map.path(of: $0.element) != nil }
        #expect(kept == 7)
        #expect(copying.map.sections.reduce(0) { $0 + $1.count } == 12)
    }

    @Test(.endsHangs)
    func fleetsAreLoadedAndIdle() throws {
        var fleet: ControllerFleet? = try ControllerFleet(count: 3)
        let elements = try #require(fleet?.elements)
        #expect(elements.count == 300)
        #expect(Set(elements.map { ObjectIdentifier($0) }).count == 300)
        let ended = try #require(fleet?.ended)
        #expect(ended.wait(timeout: .now()) == .timedOut)
        fleet = nil
        try ended.waitUntilGone()
        // Of 1,000 bytes, 400 were left, 100 of them for the array itself.
        #expect(ControllerFleet.bytesEach(of: 7, all: 1_000, kept: 400, array: 100) == 100)
    }

    @Test(.endsHangs)
    func lookUpsAskWhatIsThere() throws {
        let map = try MapFactory.makeMap(.init(4, 5))
        let look = LookUps(map, count: 300)
        #expect(look.elements.elementsEqual(map.items.map(\.element), by: { $0 === $1 }))
        #expect(look.indexes.count == 300 && Set(look.indexes) == Set(0..<20))
        for (index, path) in zip(look.indexes, look.paths) {
            #expect(path == ItemPath(section: index / 5, item: index % 5))
        }
        let found = look.paths.compactMap { map.element(at: $0) }
        #expect(look.randomElements.elementsEqual(found, by: { $0 === $1 }))
        let table = look.pathsByElement
        #expect(table.count == 20)
        for item in map.items { #expect(table[ObjectIdentifier(item.element)] == item.path) }
        var before = BlackHole.consumed
        look.findElements()
        #expect(BlackHole.consumed.count - before.count == 300)
        before = BlackHole.consumed
        look.findPaths()
        let sum = look.paths.reduce(0) { $0 + UInt64($1.item) }
        #expect(BlackHole.consumed.count - before.count == 300)
        #expect(BlackHole.consumed.sum - before.sum == sum)
    }

    @Test(.endsHangs)
    func slowNodesAreAllMeasured() throws {
        let load = SpinLoad(nanoseconds: 100_000)
        let start = Stopwatch.wallNanoseconds
        let run = try MeasuringRun(nodes: 20, load, workers: 1)
        let elapsed = Double(Stopwatch.wallNanoseconds - start)
        #expect(run.nanoseconds <= elapsed)
        // Half of what they were to take, since processors change their speed.
        #expect(run.nanoseconds >= 20 * 50_000)
    }

    @Test func loadsTakeTheTimeThatIsAskedFor() {
        for nanoseconds in [100_000.0, 1_000_000] {
            let load = SpinLoad(nanoseconds: nanoseconds)
            let before = BlackHole.consumed.count
            let times = (0..<9).map { _ in Stopwatch.threadNanoseconds { load.run() } }
            #expect(BlackHole.consumed.count - before == 9)
            let median = Samples(times).median
            #expect(median > nanoseconds / 3 && median < nanoseconds * 3)
        }
    }

    @Test func everyStepOfALoadNeedsTheOneBefore() {
        for steps in 0..<6 {
            var value = UInt64(steps)
            for _ in 0..<steps {
                value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            }
            let before = BlackHole.consumed
            SpinLoad(steps: steps).run()
            #expect(BlackHole.consumed.sum &- before.sum == value)
            #expect(BlackHole.consumed.count - before.count == 1)
        }
    }

    @Test(.endsHangs)
    func whatDoesNotDeployIsAFailureWithItsOutcome() throws {
        let collection = try LoadedCollection(.init(1, 1))
        do {
            _ = try collection.deploy { _, changes in
                changes.deleteItems(at: [ItemPath(section: 9, item: 9)])
            }
            Issue.record("it deployed")
        } catch let failure as Failure {
            let start = "a change set that had to deploy ended as Optional("
            #expect(failure.description.hasPrefix(start), "\(failure)")
        }
    }

    @Test func nodesAndViewsAreAsSmallAsCanBe() {
        let node = PlainNode(4)
        for size in [node.measure(in: .width(80)), node.measure(5, in: .width(80))] {
            #expect(size == Size(width: 80, height: 1))
        }
        #expect(node.shown == 4)
        node.update(to: 9)
        #expect(node.shown == 9)
        #expect(ImmediateView().elementSizeRange == .width(80))
        #expect(ImmediateView().firstVisiblePath == ItemPath(section: 0, item: 0))
    }

    @Test func sizesOfAnOutlineMultiply() {
        let outline = LoadedCollection.Outline(3, 4)
        #expect(outline.counts == [4, 4, 4] && outline.numberOfItems == 12)
    }

    @Test func validationsSortEveryPathOfTheirEdits() throws {
        let work = Validation(edits: 7, .init(3, 5), seed: 2)
        let before = BlackHole.consumed
        try work.validate()
        let after = BlackHole.consumed
        #expect(after.count - before.count == 1)
        // Three deletes, and so four inserts.
        #expect(after.sum - before.sum == 4)
        work.sort()
        #expect(BlackHole.consumed.count - after.count == 1)
        #expect(work.pathCount == 7)
    }

    @Test func everyQuestionIsCounted() {
        let source = CountsSource([2, 3], lifetime: DispatchGroup())
        var asks = [source.asks]
        _ = source.numberOfSections()
        asks.append(source.asks)
        _ = source.numberOfItems(inSection: 1)
        asks.append(source.asks)
        _ = source.changedSections()
        asks.append(source.asks)
        _ = source.models(at: 0..<2, inSection: 0)
        asks.append(source.asks)
        #expect(asks == [0, 1, 2, 3, 4])
    }

    /// The counts, what changed, and at most a question for each row that is inserted or shown again.
    @Test func aChangeSetAsksAFewQuestions() throws {
        let collection = try LoadedCollection(.init(1, 20))
        for _ in 0..<5 { #expect((3...13).contains(try collection.asksOfTenEdits())) }
    }
}
