import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// Measures every item, or none, within a width that the test chooses.
private final class ColumnLayout: LayoutDelegate {
    struct Context: Sendable {
        var width = 10.0
        var measuresItems = true
    }

    let next = Lock(Context())
    let onLayout: @Sendable (ElementMap, LayoutMeasurer) throws -> Void

    init(_ onLayout: @escaping @Sendable (ElementMap, LayoutMeasurer) throws -> Void = { _, _ in })
    {
        self.onLayout = onLayout
    }

    func layoutContext(for map: ElementMap) -> Context { next.withLock { $0 } }

    func layout(
        _ map: ElementMap,
        in context: Context,
        measurer: LayoutMeasurer
    ) throws -> [Double] {
        try onLayout(map, measurer)
        guard context.measuresItems else { return [] }
        return try map.items.map { item in
            try measurer.size(ofItemAt: item.path, in: .width(context.width)).height
        }
    }
}

@Suite("Measuring for a layout", .endsHangs)
struct LayoutMeasuringTests {
    private func append(_ text: String, to scene: Scene) async throws {
        try await scene.onMain { controller in
            let end = controller.assumeIsolated().dataSource.sections[0].items.count
            controller.assumeIsolated().dataSource.sections[0].items.append(text)
            try controller.assumeIsolated().insertItems(at: [ItemPath(0, end)])
        }
    }

    @Test(arguments: Substrate.allCases)
    func anotherRangeChangesNothingThatIsVisible(_ substrate: Substrate) async throws {
        let delegate = ColumnLayout()
        let scene = Scene(substrate, [["twelve chars"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        let shown = scene.controller.visibleMap
        #expect(shown.items.map(\.content.size) == [Size(width: 10, height: 2)])
        await scene.onMain { _ in scene.view.mode = .onDemand }
        delegate.next.withLock { $0.width = 4 }
        try await append("b", to: scene)
        let update = await scene.view.received.values(count: 2)[1]
        #expect(update.layout as? [Double] == [3, 1])
        #expect(scene.controller.visibleMap.isIdentical(to: shown))
        #expect(shown.items.map(\.content.size) == [Size(width: 10, height: 2)])
        #expect(shown.items.map(\.content.state.text) == ["measured"])
        await scene.onMain { _ in scene.view.catchUp() }
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func whatALaterSetRemovedIsNotMeasured(_ substrate: Substrate) async throws {
        let gate = Gate()
        defer { gate.open() }
        let delegate = ColumnLayout { _, _ in gate.pass() }
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
        await gate.reached()
        try await scene.onMain { controller in
            controller.assumeIsolated().dataSource.sections[0].items.removeFirst()
            try controller.assumeIsolated().deleteItems(at: [ItemPath(0, 0)])
        }
        gate.open()
        await scene.settle()
        #expect(scene.nodes.measurements.values.map(\.text) == ["b"])
        #expect(scene.nodes.made.values.map(\.text) == ["b"])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRefusedModelGetsANewNodeThoughNothingMeasuresIt(_ substrate: Substrate) async throws {
        let delegate = ColumnLayout()
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        scene.nodes.onAccept { _ in false }
        try await scene.controller.reloadData()
        delegate.next.withLock { $0.measuresItems = false }
        try await scene.controller.performBatchUpdates { source, changes in
            source.sections[0].items[0] = "b"
            changes.reconfigureItems(at: [ItemPath(0, 0)])
        }
        #expect(scene.controller.visibleMap.nodeTexts == [["b"]])
        #expect(scene.nodes.measurements.count == 1)
        delegate.next.withLock { $0.measuresItems = true }
        try await append("c", to: scene)
        await scene.settle()
        #expect(scene.controller.visibleMap.nodeTexts == [["b", "c"]])
        #expect(scene.nodes.made.values.map(\.text) == ["a", "b", "c"])
        await scene.close()
    }

    /// Whether the node cannot be made, or not be measured, or not within another range; layouts go on asking.
    @Test(arguments: Substrate.allCases, ["make", "measure", "further"])
    func whatFailsIsToldOnce(_ substrate: Substrate, _ fault: String) async throws {
        let delegate = ColumnLayout { map, measurer in
            for item in map.items {
                let widths = fault == "further" ? [10.0, 4, 3] : [10, 10]
                for width in widths {
                    _ = try? measurer.size(ofItemAt: item.path, in: .width(width))
                }
            }
        }
        delegate.next.withLock { $0.measuresItems = false }
        let scene = Scene(substrate, [["a", "bad"]], layoutDelegate: delegate)
        scene.nodes.onMake { text in
            if text == "bad", fault == "make" { throw TestFailure("make") }
        }
        scene.nodes.onMeasure { text, range in
            let isFurther = fault == "further" && range.maximum.width < 10
            if text == "bad", fault == "measure" || isFurther { throw TestFailure(fault) }
            return nil
        }
        let result = try await scene.controller.reloadData()
        #expect(result.failedElements.count == 1)
        try await append("c", to: scene)
        await scene.settle()
        let failures = scene.events.events(.elementFailed)
        #expect(failures.map(\.submission?.rawValue) == [1])
        #expect(failures.first?.error as? TestFailure == TestFailure(fault))
        #expect(failures.first?.failedElement?.dataSourcePath == ItemPath(0, 1))
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func theReloadAfterARejectionHasALayout(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, [["a"]], layoutDelegate: ColumnLayout())
        try await scene.controller.reloadData()
        await scene.onMain { _ in
            scene.view.onApply = { update in
                if !update.changeSet.isReloadData { throw TestFailure() }
            }
        }
        try await append("b", to: scene)
        await scene.settle()
        let reload = scene.view.received.values.last
        #expect(reload?.changeSet.isReloadData == true)
        #expect(reload?.layout as? [Double] == [1, 1])
        await scene.close()
    }

    /// Notes for which maps it is asked.
    private final class Noting: LayoutDelegate {
        let contexts = Journal<Int>()
        let layouts = Journal<Int>()

        func layoutContext(for map: ElementMap) -> Context {
            contexts.append(map.generation)
            return 0
        }

        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        {
            layouts.append(map.generation)
            return 0
        }
    }

    @Test(arguments: Substrate.allCases)
    func theContextIsForTheMapThatIsLaidOutAfterARejectionToo(_ substrate: Substrate) async throws {
        let delegate = Noting()
        let scene = Scene(substrate, [["a"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await scene.onMain { _ in
            scene.view.onApply = { update in
                if !update.changeSet.isReloadData { throw TestFailure() }
            }
        }
        try await append("b", to: scene)
        await scene.settle()
        #expect(delegate.contexts.values == [1, 2, 3])
        #expect(delegate.layouts.values == [1, 2, 3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func aRelayoutOfAllLeavesMeasuringToTheDelegate(_ substrate: Substrate) async throws {
        let delegate = ColumnLayout()
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        try await scene.onMain { try $0.assumeIsolated().relayoutAllNodes() }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 2, "the same ranges as before")
        #expect(scene.view.received.values.last?.remeasured == [])
        delegate.next.withLock { $0.measuresItems = false }
        try await scene.onMain { controller in
            controller.assumeIsolated().environmentDidChange(Traits(textScale: 2))
            try controller.assumeIsolated().relayoutAllNodes()
        }
        await scene.settle()
        #expect(scene.nodes.measurements.count == 2)
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func supplementaryElementsAreMeasuredWithinTheRangeOfTheLayout(
        _ substrate: Substrate
    ) async throws {
        let sizes = Journal<Size>()
        let codes = Journal<UpdateError.Code?>()
        let delegate = ColumnLayout { _, measurer in
            for width in [4.0, 3, 4] {
                sizes.append(
                    try measurer.size(
                        ofSupplementary: .header,
                        at: ItemPath(0, 0),
                        in: .width(width)
                    )
                )
            }
            for kind in [SupplementaryKind.header, .footer] {
                let error = #expect(throws: UpdateError.self) {
                    try measurer.size(ofSupplementary: kind, at: ItemPath(0, 1), in: .width(4))
                }
                codes.append(error?.code)
            }
        }
        let scene = Scene(
            substrate,
            [.init(["a"], headers: ["a header"])],
            layoutDelegate: delegate
        )
        try await scene.controller.reloadData()
        #expect(sizes.values.map(\.height) == [2, 3, 2])
        #expect(codes.values == [.unknownElement, .unknownElement])
        #expect(scene.nodes.measurementCount(of: "a header") == 2, "then from memory")
        let map = scene.controller.visibleMap
        let content = map.supplementaryContent(ofKind: .header, at: ItemPath(0, 0))
        #expect(content?.size == Size(width: 4, height: 2))
        await scene.close()
    }

    @Test(.holdsWorker, arguments: Substrate.threaded)
    func nothingIsMeasuredForALayoutOnceItIsCancelled(_ substrate: Substrate) async throws {
        let scene = Scene(
            substrate,
            [["a", "b"]],
            layoutDelegate: ColumnLayout(),
            workerCount: 1
        )
        try await scene.cancelWhileTheFirstNodeIsMade()
        #expect(scene.nodes.made.count == 1)
        #expect(scene.nodes.measurements.count == 0)
    }
}
