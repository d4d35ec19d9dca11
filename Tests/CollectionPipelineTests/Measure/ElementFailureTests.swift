import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

@Suite("Elements that fail", .endsHangs)
struct ElementFailureTests {
    enum Fault: String, CaseIterable, Sendable {
        case providerThrows
        case measurementThrows
        case notANumber
        case infinite
        case negative

        var answer: Size? {
            switch self {
            case .notANumber: Size(width: .nan, height: 1)
            case .infinite: Size(width: 1, height: .infinity)
            case .negative: Size(width: 1, height: -1)
            default: nil
            }
        }
    }

    private func scene(_ substrate: Substrate, _ fault: Fault) -> Scene {
        let scene = Scene(substrate, [["a", "bad", "c"]])
        scene.nodes.onMake { text in
            if text == "bad", fault == .providerThrows { throw TestFailure("provider") }
        }
        scene.nodes.onMeasure { text, _ in
            guard text == "bad" else { return nil }
            if fault == .measurementThrows { throw TestFailure("measurement") }
            return fault.answer
        }
        return scene
    }

    @Test(arguments: Substrate.allCases, Fault.allCases)
    func failedElementsAreReportedAndTheRestDeploys(
        _ substrate: Substrate,
        _ fault: Fault
    ) async throws {
        let scene = scene(substrate, fault)
        let result = try await scene.controller.reloadData()
        #expect(result.text == "deployed")
        let map = scene.controller.visibleMap
        #expect(map.texts == [["a", "bad", "c"]])
        let states = map.items.map(\.content.state.text)
        #expect(states == ["measured", "failed", "measured"])
        #expect(map.content(at: ItemPath(0, 1))?.size == Size(width: 10, height: 0))
        let failures = scene.events.events(.elementFailed)
        #expect(failures.count == 1)
        #expect(failures.first?.submission?.rawValue == 1)
        for failure in [failures.first?.failedElement, result.failedElements.first.first] {
            #expect(failure?.element === map.element(at: ItemPath(0, 1)))
            #expect(failure?.content.model as? String == "bad" && failure?.kind == nil)
            #expect(failure?.dataSourcePath == ItemPath(0, 1) && failure?.viewPath == nil)
            #expect(failure.map { "\($0.error)" } == failures.first?.error.map { "\($0)" })
        }
        #expect(result.failedElements.count == 1)
        switch fault {
        case .providerThrows:
            #expect(failures.first?.error as? TestFailure == TestFailure("provider"))
        case .measurementThrows:
            #expect(failures.first?.error as? TestFailure == TestFailure("measurement"))
        default:
            #expect((failures.first?.error as? MeasurementError)?.sizeRange == .width(10))
        }
        await scene.close()
    }

    /// For any number of failures, a result lists some of them, and events report all.
    @Test(arguments: Substrate.allCases)
    func resultsCountAllFailuresAndListTheFirst(_ substrate: Substrate) async throws {
        for count in [0, 1, FailedElements.limit, FailedElements.limit + 1, 100] {
            let texts = (0..<count).map { "bad \($0)" } + ["good"]
            let scene = Scene(substrate, [TextDataSource.Section(texts)])
            scene.nodes.onMake { text in
                if text != "good" { throw TestFailure(text) }
            }
            let failed = try await scene.controller.reloadData().failedElements
            #expect(failed.count == count && failed.isEmpty == (count == 0))
            #expect(failed.first.count == min(count, FailedElements.limit))
            let events = scene.events.events(.elementFailed).compactMap(\.failedElement)
            #expect(Set(events.compactMap(\.dataSourcePath)).count == count)
            for failure in failed.first {
                #expect(events.contains { $0.element === failure.element })
                #expect((failure.error as? TestFailure)?.text == failure.content.model as? String)
            }
            let lines = failed.description.split(separator: "\n")
            #expect(lines.first == "\(count) failed")
            #expect(lines.last == "…" || count <= FailedElements.limit)
            await scene.close()
        }
    }

    /// The data source is ahead of the view, so the element has a different path in each.
    @Test(arguments: Substrate.allCases)
    func failedReconfigurationsHavePathsInBothSpaces(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a", "b"]])
        #expect(try await scene.controller.reloadData().failedElements.isEmpty)
        await scene.onMain { _ in scene.view.mode = .onDemand }
        scene.nodes.onMeasure { text, _ in
            if text == "bad" { throw TestFailure("measurement") }
            return nil
        }
        let results = Journal<UpdateResult>()
        try await scene.onMain { controller in
            try controller.assumeIsolated().performBatchUpdates({ source, changes in
                source.sections[0].items = ["new", "a", "bad"]
                changes.insertItems(at: [ItemPath(0, 0)])
                changes.reconfigureItems(at: [ItemPath(0, 1)])
            }) { results.append($0) }
        }
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in scene.view.catchUp() }
        let result = try #require(await results.values(count: 1).first)
        let failure = try #require(result.failedElements.first.first)
        #expect(result.text == "deployed" && result.failedElements.count == 1)
        #expect(failure.dataSourcePath == ItemPath(0, 2) && failure.viewPath == ItemPath(0, 1))
        #expect(failure.submission == result.submission)
        #expect(failure.content.model as? String == "bad")
        #expect(
            "\(failure)".hasPrefix("item 0 - 2 (view: 0 - 1) failed in #2: "),
            "\(failure)"
        )
        await scene.close()
    }
}

@Suite("Replaced nodes", .endsHangs)
struct ReplacementTests {
    @Test(arguments: Substrate.allCases)
    func nodesMayReadTheirElementInDeinit(_ substrate: Substrate) async throws {
        let elements = Lock<[CollectionElement]>([])
        let ended = Journal<Bool>()
        let stage = substrate.makeStage()
        let controller = stage.makeController(
            EndingNodes { ended.append(elements.withLock { $0.first }?.nodeIfAllocated != nil) }
        )
        try await controller.reloadData()
        elements.withLock { elements in
            elements = controller.visibleMap.items.map(\.element)
        }
        try await onMain(controller) {
            try $0.assumeIsolated().reconfigureItems(at: [ItemPath(0, 0)])
        }
        #expect(await ended.values(count: 1) == [true], "the element already has the new node")
        await controller.settle()
        elements.withLock { $0 = [] }
        await controller.close()
    }
}

/// A data source of one item whose nodes report their end.
private final class EndingNodes: CollectionDataSource {
    private final class Node: CollectionNode {
        private let didEnd: @Sendable () -> Void

        init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

        deinit { didEnd() }

        func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }
    }

    private let didEnd: @Sendable () -> Void

    init(_ didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    func numberOfItems(inSection section: Int) -> Int { 1 }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        { [didEnd] in Node(didEnd) }
    }
}
