import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("The order of questions to a data source", .endsHangs)
struct AskingOrderTests {
    private static let counts = ["sections", "items 0", "items 1"]

    /// What is counted again after content was asked for.
    private func again(_ sections: Int...) -> [String] {
        ["sections"] + sections.map { "items \($0)" }
    }

    /// Everything that is asked for one item.
    private func item(_ section: Int, _ item: Int) -> [String] {
        ["model", "range", "node"].map { "\($0) \(section) - \(item)" }
    }

    /// What is asked while `updates` is submitted to a loaded controller over [2 items, 1 item].
    private func questions(
        _ substrate: Substrate,
        _ updates: @escaping @Sendable (TextDataSource, inout BatchRecorder) -> Void
    ) async throws -> [String] {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        try await scene.controller.performBatchUpdates(updates)
        let calls = scene.calls.values.map(\.description)
        await scene.close()
        return calls.filter { !$0.hasPrefix("kinds") }
    }

    @Test(arguments: Substrate.allCases)
    func theFirstLoadAsksCountsThenContextsThenItems(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        #expect(
            scene.calls.values.map(\.description)
                == Self.counts + ["context 0", "context 1"]
                + item(0, 0) + item(0, 1) + item(1, 0) + ["kinds 0", "kinds 1"] + again(0, 1)
        )
        #expect(scene.controller.visibleMap.texts == [["a", "b"], ["c"]])
        #expect(scene.controller.visibleMap.nodeTexts == [["a", "b"], ["c"]])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aReloadedItemIsAskedForAlone(_ substrate: Substrate) async throws {
        let calls = try await questions(substrate) { $1.reloadItems(at: [ItemPath(0, 1)]) }
        #expect(calls == Self.counts + item(0, 1) + again(0))
    }

    @Test(arguments: Substrate.allCases)
    func anInsertedItemIsAskedForAlone(_ substrate: Substrate) async throws {
        let calls = try await questions(substrate) { source, changes in
            source.sections[1].items.append("d")
            changes.insertItems(at: [ItemPath(1, 1)])
        }
        #expect(calls == Self.counts + item(1, 1) + again(1))
    }

    @Test(arguments: Substrate.allCases)
    func aReloadedSectionIsAskedForItsContextAndItsItems(_ substrate: Substrate) async throws {
        let calls = try await questions(substrate) { $1.reloadSections([0]) }
        #expect(calls == Self.counts + ["context 0"] + item(0, 0) + item(0, 1) + again(0))
    }

    @Test(arguments: Substrate.allCases)
    func contextsComeFirstThenFreshSectionsThenItemsEachAscending(
        _ substrate: Substrate
    ) async throws {
        let calls = try await questions(substrate) { source, changes in
            source.sections = [["x", "a", "b", "y"], ["p", "q"], ["c"], ["r"]]
            changes.insertItems(at: [ItemPath(0, 3), ItemPath(0, 0)])
            changes.insertSections([3, 1])
        }
        #expect(
            calls == ["sections", "items 0", "items 1", "items 2", "items 3"]
                + ["context 1", "context 3"]
                + item(1, 0) + item(1, 1) + item(3, 0)
                + item(0, 0) + item(0, 3) + again(0, 1, 3)
        )
    }

    @Test(arguments: Substrate.allCases)
    func movesAndDeletesAskForNothingButCounts(_ substrate: Substrate) async throws {
        let calls = try await questions(substrate) { source, changes in
            source.sections = [["c"], ["b"]]
            changes.moveSection(1, toSection: 0)
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(calls == Self.counts)
    }

    @Test(arguments: Substrate.allCases)
    func reconfiguringAsksForTheModelAtTheNewPathAndForNoNode(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        let node = before.element(at: ItemPath(0, 1))?.nodeIfAllocated
        scene.calls.removeAll()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items = ["b two"]
            changes.reconfigureItems(at: [ItemPath(0, 1)])
            changes.deleteItems(at: [ItemPath(0, 0)])
        }
        #expect(
            scene.calls.values.map(\.description)
                == Self.counts + ["model 0 - 0", "range 0 - 0", "kinds 0"] + again(0)
        )
        let after = scene.controller.visibleMap
        #expect(after.element(at: ItemPath(0, 0)) === before.element(at: ItemPath(0, 1)))
        #expect(after.element(at: ItemPath(0, 0))?.nodeIfAllocated === node)
        #expect(after.nodeTexts == [["b two"], ["c"]])
        #expect(before.texts == [["a", "b"], ["c"]], "an older map keeps the older model")
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aSourceThatChangesWhileItIsAskedIsRejected(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        let before = scene.controller.pendingMap
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, changes in
                source.onCall = { [unowned source] call in
                    guard case .model = call else { return }
                    source.onCall = nil
                    source.sections[0].items.append("late")
                }
                changes.reloadItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(error?.code == .dataSourceChangedDuringLatch)
        #expect(scene.controller.pendingMap.isIdentical(to: before))
        #expect(scene.controller.divergence?.countsSince == error?.submission)
        await scene.close()
    }

    /// Whatever is new at once: every kind of question, in its place and each ascending.
    @Test(arguments: Substrate.allCases)
    func allKindsOfContentAreAskedForInTheFixedOrder(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["head"]), ["c"]])
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections = [
                .init(["a two", "b", "n"], headers: ["head", "second head"]),
                .init(["x", "y"], footers: ["foot"]), ["c"],
            ]
            changes.reconfigureItems(at: [ItemPath(0, 0)])
            changes.insertItems(at: [ItemPath(0, 2)])
            changes.insertSections([1])
        }
        // What is kept is not asked for, and neither is a kind that a section does not have.
        let supplementaries = [
            "kinds 0", "headers 0", "range of header 0 - 1", "node of header 0 - 1",
            "kinds 1", "footers 1", "range of footer 1 - 0", "node of footer 1 - 0",
        ]
        #expect(
            scene.calls.values.map(\.description)
                == ["sections", "items 0", "items 1", "items 2", "context 1"]
                + item(1, 0) + item(1, 1) + item(0, 2) + ["model 0 - 0", "range 0 - 0"]
                + supplementaries + again(0, 1)
        )
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func nothingIsPublishedWhileTheDataSourceIsAsked(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [.init(["a"], headers: ["head"])])
        try await scene.controller.reloadData()
        let seen = Journal<[Int]>()
        try await scene.onMain { controller in
            let source = controller.assumeIsolated().dataSource
            source.onCall = { [weak controller] _ in
                guard let controller else { return }
                let maps = [controller.pendingMap, controller.visibleMap]
                seen.append(maps.map(\.generation) + [controller.assumeIsolated().backlog])
            }
            source.sections[0].items.append("b")
            source.sections.append(.init(["c"], headers: ["another head"]))
            try controller.assumeIsolated().performBatchUpdates({ _, changes in
                changes.insertItems(at: [ItemPath(0, 1)])
                changes.insertSections([1])
            }) { _ in }
            source.onCall = nil
            #expect(
                controller.pendingMap.generation == 2 && controller.assumeIsolated().backlog == 1
            )
        }
        #expect(seen.count > 10)
        #expect(Set(seen.values) == [[1, 1, 0]])
        await scene.settle()
        await scene.close()
    }

    /// Supplementary elements are content like any other.
    @Test(arguments: Substrate.allCases)
    func aSourceThatChangesWhileItsHeadersAreAskedForIsRejected(
        _ substrate: Substrate
    ) async throws {
        let scene = Scene(substrate, [.init(["a", "b"], headers: ["head"])])
        try await scene.controller.reloadData()
        let before = scene.controller.pendingMap
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { source, changes in
                source.onCall = { [unowned source] call in
                    guard case .numberOfSupplementaries = call else { return }
                    source.onCall = nil
                    source.sections[0].items.append("late")
                }
                source.sections[0].items.removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0)])
            }
        }
        #expect(error?.code == .dataSourceChangedDuringLatch)
        #expect(scene.controller.pendingMap.isIdentical(to: before))
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsAskedOnTheMainLane(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]])
        let places = Journal<CallPlace>()
        let stage = scene.stage
        await scene.withModel { $0.onCall = { _ in places.append(stage.currentPlace) } }
        try await scene.controller.reloadData()
        #expect(Set(places.values) == [.mainLane])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRejectedSetAsksForCountsOnly(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        scene.calls.removeAll()
        await #expect(throws: UpdateError.self) {
            try await scene.controller.performBatchUpdates { $1.insertItems(at: [ItemPath(0, 0)]) }
        }
        #expect(scene.calls.values.map(\.description) == Self.counts)
        await scene.close()
    }
}
