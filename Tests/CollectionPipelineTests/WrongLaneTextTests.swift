import CollectionPipeline
import PipelineTestSupport
import Testing

/// What is called on the wrong lane is named as its caller wrote it. Each body runs in a process of its own.
@Suite("What a call on a wrong lane is told", .endsHangs)
struct WrongLaneTextTests {
    enum Member: String, CaseIterable, Codable, Sendable {
        case isProcessingUpdates = "DataController.isProcessingUpdates"
        case isSynchronized = "DataController.isSynchronized"
        case isClosed = "DataController.isClosed"
        case backlog = "DataController.backlog"
        case endUpdates = "Ending updates"
        case relayoutItems = "relayoutItems(at:)"
        case relayoutAllNodes = "relayoutAllNodes()"
        case clear = "clear()"
        case environmentDidChange = "environmentDidChange(_:)"
        case onDidFinishProcessingUpdates = "onDidFinishProcessingUpdates(_:)"
        case onDidFinishSynchronizing = "onDidFinishSynchronizing(_:)"

        func use(_ controller: DataController<TextDataSource>) throws {
            switch self {
            case .isProcessingUpdates: _ = controller.isProcessingUpdates
            case .isSynchronized: _ = controller.isSynchronized
            case .isClosed: _ = controller.isClosed
            case .backlog: _ = controller.backlog
            case .endUpdates: try controller.endUpdates()
            case .relayoutItems: try controller.relayoutItems(at: [])
            case .relayoutAllNodes: try controller.relayoutAllNodes()
            case .clear: try controller.clear()
            case .environmentDidChange: controller.environmentDidChange(Traits())
            case .onDidFinishProcessingUpdates: controller.onDidFinishProcessingUpdates {}
            case .onDidFinishSynchronizing: controller.onDidFinishSynchronizing {}
            }
        }
    }

    @Test(arguments: Member.allCases)
    func theMemberIsNamed(_ member: Member) async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [member = member as Member] in
            let controller = DataController(dataSource: TextDataSource([["a"]]))
            try member.use(controller)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("\(member.rawValue) must be called on the lane"))
    }
}
