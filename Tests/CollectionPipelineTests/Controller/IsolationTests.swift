import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("What belongs to the main lane, and getting there", .endsHangs)
struct IsolationTests {
    /// Neither a trap nor an error: the compiler lets each of these through only where it is right.
    @Test(arguments: Substrate.allCases)
    func aHandleIsHadOnTheMainLaneAndFromElsewhere(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        let controller = scene.controller
        try await controller.reloadData()
        try await controller.withIsolated { list throws(UpdateError) in
            list.dataSource.sections[0].items.removeLast()
            try list.deleteItems(at: [ItemPath(0, 1)])
        }
        await controller.reached(.completed)
        #expect(controller.visibleMap.texts == [["a"]])
        let counts = await scene.onMain { $0.assumeIsolated().dataSource.sections.count }
        #expect(counts == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whatABodyThrowsComesOutWithItsType(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let controller = scene.controller
        do throws(TestFailure) {
            try await controller.withIsolated { _ throws(TestFailure) in throw TestFailure("a") }
        } catch {
            #expect(error == TestFailure("a"))
        }
        do throws(TestFailure) {
            _ = try await controller.withDataSource { _ throws(TestFailure) -> Int in
                throw TestFailure("b")
            }
        } catch {
            #expect(error == TestFailure("b"))
        }
        #expect(await controller.withDataSource { $0.sections.count } == 1)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aLaneGivesBackWhatABodyReturnsOrThrows(_ substrate: Substrate) async throws {
        let lane = substrate.makeStage().lane
        #expect(await lane.run { lane.isCurrent })
        await #expect(throws: TestFailure("c")) {
            try await lane.run { () throws(TestFailure) in throw TestFailure("c") }
        }
        // Not at once, though it is there already.
        let order = Journal<String>()
        await lane.run {
            lane.enqueue { order.append("before") }
            order.append("in")
        }
        await lane.run { order.append("after") }
        #expect(order.values == ["in", "before", "after"])
    }

    @Test(arguments: Substrate.allCases)
    func aSingleEditHandsBackTheValueOfItsHandle(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        try await scene.controller.reloadData()
        try await scene.onMain { controller in
            let list = controller.assumeIsolated()
            list.dataSource.sections[0].items.append("b")
            try list.withContext("mine").insertItems(at: [ItemPath(0, 1)])
            list.dataSource.sections[0].items.append("c")
            try list.insertItems(at: [ItemPath(0, 2)])
            try list.withContext("mine").reloadData(context: "nearer")
            try list.withContext("mine").reloadData()
        }
        await scene.settle()
        let contexts = scene.events.events(.accepted).map { $0.context as? String }
        #expect(contexts == [nil, "mine", nil, "nearer", "mine"])
        await scene.close()
    }

    /// A function that is generic over recording writes into a batch as into a plain record.
    @Test(arguments: Substrate.allCases)
    func oneFunctionRecordsIntoABatchAndIntoAPlainRecord(_ substrate: Substrate) async throws {
        func record(into changes: inout some ChangeRecording & ~Copyable) {
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1))
            changes.moveSection(1, toSection: 0, animation: .fade)
        }
        var plain = HierarchyChangeSet()
        record(into: &plain)
        #expect(
            plain.operations == [
                .moveItem(at: ItemPath(0, 0), to: ItemPath(0, 1), .automatic),
                .moveSection(1, toSection: 0, .fade),
            ]
        )
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [["c"], ["b", "a"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 1))
            changes.moveSection(1, toSection: 0)
        }
        #expect(scene.controller.visibleMap.texts == [["c"], ["b", "a"]])
        await scene.close()
    }
}
