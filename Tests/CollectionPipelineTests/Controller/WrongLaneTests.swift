import CollectionPipeline
import PipelineTestSupport
import Testing

/// What belongs to the main lane stops the process elsewhere. Each body runs in a process of its own.
@Suite("Members of the main lane, called elsewhere", .endsHangs)
struct WrongLaneTests {
    enum Member: String, CaseIterable, Codable, Sendable {
        case dataSource, isProcessingUpdates, isSynchronized, isClosed, backlog
        case performBatchUpdates, beginUpdates, endUpdates, reloadData, insertItems
        case relayoutItems, relayoutAllNodes, clear, environmentDidChange, firstDisagreement

        /// What the message calls it.
        var name: String {
            switch self {
            case .dataSource, .isProcessingUpdates, .isSynchronized, .isClosed, .backlog:
                rawValue
            case .performBatchUpdates: "performBatchUpdates(_:completion:)"
            case .reloadData: "reloadData(completion:)"
            case .insertItems, .relayoutItems: "\(rawValue)(at:)"
            case .beginUpdates, .endUpdates, .relayoutAllNodes, .clear: "\(rawValue)()"
            case .environmentDidChange: "\(rawValue)(_:)"
            case .firstDisagreement: "\(rawValue)(by:)"
            }
        }

        /// What it tells to use instead, where there is something.
        var alternative: String? {
            switch self {
            case .dataSource: "use 'await withDataSource(_:)'"
            case .performBatchUpdates, .beginUpdates, .endUpdates:
                "use 'await performBatchUpdates(_:)' or enqueueBatchUpdates(_:completion:)"
            case .insertItems: "use 'await insertItems(at:updateModel:)'"
            case .reloadData: "use 'await reloadData()'"
            case .relayoutItems, .relayoutAllNodes, .clear: "use 'await \(name)'"
            case .isProcessingUpdates, .isSynchronized, .isClosed, .backlog, .environmentDidChange,
                .firstDisagreement:
                nil
            }
        }

        func use(_ list: DataController<TextDataSource>.Isolated) throws {
            switch self {
            case .dataSource: _ = list.dataSource
            case .isProcessingUpdates: _ = list.isProcessingUpdates
            case .isSynchronized: _ = list.isSynchronized
            case .isClosed: _ = list.isClosed
            case .backlog: _ = list.backlog
            case .performBatchUpdates: try list.performBatchUpdates()
            case .beginUpdates: try list.beginUpdates()
            case .endUpdates: try list.endUpdates()
            case .reloadData: try list.reloadData()
            case .insertItems: try list.insertItems(at: [])
            case .relayoutItems: try list.relayoutItems(at: [])
            case .relayoutAllNodes: try list.relayoutAllNodes()
            case .clear: try list.clear()
            case .environmentDidChange: list.environmentDidChange(Traits())
            case .firstDisagreement: _ = list.firstDisagreement()
            }
        }
    }

    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test(arguments: Member.allCases)
    func everySynchronousMemberStopsTheProcessAndNamesTheLane(_ member: Member) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as Member] in
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            let escaped = await controller.withIsolated { Escaped(list: $0) }
            try member.use(escaped.list)
        }
        let expected =
            "\(member.name) must be called on the lane 'collection.main', but was called"
            + " elsewhere; \(member.alternative.map { "\($0), or " } ?? "")go there with the lane's"
            + " enqueue(_:)"
        #expect(message(result).contains(expected))
    }

    /// What the compiler would not let through.
    private struct Escaped: @unchecked Sendable {
        let list: DataController<TextDataSource>.Isolated
    }

    @Test func assumingTheLaneElsewhereStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = DataController(dataSource: TextDataSource([["a"]])).assumeIsolated()
        }
        let expected = "DataController.assumeIsolated() must be called on the lane"
        #expect(message(result).contains(expected))
    }

    @Test(arguments: [true, false])
    func anUpdateOfAViewStopsTheProcess(_ isDeployed: Bool) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [isDeployed = isDeployed as Bool] in
            let view = RecordingView(.onDemand)
            let controller = DataController(dataSource: TextDataSource([["a"]]), view: view)
            try await onMain(controller) { try $0.assumeIsolated().reloadData(completion: nil) }
            await view.received.values(count: 1)
            let update = await onMain(controller) { _ in
                let update = view.waiting[0]
                if isDeployed { update.deploy { _ in } }
                return update
            }
            if isDeployed { update.finish() } else { update.deploy { _ in } }
        }
        let member = isDeployed ? "ViewUpdate.finish()" : "ViewUpdate.deploy(_:)"
        #expect(message(result).contains("\(member) must be called on the lane"))
    }

    @Test func isolatedCodeElsewhereStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            EmulatedMainLane(label: "mine").checkIsolated()
        }
        #expect(message(result).contains("Isolated code must be called on the lane 'mine'"))
    }

    @Test func aFacilitatorThatWaitsStopsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let facilitator = Waiting()
            let controller = DataController(
                dataSource: TextDataSource([["a"]]),
                facilitators: [facilitator]
            )
            await onMain(controller) { facilitator.controller = $0 }
            try await controller.reloadData()
        }
        #expect(message(result).contains("must not be called while an update is deployed"))
    }

    private final class Waiting: UpdateFacilitator, @unchecked Sendable {  // main-lane confined
        weak var controller: DataController<TextDataSource>?

        func willDeploy(_ update: ViewUpdate) { controller?.waitUntilReached(.handedOver) }
    }
}
