import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a view's answers leave behind, in every order in which a view may give them.
@Suite("Between handing over and completing", .endsHangs)
struct DeployingStateTests {
    /// Keeps each update until it is told what to do with it.
    private final class KeepingView: CollectionView, @unchecked Sendable {  // main-lane confined
        var updates: [ViewUpdate?] = []
        let received = Journal<Void>()

        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }

        func perform(_ update: ViewUpdate) {
            updates.append(update)
            received.append(())
        }
    }

    private func keeping(
        _ substrate: Substrate,
        _ count: Int
    ) async throws -> (KeepingView, DataController<TextDataSource>, Journal<Int>) {
        let view = KeepingView()
        let completed = Journal<Int>()
        let controller = substrate.makeStage().makeController(TextDataSource([["a"]]), view: view)
        try await onMain(controller) { controller in
            for number in 1...count {
                try controller.assumeIsolated().performBatchUpdates { _, _ in
                } completion: { _ in
                    completed.append(number)
                }
            }
        }
        await view.received.values(count: count)
        return (view, controller, completed)
    }

    /// In one turn, before the pipeline has heard that the first was released.
    @Test(arguments: Substrate.allCases)
    func anUpdateMayBeDeployedRightAfterTheOneBeforeItWasDropped(
        _ substrate: Substrate
    ) async throws {
        let (view, controller, completed) = try await keeping(substrate, 4)
        await onMain(controller) { controller in
            view.updates[0] = nil
            view.updates[1]?.deploy { _ in }
            #expect(controller.visibleMap.generation == 2)
            view.updates[2] = nil
            view.updates[3]?.deploy { _ in }
            #expect(controller.visibleMap.generation == 4)
            view.updates[3]?.finish()
            view.updates[1]?.finish()
        }
        #expect(await completed.values(count: 4) == [1, 2, 3, 4])
        await controller.close()
    }

    /// The last of many that are dropped ahead of their turn waits for the first.
    @Test(arguments: Substrate.allCases)
    func updatesDroppedInAnyOrderDeployInTheirs(_ substrate: Substrate) async throws {
        for order in [[2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2]] {
            let (view, controller, completed) = try await keeping(substrate, 3)
            for index in order { await onMain(controller) { _ in view.updates[index] = nil } }
            #expect(await completed.values(count: 3) == [1, 2, 3])
            #expect(controller.visibleMap.generation == 3)
            await controller.close()
        }
    }

    /// Shown, rejected or dropped: once an update is over the main lane may wait for the pipeline.
    @Test(arguments: Substrate.allCases)
    func afterEveryAnswerOfAViewTheMainLaneMayWait(_ substrate: Substrate) async throws {
        for mode in [RecordingView.Mode.atOnce, .dropping] {
            for refuses in [true, false] {
                let scene = Scene(substrate, [["a"]], view: RecordingView(mode))
                await scene.onMain { _ in
                    if refuses { scene.view.onApply = { _ in throw TestFailure("refused") } }
                }
                // What is refused throws.
                _ = try? await scene.controller.reloadData()
                try await scene.append("b")
                await scene.settle()
                await scene.onMain { $0.waitUntilReached(.handedOver) }
                #expect(scene.controller.visibleMap.texts == [["a", "b"]])
                await scene.close()
            }
        }
    }

    /// What a set brings, and the next takes away.
    enum Brought: CaseIterable, Sendable {
        case section, item, header, replacedNode

        func bring(_ controller: DataController<TextDataSource>) throws {
            let source = controller.assumeIsolated().dataSource
            switch self {
            case .section:
                source.sections.append(.init(["new 0", "new 1"], headers: ["new head"]))
                try controller.assumeIsolated().insertSections([1])
            case .item:
                source.sections[0].items.append("new")
                try controller.assumeIsolated().insertItems(at: [ItemPath(0, 1)])
            case .header:
                source.sections[0].headers = ["new head"]
                try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
            case .replacedNode:
                source.sections[0].items[0] = "new"
                try controller.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
            }
        }

        func takeAway(_ controller: DataController<TextDataSource>) throws {
            let source = controller.assumeIsolated().dataSource
            switch self {
            case .section:
                source.sections.removeLast()
                try controller.assumeIsolated().deleteSections([1])
            case .item:
                source.sections[0].items.removeLast()
                try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 1)])
            case .header:
                source.sections[0].headers = []
                try controller.assumeIsolated().reloadSupplementaries(ofKind: .header, in: [0])
            case .replacedNode:
                source.sections[0].items.removeFirst()
                try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 0)])
            }
        }
    }

    /// When the traits change it is in neither map: not shown yet, and removed already.
    @Test(arguments: Substrate.allCases, Brought.allCases)
    func whatIsShownWhenTraitsHaveChangedHasThem(
        _ substrate: Substrate,
        _ brought: Brought
    ) async throws {
        let scene = Scene(substrate, [["a"]])
        scene.nodes.onAccept { $0 != "new" }
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.onMain { try brought.bring($0) }
        await scene.view.received.values(count: 2)
        try await scene.onMain { try brought.takeAway($0) }
        await scene.view.received.values(count: 3)
        let traits = Traits(textScale: 2, values: ["theme": "dark"])
        let shown = await scene.onMain { controller -> [TextNode?] in
            controller.assumeIsolated().environmentDidChange(traits)
            scene.view.deployNext()
            let map = controller.visibleMap
            var elements = map.items.map { $0.element }
            for section in 0..<map.numberOfSections {
                if let header = map.supplementary(ofKind: .header, at: ItemPath(section, 0)) {
                    elements.append(header)
                }
            }
            return elements.map { $0.nodeIfAllocated as? TextNode }
        }
        #expect(shown.contains { $0?.text.hasPrefix("new") == true })
        #expect(shown.allSatisfy { $0?.traits == traits }, "\(shown.map { $0?.text })")
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.settle()
        await scene.close()
    }
}
