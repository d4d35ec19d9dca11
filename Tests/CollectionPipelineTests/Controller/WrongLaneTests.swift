import CollectionPipeline
import PipelineTestSupport
import Testing

/// What belongs to the main lane stops the process elsewhere. Each body runs in a process of its own.
@Suite("Members of the main lane, called elsewhere", .endsHangs)
struct WrongLaneTests {
    enum Member: String, CaseIterable, Codable, Sendable {
        case dataSource, isProcessingUpdates, isSynchronized, isClosed, backlog
        case performBatchUpdates, beginUpdates, endUpdates, reloadData, insertItems
        case relayoutItems, relayoutAllNodes, clear, environmentDidChange
        case onDidFinishProcessingUpdates, onDidFinishSynchronizing

        /// What the message calls it.
        var name: String {
            switch self {
            case .dataSource, .isProcessingUpdates, .isSynchronized, .isClosed, .backlog:
                "DataController.\(rawValue)"
            case .performBatchUpdates, .beginUpdates, .reloadData, .insertItems:
                "Recording updates"
            case .endUpdates: "Ending updates"
            case .relayoutItems: "relayoutItems(at:)"
            case .relayoutAllNodes, .clear: "\(rawValue)()"
            case .environmentDidChange, .onDidFinishProcessingUpdates, .onDidFinishSynchronizing:
                "\(rawValue)(_:)"
            }
        }

        func use(_ controller: DataController<TextDataSource>) throws {
            switch self {
            case .dataSource: _ = controller.dataSource
            case .isProcessingUpdates: _ = controller.isProcessingUpdates
            case .isSynchronized: _ = controller.isSynchronized
            case .isClosed: _ = controller.isClosed
            case .backlog: _ = controller.backlog
            case .performBatchUpdates: try controller.performBatchUpdates(completion: nil)
            case .beginUpdates: try controller.beginUpdates()
            case .endUpdates: try controller.endUpdates()
            case .reloadData: try controller.reloadData(completion: nil)
            case .insertItems: try controller.insertItems(at: [])
            case .relayoutItems: try controller.relayoutItems(at: [])
            case .relayoutAllNodes: try controller.relayoutAllNodes()
            case .clear: try controller.clear()
            case .environmentDidChange: controller.environmentDidChange(Traits())
            case .onDidFinishProcessingUpdates: controller.onDidFinishProcessingUpdates {}
            case .onDidFinishSynchronizing: controller.onDidFinishSynchronizing {}
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
            try member.use(controller)
        }
        let expected = "\(member.name) must be called on the lane 'CollectionPipeline.main'"
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
            try await onMain(controller) { try $0.reloadData(completion: nil) }
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

        func willDeploy(_ update: ViewUpdate) { controller?.waitUntilAllUpdatesAreProcessed() }
    }
}
