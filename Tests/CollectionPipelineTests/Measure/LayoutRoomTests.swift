import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@Suite("Layout delegates in other room than before", .endsHangs)
struct LayoutRoomTests {
    /// Measures the first items in the width that there was when it was asked.
    private final class Columns: LayoutDelegate {
        let width = Lock(10.0)
        let laidOut = Journal<Double>()
        /// Called once, where it is asked for a context.
        let onContext = Lock<(@Sendable () -> Void)?>(nil)
        private let saysRanges: Bool

        init(saysRanges: Bool = true) { self.saysRanges = saysRanges }

        var measuresOnDemand: Bool { true }

        func layoutContext(for map: ElementMap) -> Double {
            let hook = onContext.withLock { hook in
                defer { hook = nil }
                return hook
            }
            hook?()
            return width.withLock { $0 }
        }

        func isOutdated(_ context: Double) -> Bool { context != width.withLock { $0 } }

        func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? {
            let width = width.withLock { $0 }
            return saysRanges ? { _ in .width(width) } : nil
        }

        func layout(_ map: ElementMap, in context: Double, measurer: LayoutMeasurer) -> Double {
            laidOut.append(context)
            for item in map.items where item.path.item < 2 {
                _ = try? measurer.size(ofItemAt: item.path, in: .width(context))
            }
            for place in measurer.wantedPlaces {
                _ = try? measurer.size(ofItemAt: place.path, in: .width(context))
            }
            return context
        }
    }

    private func widths(_ scene: Scene) -> [Double?] {
        scene.controller.visibleMap.items.map { item in
            if case .measured(let range) = item.content.state { range.maximum.width } else { nil }
        }
    }

    private func ask(_ scene: Scene) async {
        await scene.onMain { $0.visibleMap.setNeedsRelayout() }
        await scene.settleAfterTurn()
    }

    @Test(arguments: Substrate.allCases)
    func everythingIsLaidOutForItAndMeasuredAgainWhatWasForOther(
        _ substrate: Substrate
    ) async throws {
        let delegate = Columns()
        let scene = Scene(substrate, [["a", "b", "c", "d"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await ask(scene)
        #expect(delegate.laidOut.values == [10], "nothing is other")
        await scene.onMain { controller in
            controller.visibleMap.element(at: ItemPath(0, 2))?.setNeedsMeasuring()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [10, 10, 10, nil])
        delegate.width.withLock { $0 = 7 }
        await ask(scene)
        #expect(widths(scene) == [7, 7, nil, nil], "what is not laid out at once waits")
        let update = try #require(scene.view.received.values.last)
        #expect(update.layout as? Double == 7 && update.changeSet.edits.isEmpty)
        #expect(update.remeasured.map(\.path.item) == [0, 1, 2])
        #expect(scene.controller.visibleMap.content(at: ItemPath(0, 2))?.knownSize?.width == 10)
        await ask(scene)
        #expect(delegate.laidOut.values == [10, 10, 7])
        // Who asks for something in the same turn gets it.
        delegate.width.withLock { $0 = 4 }
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 2))?.setNeedsMeasuring()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [4, 4, 4, nil] && delegate.laidOut.values == [10, 10, 7, 4])
        // Also what is measured, and wants another size.
        delegate.width.withLock { $0 = 5 }
        await scene.onMain { controller in
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 2))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [5, 5, 5, nil])
        await scene.close()
    }

    /// A set that was accepted since has been laid out for it already; what was measured before is measured again all
    /// the same.
    @Test(arguments: Substrate.allCases)
    func aSetInBetweenDoesNotSettleIt(_ substrate: Substrate) async throws {
        let delegate = Columns()
        let scene = Scene(substrate, [["a", "b", "c"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        delegate.width.withLock { $0 = 7 }
        try await scene.append("d")
        await scene.settle()
        #expect(widths(scene) == [10, 10, nil, nil])
        await ask(scene)
        #expect(widths(scene) == [7, 7, nil, nil])
        #expect(delegate.laidOut.values == [10, 7, 7])
        await scene.close()
    }

    /// What sets before it measure while it is accepted is found when they are done.
    @Test(.holdsWorker, arguments: Substrate.threaded, [true, false])
    func whatIsBeingMeasuredForOtherRoomIsMeasuredAgain(
        _ substrate: Substrate,
        _ isAskedFor: Bool
    ) async throws {
        let delegate = Columns()
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        let gate = Gate()
        defer { gate.open() }
        scene.nodes.onMeasure { _, range in
            if range == .width(10) { gate.pass() }
            return nil
        }
        try await scene.onMain { try $0.assumeIsolated().reloadData() }
        await gate.reached()
        try await scene.onMain { controller in
            delegate.width.withLock { $0 = 7 }
            if !isAskedFor { try controller.assumeIsolated().relayoutAllNodes() }
            controller.pendingMap.setNeedsRelayout()
        }
        await scene.onMain { #expect($0.pendingMap.generation == 2) }
        gate.open()
        await scene.view.received.values(count: 3)
        await scene.settle()
        #expect(widths(scene) == [7, 7])
        #expect(scene.view.received.count == 3)
        await scene.close()
    }

    /// Whatever it is asked, what it submits from there is not done, and the relayout after the next set.
    @Test(arguments: Substrate.allCases, ["context", "isOutdated"])
    func aDelegateThatSubmitsWhereItIsAskedLosesNothing(
        _ substrate: Substrate,
        _ where: String
    ) async throws {
        final class Submitting: LayoutDelegate {
            let width = Lock(10.0)
            let submits = Lock<(@Sendable () -> Void)?>(nil)
            let place: String
            init(_ place: String) { self.place = place }

            private func submit(_ place: String) {
                guard place == self.place else { return }
                submits.withLock { $0 }?()
            }

            func layoutContext(for map: ElementMap) -> Double {
                submit("context")
                return width.withLock { $0 }
            }

            func isOutdated(_ context: Double) -> Bool {
                submit("isOutdated")
                return context != width.withLock { $0 }
            }

            func layout(_ map: ElementMap, in context: Double, measurer: LayoutMeasurer) -> Double {
                context
            }
        }
        let delegate = Submitting(`where`)
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        let errors = Journal<UpdateError.Code>()
        await scene.onMain { controller in
            delegate.width.withLock { $0 = 7 }
            let submit: @Sendable () -> Void = { [weak controller] in
                delegate.submits.withLock { $0 = nil }
                guard let list = controller?.assumeIsolated() else { return }
                list.dataSource.sections[0].items.append("c")
                do throws(UpdateError) {
                    try list.performBatchUpdates { $1.insertItems(at: [ItemPath(0, 2)]) }
                } catch {
                    errors.append(error.code)
                }
            }
            delegate.submits.withLock { $0 = submit }
            controller.visibleMap.setNeedsRelayout()
        }
        await scene.settleAfterTurn()
        #expect(errors.count == 1)
        #expect(scene.controller.visibleMap.shape == [2])
        try await scene.controller.reloadData()
        await scene.settleAfterTurn()
        #expect(scene.controller.visibleMap.shape == [3])
        #expect(scene.view.received.values.last?.layout as? Double == 7)
        await scene.close()
    }

    /// The relayout is rejected; the one element is measured by itself, and all others after the next set.
    @Test(arguments: Substrate.allCases)
    func whoAskedInATurnThatTheDelegateDisturbedIsMeasuredAllTheSame(
        _ substrate: Substrate
    ) async throws {
        let delegate = Columns()
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            delegate.width.withLock { $0 = 7 }
            delegate.onContext.withLock {
                $0 = { [weak controller] in
                    _ = try? controller?.assumeIsolated().performBatchUpdates()
                }
            }
            controller.visibleMap.setNeedsRelayout()
            controller.visibleMap.element(at: ItemPath(0, 0))?.setNeedsLayout()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [7, 10])
        try await scene.controller.performBatchUpdates { _, _ in }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [7, 7])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func whoSaysNoRangesLaysOutAlone(_ substrate: Substrate) async throws {
        let delegate = Columns(saysRanges: false)
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        delegate.width.withLock { $0 = 7 }
        await ask(scene)
        #expect(widths(scene) == [10, 10], "the first range counts")
        #expect(scene.view.received.values.last?.remeasured == [])
        #expect(delegate.laidOut.values == [10, 7])
        await scene.close()
    }

    /// A delegate that says nothing of contexts is asked for none.
    @Test(arguments: Substrate.allCases)
    func byDefaultNothingIsOutdated(_ substrate: Substrate) async throws {
        final class Plain: LayoutDelegate {
            let asked = Journal<Int>()
            func layoutContext(for map: ElementMap) { asked.append(map.generation) }
            func layout(_ map: ElementMap, in context: (), measurer: LayoutMeasurer) -> Int { 0 }
        }
        let delegate = Plain()
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.elementSizeRange = .width(3) }
        await ask(scene)
        #expect(delegate.asked.values == [1] && scene.view.received.count == 1)
        await scene.close()
    }

    /// The room is another for a moment, in which the view refuses an update.
    @Test(arguments: Substrate.allCases)
    func whatTheReloadAfterARejectionWasLaidOutForIsKnown(_ substrate: Substrate) async throws {
        let delegate = Columns()
        let scene = Scene(substrate, [["a", "b"]], layoutDelegate: delegate)
        try await scene.controller.reloadData()
        await scene.onMain { _ in scene.view.mode = .onDemand }
        try await scene.append("c")
        await scene.view.received.values(count: 2)
        await scene.onMain { _ in
            delegate.width.withLock { $0 = 7 }
            scene.view.onApply = { _ in throw TestFailure("no room") }
            scene.view.deployNext()
            scene.view.onApply = { _ in }
            scene.view.mode = .atOnce
        }
        await scene.view.received.values(count: 3)
        await scene.settle()
        #expect(delegate.laidOut.values == [10, 10, 7])
        delegate.width.withLock { $0 = 10 }
        await ask(scene)
        #expect(delegate.laidOut.values == [10, 10, 7, 10])
        await scene.close()
    }
}
