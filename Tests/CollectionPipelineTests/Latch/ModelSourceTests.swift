import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline

@Suite("Data sources that return ranges of models", .endsHangs)
struct ModelSourceTests {
    /// Sections of texts that are returned in ranges, with a log of every call.
    final class Feed: ModelDataSource {
        var sections: [[String]]
        /// Returned instead of the real models if not `nil`.
        var falseModels: (_ items: Range<Int>, _ section: Int) -> AnySequence<String>? = { _, _ in
            nil
        }
        let makeNode: @Sendable (String) throws -> any CollectionNode
        let queries: Journal<String>

        init(_ sections: [[String]], _ nodes: NodeBook, _ queries: Journal<String>) {
            (self.sections, self.queries) = (sections, queries)
            makeNode = { [nodes] in try nodes.makeNode($0) }
        }

        func numberOfSections() -> Int { sections.count }
        func numberOfItems(inSection section: Int) -> Int { sections[section].count }

        func models(at items: Range<Int>, inSection section: Int) -> AnySequence<String> {
            queries.append("models \(section) \(items)")
            return falseModels(items, section) ?? AnySequence(sections[section][items])
        }

        /// Items of the last section have the view's size range.
        func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange? {
            queries.append("range \(section) \(items)")
            return section == sections.count - 1 ? nil : .width(Double(items.lowerBound) + 3)
        }
    }

    private struct FeedScene: Sendable {
        let nodes: NodeBook
        let queries = Journal<String>()
        let events = EventRecorder()
        let view = RecordingView()
        let controller: DataController<Feed>

        init(_ substrate: Substrate, _ sections: [[String]]) {
            let stage = substrate.makeStage()
            nodes = NodeBook(stage)
            controller = stage.makeController(
                Feed(sections, nodes, queries),
                view: view,
                observer: events
            )
        }

        /// Returns the calls during the submission of `updates`.
        func calls(
            _ updates: @escaping @Sendable (Feed, inout BatchRecorder) -> Void
        ) async throws -> [String] {
            queries.removeAll()
            try await controller.performBatchUpdates(updates)
            return queries.values
        }
    }

    /// Returns the expected calls for runs of items.
    private func runs(_ runs: (section: Int, items: Range<Int>)...) -> [String] {
        runs.flatMap { ["models \($0.section) \($0.items)", "range \($0.section) \($0.items)"] }
    }

    @Test(arguments: Substrate.allCases)
    func adjacentModelsAreRequestedTogether(
        _ substrate: Substrate
    ) async throws {
        let texts = (0..<2500).map { "a\($0)" }
        let scene = FeedScene(substrate, [texts, [], ["b"], ["c", "d", "e", "f"]])
        try await scene.controller.reloadData()
        #expect(scene.queries.values == runs((0, 0..<2500), (2, 0..<1), (3, 0..<4)))
        let made = scene.nodes.made.values
        #expect(made.count == 2505 && Set(made.map(\.text)).count == 2505)
        // Inserted at 0, 1, 2, then a move, then 4 and 5; apart from them 8; and one elsewhere.
        let first = try await scene.calls { source, changes in
            source.sections[0] =
                ["n0", "n1", "n2", "f", "n4", "n5", "a0", "a1", "n8"] + texts.dropFirst(2)
            source.sections[3] = ["c", "d", "e", "m"]
            changes.insertItems(at: [8, 0, 2, 5, 1, 4].map { ItemPath(0, $0) })
            changes.insertItems(at: [ItemPath(3, 3)])
            changes.moveItem(at: ItemPath(3, 3), to: ItemPath(0, 3))
        }
        #expect(first == runs((0, 0..<3), (0, 4..<6), (0, 8..<9), (3, 3..<4)))
        // A reloaded item between inserted ones belongs to their run; a reconfigured one is
        // requested alone.
        let second = try await scene.calls { source, changes in
            source.sections[3] = ["p", "C", "q", "d", "E", "m"]
            changes.reloadItems(at: [ItemPath(3, 0)])
            changes.insertItems(at: [ItemPath(3, 0), ItemPath(3, 2)])
            changes.reconfigureItems(at: [ItemPath(3, 2)])
        }
        #expect(second == runs((3, 0..<3), (3, 4..<5)))
        // A new section with moves into it; each item keeps the size range of its original run.
        let third = try await scene.calls { source, changes in
            let moved = source.sections[3].removeLast()
            source.sections.insert(["f0", "f1", moved, "f3"], at: 1)
            changes.insertSections([1])
            changes.moveItem(at: ItemPath(3, 5), to: ItemPath(1, 2))
        }
        #expect(third == runs((1, 0..<2), (1, 3..<4)))
        let map = scene.controller.visibleMap
        let expected = await scene.controller.withDataSource { $0.sections }
        #expect(map.texts == expected && map.nodeTexts == expected)
        let widths = map.items.filter { $0.path.section != 0 }.map { $0.content.sizeRange }
        #expect(widths == [3, 3, 10, 6, 3, 10, 10, 10, 10, 10].map { SizeRange.width($0) })
        let configuration = map.elements[1].map { ObjectIdentifier($0.configuration) }
        #expect(
            configuration[0] == configuration[1] && configuration[0] != configuration[2],
            "neighbours with equal terms share them"
        )
        await scene.controller.close()
    }

    /// The first edit is the first load.
    static let edits: [@Sendable (Feed, inout BatchRecorder) -> Void] = [
        { _, _ in },
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
        { _, changes in changes.reloadData() },
    ]

    /// Too few, too many, or endless models, of which at most one beyond the count is read; on a
    /// first load and later.
    @Test(arguments: Substrate.allCases, [-1, 1, 3, .max])
    func aWrongNumberOfModelsChangesNothing(_ substrate: Substrate, _ surplus: Int) async throws {
        let scene = FeedScene(substrate, [["a", "b"], ["c", "d"]])
        for edit in Self.edits {
            let before = scene.controller.pendingMap
            await scene.controller.withDataSource { source in
                source.falseModels = { items, _ in
                    surplus == .max
                        ? AnySequence(sequence(first: "false") { $0 })
                        : AnySequence(repeatElement("false", count: items.count + surplus))
                }
            }
            let error = await #expect(throws: UpdateError.self) {
                try await scene.controller.performBatchUpdates(edit)
            }
            #expect(error?.code == .dataSourceChangedDuringRead)
            let number = surplus < 0 ? "1?[0-9]*" : "more than [0-9]+"
            let pattern = try Regex(
                "The data source returned \(number) models for the [0-9]+ items from [0-9]+ on in section"
            )
            #expect(error?.message.firstMatch(of: pattern) != nil, "\(error?.message ?? "")")
            #expect(error?.divergence?.countsSince == error?.submission)
            #expect(scene.controller.pendingMap.isIdentical(to: before))
            #expect(scene.controller.visibleMap.isIdentical(to: before))
            await scene.controller.withDataSource { source in
                source.falseModels = { _, _ in nil }
                source.sections = [["a", "b"], ["c", "d"]]
            }
            try await scene.controller.reloadData()
            #expect(scene.controller.visibleMap.nodeTexts == [["a", "b"], ["c", "d"]])
        }
        await scene.controller.close()
    }

    /// The existing element keeps its previous content, whether or not it has a node.
    @Test(arguments: Substrate.allCases)
    func aReconfiguredItemWithoutAModelFailsByItself(_ substrate: Substrate) async throws {
        let scene = FeedScene(substrate, [["a", "b"], ["c"]])
        try await scene.controller.reloadData()
        let node = scene.controller.visibleMap.elements[0][0].nodeIfAllocated
        _ = try await scene.calls { source, changes in
            source.sections[0][0] = "A"
            source.falseModels = { items, _ in items == 1..<2 ? AnySequence([]) : nil }
            changes.reconfigureItems(at: [ItemPath(0, 0), ItemPath(0, 1)])
        }
        let map = scene.controller.visibleMap
        #expect(map.items.map { $0.element.state.text } == ["measured", "failed", "measured"])
        #expect(
            map.nodeTexts == [["A", "b"], ["c"]] && map.elements[0][0].nodeIfAllocated === node
        )
        let errors = scene.events.events(.elementFailed).map { $0.error as? MissingModel }
        #expect(errors.map(\.?.path) == [ItemPath(0, 1)])
        // If a node does not accept a model, another node shows it; a failed element is not made
        // again.
        scene.nodes.onAccept { $0 != "C" }
        scene.nodes.onMake { if $0 == "bad" { throw TestFailure() } }
        _ = try await scene.calls { source, changes in
            source.falseModels = { _, _ in nil }
            source.sections[1] = ["C", "bad"]
            changes.reconfigureItems(at: [ItemPath(1, 0)])
            changes.insertItems(at: [ItemPath(1, 1)])
        }
        let elements = scene.controller.visibleMap.elements[1]
        #expect(elements[0] === map.elements[1][0] && elements[1].state.text == "failed")
        #expect(scene.controller.visibleMap.nodeTexts[1] == ["C", "-"])
        await #expect(throws: TestFailure()) { try await elements[1].node }
        #expect(scene.nodes.made.values.map(\.text).sorted() == ["C", "a", "b", "bad", "c"])
        await scene.controller.close()
    }

    // MARK: Models without nodes

    private final class Losing: ModelSource {
        var sections = [["a", "b"], ["c"]]
        var isLost = false
        func numberOfSections() -> Int { sections.count }
        func numberOfItems(inSection section: Int) -> Int { sections[section].count }
        func models(at items: Range<Int>, inSection section: Int) -> ArraySlice<String> {
            isLost ? [] : sections[section][items]
        }
    }

    /// A layout that measures nothing makes no difference.
    @Test(arguments: Substrate.allCases, [false, true])
    func modelOnlyListsFollowTheirArraysWithoutMeasuring(
        _ substrate: Substrate,
        _ hasLayout: Bool
    ) async throws {
        let (stage, recorder) = (substrate.makeStage(), EventRecorder())
        let controller = stage.makeController(
            Losing(),
            layoutDelegate: hasLayout ? ScriptedLayout { map, _, _ in map.numberOfItems } : nil,
            observer: recorder
        )
        try await controller.reloadData()
        let element = controller.visibleMap.element(at: ItemPath(0, 0))
        try await controller.performBatchUpdates { list, changes in
            list.sections = [["b", "d"], ["c", "a"], ["e"]]
            changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 1))
            changes.insertItems(at: [ItemPath(0, 1)])
            changes.insertSections([2])
        }
        #expect(controller.visibleMap.texts == [["b", "d"], ["c", "a"], ["e"]])
        #expect(controller.visibleMap.element(at: ItemPath(1, 1)) === element)
        let path = ItemPath(0, 1)
        let result = try await controller.performBatchUpdates { list, changes in
            list.isLost = true
            changes.reconfigureItems(at: [path])
        }
        let failure = try #require(result.failedElements.first.first)
        #expect(result.failedElements.count == 1 && result.text == "deployed")
        #expect((failure.error as? MissingModel)?.path == path)
        #expect(failure.dataSourcePath == path && failure.content.model == nil)
        let again = try await controller.performBatchUpdates { list, changes in
            list.isLost = false
            list.sections[0][1] = "D"
            changes.reconfigureItems(at: [path])
        }
        #expect(again.failedElements.isEmpty)
        try await controller.relayoutItems(at: [path])
        #expect(controller.visibleMap.texts[0] == ["b", "D"])
        #expect(recorder.events(.elementFailed).count == 1)
        #expect(controller.visibleMap.items.allSatisfy { $0.content.size == nil })
        await #expect(throws: ElementError.modelOnly) { _ = try await element?.node }
        await controller.close()
    }
}
