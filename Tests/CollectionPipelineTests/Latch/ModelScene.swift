import CollectionElements
import CollectionPipeline
import PipelineTestSupport

/// Sections of texts that are given by the range, with a log of every question.
final class ModelFeed: ModelDataSource {
    var sections: [[String]]
    /// Answers instead of the real models.
    var falseModels: (_ items: Range<Int>, _ section: Int) -> AnySequence<String>? = { _, _ in nil }
    var sizeRange: (_ items: Range<Int>, _ section: Int) -> SizeRange? = { _, _ in nil }
    let makeNode: @Sendable (String) throws -> any CollectionNode

    let asked: Journal<String>

    init(_ sections: [[String]], _ nodes: NodeBook, _ asked: Journal<String>) {
        self.sections = sections
        self.asked = asked
        makeNode = { [nodes] in try nodes.makeNode($0) }
    }

    func numberOfSections() -> Int { sections.count }

    func numberOfItems(inSection section: Int) -> Int { sections[section].count }

    func models(at items: Range<Int>, inSection section: Int) -> AnySequence<String> {
        asked.append("models \(section) \(items)")
        return falseModels(items, section) ?? AnySequence(sections[section][items])
    }

    func sizeRange(forItemsAt items: Range<Int>, inSection section: Int) -> SizeRange? {
        asked.append("range \(section) \(items)")
        return sizeRange(items, section)
    }
}

/// A controller over a ``ModelFeed``.
struct ModelScene: Sendable {
    let stage: Stage
    let nodes: NodeBook
    let asked = Journal<String>()
    let view = RecordingView()
    let events = EventRecorder()
    let controller: DataController<ModelFeed>

    init(_ substrate: Substrate, _ sections: [[String]]) {
        stage = substrate.makeStage()
        nodes = NodeBook(stage)
        controller = stage.makeController(
            ModelFeed(sections, nodes, asked),
            view: view,
            observer: events
        )
    }

    /// What was asked while `updates` was submitted.
    func questions(
        _ updates: @escaping @Sendable (ModelFeed, inout BatchRecorder) -> Void
    ) async throws -> [String] {
        asked.removeAll()
        try await controller.performBatchUpdates(updates)
        return asked.values
    }
}
