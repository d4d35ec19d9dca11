import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

extension [TextDataSource.Section] {
    fileprivate static var threeItems: Self {
        [.init(["aaaa", "b"], headers: ["head"]), .init(["cccccc"])]
    }
}

/// Promises of relayouts besides sizes, which ``MeasuringModelTests`` checks.
@Suite("Relayouts", .endsHangs)
struct RelayoutTests {
    private func widths(_ scene: Scene) -> [Double?] {
        scene.controller.visibleMap.items.map { $0.content.size?.width }
    }

    @Test(arguments: Substrate.allCases)
    func aNewSizeRangeMeasuresEverythingInOneUpdate(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems)
        try await scene.controller.reloadData()
        let before = scene.controller.visibleMap
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            for _ in 0..<3 { controller.visibleMap.setNeedsRelayout() }
        }
        await scene.settleAfterTurn()
        let updates = scene.view.received.values
        #expect(updates.count == 2 && updates.last?.changeSet.edits.isEmpty == true)
        #expect(
            updates.last?.remeasured.map(\.description)
                == ["0 - 0", "0 - 1", "1 - 0", "header 0 - 0"]
        )
        #expect(widths(scene) == [3, 3, 3])
        #expect(scene.controller.visibleMap.elements == before.elements)
        #expect(before.items.map { $0.content.size?.width } == [10, 10, 10])
        #expect(scene.nodes.made.count == 4 && scene.nodes.measurements.count == 8)
        #expect(scene.nodes.measurements.values.allSatisfy { $0.place == .worker })
        // Now some elements request it themselves; the data source is not involved.
        scene.calls.removeAll()
        scene.nodes.onMeasure { _, _ in Size(width: 3, height: 7) }
        await scene.onMain { controller in
            let map = controller.pendingMap
            map.supplementary(ofKind: .header, at: ItemPath(0, 0))?.setNeedsLayout()
            for item in [1, 0, 1] { map.element(at: ItemPath(item, 0))?.setNeedsLayout() }
        }
        await scene.settleAfterTurn()
        let last = try #require(scene.view.received.values.last)
        #expect(last.remeasured.map(\.description) == ["0 - 0", "1 - 0", "header 0 - 0"])
        #expect(scene.controller.visibleMap.items.map { $0.content.size?.height } == [7, 1, 7])
        #expect(scene.nodes.measurements.count == 11 && scene.calls.values == [])
        let next = try await scene.onMain { try $0.assumeIsolated().performBatchUpdates() }
        #expect(next.rawValue == 4, "one turn and one number for all requests")
        await scene.settle()
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func automaticRelayoutsCanBeDisabled(_ substrate: Substrate) async throws {
        let scene = Scene(substrate, .threeItems) { $0.relayoutsWhenSizeRangeChanges = false }
        try await scene.controller.reloadData()
        await scene.onMain { controller in
            scene.view.elementSizeRange = .width(3)
            controller.visibleMap.setNeedsRelayout()
        }
        await scene.settleAfterTurn()
        #expect(widths(scene) == [10, 10, 10] && scene.view.received.count == 1)
        try await scene.controller.relayoutAllNodes()
        #expect(widths(scene) == [3, 3, 3])
        await scene.close()
    }

    @Test(arguments: Substrate.allCases)
    func withoutAViewNoRelayoutHappens(_ substrate: Substrate) async throws {
        let stage = substrate.makeStage()
        let nodes = NodeBook(stage)
        var view: RecordingView? = RecordingView()
        let controller = stage.makeController(TextDataSource(.threeItems, nodes: nodes), view: view)
        try await controller.reloadData()
        view = nil
        try await controller.performBatchUpdates { $0.append("new", &$1) }
        controller.visibleMap.setNeedsRelayout()
        await onMain(controller) { _ in }
        await controller.settle()
        #expect(nodes.measurements.count == 5 && controller.pendingMap.generation == 2)
        _ = view
        await controller.close()
    }
}

@Suite("Relayout ledger")
struct RelayoutLedgerTests {
    /// A ledger with turns that run on request, and change sets that finish step 3 in order.
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case asks
            /// The turn runs: nothing needs measuring, the data source cannot be read, or a
            /// relayout begins.
            case settles, isBlocked, begins, beginsWithoutSome
            /// A turn that only measures single nodes again.
            case passes
            case acceptsSame, acceptsOther, acceptsAll
            case measures
            /// The last change set in step 3 absorbs the one before it.
            case merges
        }

        var ledger = RelayoutLedger()
        var isTurnDue = false
        /// Whether a relayout was requested after the last look.
        var isUnseen = false
        /// Whether a second look is needed because some elements were missed.
        var missesSome = false
        var preparing: [Int] = []
        var relayout: Int?
        /// The expected values of the ledger: the widths of all elements and of the newest, and whether some differ.
        var (common, newest, isMixed): (Double?, Double?, Bool) = (nil, nil, false)
        var generation = 0
        var mistake: String?

        mutating func take(_ input: Input) -> Bool {
            switch input {
            case .asks: (isTurnDue, isUnseen) = (true, true)
            case .settles, .isBlocked, .begins, .beginsWithoutSome:
                guard isTurnDue else { return false }
                isTurnDue = false
                look(input)
            case .passes:
                if ledger.beginTurn(isRequested: false) != .nothing {
                    mistake = "a relayout without a request"
                }
            case .acceptsSame: accept(1)
            case .acceptsOther: accept(2)
            case .acceptsAll: accept(2, isOfAll: true)
            case .measures:
                guard let first = preparing.first else { return false }
                preparing.removeFirst()
                let isDue = ledger.measured(first) == .enqueueTurn
                if relayout == first { relayout = nil } else if isDue { mistake = "too early" }
                if isDue { isTurnDue = true }
            case .merges:
                guard preparing.count > 1, let last = preparing.last else { return false }
                let merged = preparing.remove(at: preparing.count - 2)
                if relayout == merged { relayout = last }
            }
            return true
        }

        private mutating func look(_ input: Input) {
            let looks = ledger.beginTurn(isRequested: true) == .search
            if looks != (relayout == nil) {
                mistake = "two relayouts are measured at the same time"
            }
            guard looks else { return }
            (isUnseen, missesSome) = (false, false)
            switch input {
            case .settles:
                ledger.settled(.range(.width(1)))
                (common, isMixed) = (1, false)
            case .isBlocked:
                ledger.blocked()
                isUnseen = true
            default:
                accept(2, isOfAll: input == .begins)
                missesSome = input == .beginsWithoutSome
                relayout = generation
                ledger.began(generation, missesSome: missesSome)
                if missesSome { isMixed = true }
            }
        }

        private mutating func accept(_ width: Double, isOfAll: Bool = false) {
            generation += 1
            preparing.append(generation)
            let isOther = common.map { $0 != width } ?? false
            newest = width
            if isOfAll { (common, isMixed) = (width, false) } else if isOther { isMixed = true }
            let action = ledger.accepted(
                .range(.width(width)),
                isOfAll: isOfAll,
                isOther: isOther
            )
            if action == .enqueueTurn { isTurnDue = true }
        }

        private static func width(_ conditions: RelayoutLedger.MeasuringConditions?) -> Double? {
            if case .range(let range) = conditions { range.maximum.width } else { nil }
        }

        /// Checks that every request is handled eventually: after all accepted sets and one more
        /// are measured.
        var fault: String? {
            if let mistake { return mistake }
            let found = (Self.width(ledger.common), Self.width(ledger.newest), ledger.isMixed)
            if found != (common, newest, isMixed) { return "\(found) is reported" }
            guard isUnseen || missesSome else { return nil }
            var rest = self
            while rest.take(.measures) {}
            _ = rest.take(.acceptsSame)
            return rest.isTurnDue && rest.ledger.beginTurn(isRequested: true) == .search
                ? nil : "a request is forgotten"
        }
    }

    @Test func everyRequestIsHandledAndOneRelayoutIsMeasuredAtATime() {
        let (fault, count) = walk(Run(), length: Effort.isFull ? 8 : 6)
        #expect(fault == nil)
        #expect(count > 10_000)
        #expect(randomWalk(Run(), seeds: 20, steps: 60) == nil)
    }
}
