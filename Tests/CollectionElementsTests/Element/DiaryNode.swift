import CollectionElements

/// A node that takes models in place only if they begin with its own letter, and notes all that happens
/// to it. Its sizes are those of a `LetterNode`.
final class DiaryNode: ReconfigurableNode {
    struct Measurement: Equatable {
        let text: String
        /// Whether it was asked with a model, and not for what it shows.
        let isAskedWithModel: Bool
        let traits: Double
    }

    struct Diary {
        var text: String
        /// The text scales that it was told, in order.
        var told: [Double] = []
        var measurements: [Measurement] = []
        /// What it was told to show.
        var updates: [String] = []
    }

    private let letter: Character?
    private let diary: Lock<Diary>
    private let hooks = Lock(Hooks())

    private struct Hooks {
        var onAccept: (@Sendable (String) -> Bool)?
        var onTraits: (@Sendable (Double) -> Void)?
        var onMeasure: (@Sendable () throws -> Void)?
    }

    init(_ text: String) {
        letter = text.first
        diary = Lock(Diary(text: text))
    }

    var noted: Diary { diary.withLock { $0 } }

    func onAccept(_ hook: (@Sendable (String) -> Bool)?) { hooks.withLock { $0.onAccept = hook } }

    func onTraits(_ hook: (@Sendable (Double) -> Void)?) { hooks.withLock { $0.onTraits = hook } }

    func onMeasure(_ hook: (@Sendable () throws -> Void)?) {
        hooks.withLock { $0.onMeasure = hook }
    }

    func accepts(_ model: String) -> Bool {
        hooks.withLock { $0.onAccept }?(model) ?? (model.first == letter)
    }

    func measure(in range: SizeRange) throws -> Size { try measure(noted.text, false) }

    func measure(_ model: String, in range: SizeRange) throws -> Size {
        guard model.first == letter else { throw Misfit() }
        return try measure(model, true)
    }

    /// It was asked about a model that it does not accept.
    private struct Misfit: Error {}

    private func measure(_ text: String, _ isAskedWithModel: Bool) throws -> Size {
        try hooks.withLock { $0.onMeasure }?()
        diary.withLock { diary in
            let measurement = Measurement(
                text: text,
                isAskedWithModel: isAskedWithModel,
                traits: diary.told.last ?? 0
            )
            diary.measurements.append(measurement)
        }
        return Self.size(of: text)
    }

    func update(to model: String) {
        diary.withLock { diary in
            diary.text = model
            diary.updates.append(model)
        }
    }

    func traitsDidChange(_ traits: Traits) {
        diary.withLock { $0.told.append(traits.textScale) }
        hooks.withLock { $0.onTraits }?(traits.textScale)
    }

    static func size(of text: String) -> Size {
        Size(width: Double(text.utf8.first ?? 0), height: Double(text.count))
    }
}
