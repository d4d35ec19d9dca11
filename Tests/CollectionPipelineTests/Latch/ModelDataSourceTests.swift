import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Data sources that give models by the range", .endsHangs)
struct ModelDataSourceTests {
    private func texts(_ count: Int, _ name: String = "item") -> [String] {
        (0..<count).map { "\(name) \($0)" }
    }

    /// The questions for runs of items.
    private func runs(_ runs: (section: Int, items: Range<Int>)...) -> [String] {
        runs.flatMap { ["models \($0.section) \($0.items)", "range \($0.section) \($0.items)"] }
    }

    @Test(arguments: Substrate.allCases)
    func theFirstLoadAsksOnceForASectionAndMakesEveryNodeOnce(
        _ substrate: Substrate
    ) async throws {
        let sections = [texts(2500, "a"), [], texts(1, "b"), texts(1500, "c")]
        let scene = ModelScene(substrate, sections)
        try await scene.controller.reloadData()
        #expect(scene.asked.values == runs((0, 0..<2500), (2, 0..<1), (3, 0..<1500)))
        #expect(scene.controller.visibleMap.texts == sections)
        #expect(scene.controller.visibleMap.nodeTexts == sections)
        let made = scene.nodes.made.values
        #expect(made.count == 4001 && Set(made.map(\.text)).count == 4001)
        #expect(made.allSatisfy { $0.place == .worker })
        let elements = scene.controller.visibleMap.elements.joined()
        for element in elements { _ = try await element.node }
        #expect(scene.nodes.made.count == 4001)
        await scene.controller.close()
    }

    @Test(arguments: Substrate.allCases)
    func neighboursAreAskedForTogetherUnlessAMoveIsBetweenThem(
        _ substrate: Substrate
    ) async throws {
        let scene = ModelScene(substrate, [texts(4), texts(4, "other")])
        try await scene.controller.reloadData()
        // Inserted at 0, 1, 2, then a move, then 4 and 5; and apart from them 8; and one elsewhere.
        let first = try await scene.questions { source, changes in
            source.sections[0] = [
                "n0", "n1", "n2", "other 3", "n4", "n5", "item 0", "item 1", "n8", "item 2",
                "item 3",
            ]
            source.sections[1] = ["other 0", "other 1", "other 2", "m"]
            changes.insertItems(at: [8, 0, 2, 5, 1, 4].map { ItemPath(0, $0) })
            changes.insertItems(at: [ItemPath(1, 3)])
            changes.moveItem(at: ItemPath(1, 3), to: ItemPath(0, 3))
        }
        #expect(first == runs((0, 0..<3), (0, 4..<6), (0, 8..<9), (1, 3..<4)))
        // A reloaded item stands between inserted ones.
        let second = try await scene.questions { source, changes in
            source.sections[1] = ["p", "other 0", "q", "other 1", "other 2", "m"]
            changes.reloadItems(at: [ItemPath(1, 0)])
            changes.insertItems(at: [ItemPath(1, 0), ItemPath(1, 2)])
        }
        #expect(second == runs((1, 0..<3)))
        // A fresh section with moves into it.
        let third = try await scene.questions { source, changes in
            let moved = source.sections[0].removeLast()
            source.sections.insert(["f0", "f1", moved, "f3"], at: 1)
            changes.insertSections([1])
            changes.moveItem(at: ItemPath(0, 10), to: ItemPath(1, 2))
        }
        #expect(third == runs((1, 0..<2), (1, 3..<4)))
        let map = scene.controller.visibleMap
        let expected = await onMain(scene.controller) { $0.assumeIsolated().dataSource.sections }
        #expect(map.texts == expected && map.nodeTexts == expected)
        await scene.controller.close()
    }

    // MARK: Wrong numbers of models

    /// How many models a run gets instead of as many as it has items.
    enum Fault: CaseIterable, Sendable {
        case none, oneTooFew, oneTooMany, twiceAsMany, endless

        func models(_ count: Int) -> AnySequence<String> {
            switch self {
            case .none: AnySequence([])
            case .oneTooFew: AnySequence(repeatElement("false", count: count - 1))
            case .oneTooMany: AnySequence(repeatElement("false", count: count + 1))
            case .twiceAsMany: AnySequence(repeatElement("false", count: count * 2))
            case .endless: AnySequence(sequence(first: "false") { $0 })
            }
        }
    }

    @Test(arguments: Substrate.allCases, Fault.allCases)
    func aWrongNumberOfModelsRejectsTheFirstLoad(
        _ substrate: Substrate,
        _ fault: Fault
    ) async throws {
        let scene = ModelScene(substrate, [texts(3), texts(1000)])
        await onMain(scene.controller) {
            $0.assumeIsolated().dataSource.falseModels = { $1 == 1 ? fault.models($0.count) : nil }
        }
        let error = await #expect(throws: UpdateError.self) {
            try await scene.controller.reloadData()
        }
        #expect(error?.code == .dataSourceChangedDuringLatch)
        let message = error?.message ?? ""
        #expect(message.contains("1000") && message.contains("section 1"), "\(message)")
        #expect(scene.controller.pendingMap.generation == 0)
        #expect(scene.controller.pendingMap.numberOfElements == 0)
        #expect(scene.view.received.count == 0 && scene.nodes.made.count == 0)
        await onMain(scene.controller) {
            $0.assumeIsolated().dataSource.falseModels = { _, _ in nil }
        }
        // Still a first load, whatever is recorded.
        try await scene.controller.performBatchUpdates { _, _ in }
        #expect(scene.controller.visibleMap.texts == [texts(3), texts(1000)])
        await scene.controller.close()
    }

    static let edits: [@Sendable (ModelFeed, inout BatchRecorder) -> Void] = [
        { source, changes in
            source.sections[0] = ["n", "m", "a", "b"]
            changes.insertItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        },
        { source, changes in
            source.sections.insert(["x", "y"], at: 1)
            changes.insertSections([1])
            changes.moveItem(at: ItemPath(0, 1), to: ItemPath(0, 0))
        },
        { _, changes in changes.reloadItems(at: [ItemPath(0, 1)]) },
        { _, changes in changes.reloadSections([1]) },
        { _, changes in changes.reloadData() },
        { source, changes in
            source.sections = [["b", "c"], ["a", "q"]]
            changes.deleteItems(at: [ItemPath(1, 1)])
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
            changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 1))
            changes.insertItems(at: [ItemPath(1, 1)])
        },
    ]

    @Test(arguments: Substrate.allCases, Fault.allCases)
    func aWrongNumberOfModelsChangesNothing(_ substrate: Substrate, _ fault: Fault) async throws {
        for edit in Self.edits {
            let scene = ModelScene(substrate, [["a", "b"], ["c", "d"]])
            try await scene.controller.reloadData()
            let before = scene.controller.pendingMap
            await onMain(scene.controller) {
                $0.assumeIsolated().dataSource.falseModels = { items, _ in fault.models(items.count)
                }
            }
            let error = await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates(edit)
            }
            #expect(error?.code == .dataSourceChangedDuringLatch)
            #expect(error?.divergence?.countsSince == error?.submission && error?.submission != nil)
            let map = scene.controller.pendingMap
            #expect(map.isIdentical(to: before) && map.generation == before.generation)
            #expect(scene.controller.visibleMap.isIdentical(to: before))
            let elements = before.elements.joined()
            #expect(elements.allSatisfy { before.path(of: $0).map(before.element(at:)) == $0 })
            #expect(scene.nodes.made.count == 4 && scene.view.received.count == 1)
            await onMain(scene.controller) {
                $0.assumeIsolated().dataSource.falseModels = { _, _ in nil }
            }
            try await scene.controller.reloadData()
            let expected = await onMain(scene.controller) {
                $0.assumeIsolated().dataSource.sections
            }
            #expect(scene.controller.visibleMap.nodeTexts == expected)
            await scene.controller.close()
        }
    }
}
