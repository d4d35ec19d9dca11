import TestSupport

@testable import CollectionElements

/// An element with recording nodes, and the steps of the pipeline called by hand.
struct ElementScript {
    let elementEnvironment = ElementEnvironment(Traits(textScale: 0))
    let element: CollectionElement
    /// The first content of the element and its revisions.
    private(set) var contents: [ElementContent] = []
    /// Every node, in the order in which they were made.
    let nodes = Journal<RecordingNode>()

    init(_ text: String) {
        element = ProvidedElement(
            model: text,
            provider: { [nodes] in
                let node = RecordingNode(text)
                nodes.append(node)
                return node
            },
            configuration: ElementConfiguration(
                sizeRange: .unconstrained,
                elementEnvironment: elementEnvironment
            )
        )
        contents = [element.firstContent]
    }

    var traits: Double { elementEnvironment.traits.current.textScale }

    /// The node that the view shows.
    var node: RecordingNode? { element.nodeIfAllocated as? RecordingNode }

    /// Makes a further revision that is not accepted yet.
    @discardableResult
    mutating func revise(
        _ text: String,
        keepsNode: Bool = false,
        retrying retried: ElementContent? = nil
    ) -> ElementContent {
        let content = ElementContent(
            revising: element,
            model: text,
            sizeRange: .unconstrained,
            provider: { [nodes] in
                let node = RecordingNode(text)
                nodes.append(node)
                return node
            },
            keepsNode: keepsNode,
            retried: retried
        )
        contents.append(content)
        return content
    }

    /// Makes a revision and accepts, prepares and shows it.
    mutating func reconfigure(_ text: String, keepsNode: Bool = false) {
        let content = revise(text, keepsNode: keepsNode)
        element.accept(content)
        _ = element.prepare(content)
        element.show(content, isReconfigured: true)
    }

    /// Measures the newest model again.
    mutating func relayout() {
        let old = element.content
        let content = revise(old.model as? String ?? "", retrying: old)
        element.accept(content)
        _ = element.prepare(content)
        element.show(content, isReconfigured: false)
    }

    /// Replaces the traits and notifies the element, as the main lane does.
    func changeTraits() {
        _ = elementEnvironment.traits.replace(with: Traits(textScale: traits + 1))
        element.refreshTraits()
    }
}

/// A node that updates in place only to models with its own first letter, and records all calls.
/// The size of a text is its first letter by its length.
final class RecordingNode: ReconfigurableNode {
    struct Measurement: Equatable {
        let text: String
        /// Whether the call passed a model instead of measuring the node's own text.
        let passesModel: Bool
        let traits: Double
    }

    struct Record {
        var text: String
        /// The text scales that the node received, in order.
        var traits: [Double] = []
        var measurements: [Measurement] = []
        /// The models that the node was updated to.
        var updates: [String] = []
    }

    private let letter: Character?
    private let record: Lock<Record>
    private let hooks = Lock(Hooks())

    private struct Hooks {
        var onAccept: (@Sendable (String) -> Bool)?
        var onTraits: (@Sendable (Double) -> Void)?
        var onMeasure: (@Sendable () throws -> Void)?
    }

    init(_ text: String) {
        letter = text.first
        record = Lock(Record(text: text))
    }

    var recorded: Record { record.withLock { $0 } }

    func onAccept(_ hook: (@Sendable (String) -> Bool)?) { hooks.withLock { $0.onAccept = hook } }

    func onTraits(_ hook: (@Sendable (Double) -> Void)?) { hooks.withLock { $0.onTraits = hook } }

    func onMeasure(_ hook: (@Sendable () throws -> Void)?) {
        hooks.withLock { $0.onMeasure = hook }
    }

    func accepts(_ model: String) -> Bool {
        hooks.withLock { $0.onAccept }?(model) ?? (model.first == letter)
    }

    func measure(in range: SizeRange) throws -> Size { try measure(recorded.text, false) }

    func measure(_ model: String, in range: SizeRange) throws -> Size {
        guard model.first == letter else { throw UnacceptedModel() }
        return try measure(model, true)
    }

    /// The node was measured with a model that it does not accept.
    private struct UnacceptedModel: Error {}

    private func measure(_ text: String, _ passesModel: Bool) throws -> Size {
        try hooks.withLock { $0.onMeasure }?()
        record.withLock { record in
            let measurement = Measurement(
                text: text,
                passesModel: passesModel,
                traits: record.traits.last ?? 0
            )
            record.measurements.append(measurement)
        }
        return Self.size(of: text)
    }

    func update(to model: String) {
        record.withLock { record in
            record.text = model
            record.updates.append(model)
        }
    }

    func traitsDidChange(_ traits: Traits) {
        record.withLock { $0.traits.append(traits.textScale) }
        hooks.withLock { $0.onTraits }?(traits.textScale)
    }

    static func size(of text: String) -> Size {
        Size(width: Double(text.utf8.first ?? 0), height: Double(text.count))
    }
}
