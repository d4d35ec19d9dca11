import CollectionElements

/// A node that shows a text: a unit a character wide, and as high as the lines that it takes.
///
/// Every call is noted in its book, which can also make it throw, wait or answer nonsense.
package final class TextNode: ReconfigurableNode, PlacedNode {
    private let state: Lock<State>
    private let book: NodeBook

    private struct State {
        var text: String
        var traits = Traits()
        var measurements = 0
        var place: ElementReference?
    }

    package init(_ text: String, book: NodeBook) {
        state = Lock(State(text: text))
        self.book = book
    }

    /// What it shows.
    package var text: String { state.withLock { $0.text } }

    package var traits: Traits { state.withLock { $0.traits } }

    /// The element that it was made for.
    package var element: CollectionElement? { state.withLock { $0.place }?.element }

    /// How often it was measured.
    package var measurementCount: Int { state.withLock { $0.measurements } }

    package func measure(in range: SizeRange) throws -> Size { try measure(text, in: range) }

    package func measure(_ model: String, in range: SizeRange) throws -> Size {
        state.withLock { $0.measurements += 1 }
        return try book.measure(model, in: range, node: self)
    }

    package func accepts(_ model: String) -> Bool { book.accepts(model) }

    package func update(to model: String) {
        book.noteUpdate(to: model)
        state.withLock { $0.text = model }
    }

    package func traitsDidChange(_ traits: Traits) { state.withLock { $0.traits = traits } }

    package func willShow(_ element: ElementReference) { state.withLock { $0.place = element } }

    /// The size that `text` takes.
    package static func size(of text: String, in range: SizeRange) -> Size {
        let count = Double(max(1, text.count))
        guard range.maximum.width.isFinite, range.maximum.width > 0 else {
            return Size(width: count, height: 1)
        }
        let lines = (count / range.maximum.width).rounded(.up)
        return Size(width: range.maximum.width, height: lines)
    }
}

/// Notes what happens to the text nodes of a test, and steers them.
package final class NodeBook: Sendable {
    package struct Measurement: Hashable, Sendable {
        package let text: String
        package let range: SizeRange
        package let place: CallPlace
        package let node: ObjectIdentifier
        /// What the node was told of its surroundings by then.
        package let traits: Traits
    }

    /// Called before a node is made; may throw or wait at a gate.
    package typealias MakeHook = @Sendable (_ text: String) throws -> Void
    /// Called when a node is measured; may throw, wait, or answer another size.
    package typealias MeasureHook = @Sendable (_ text: String, _ range: SizeRange) throws -> Size?

    private let currentPlace: @Sendable () -> CallPlace
    private let hooks = Lock(Hooks())

    private struct Hooks {
        var onMake: MakeHook?
        var onMeasure: MeasureHook?
        var accepts: (@Sendable (String) -> Bool)?
    }

    /// The texts that nodes were made with, in order.
    package let made = Journal<(text: String, place: CallPlace)>()
    package let measurements = Journal<Measurement>()
    /// The models that nodes were told to show.
    package let updates = Journal<(text: String, place: CallPlace)>()

    /// - Parameter currentPlace: says where the caller runs.
    package init(currentPlace: @escaping @Sendable () -> CallPlace = { .elsewhere }) {
        self.currentPlace = currentPlace
    }

    package func onMake(_ hook: MakeHook?) { hooks.withLock { $0.onMake = hook } }

    package func onMeasure(_ hook: MeasureHook?) { hooks.withLock { $0.onMeasure = hook } }

    /// Decides which models nodes take in place; all, by default.
    package func onAccept(_ hook: (@Sendable (String) -> Bool)?) {
        hooks.withLock { $0.accepts = hook }
    }

    package func makeNode(_ text: String) throws -> TextNode {
        made.append((text, currentPlace()))
        try hooks.withLock { $0.onMake }?(text)
        return TextNode(text, book: self)
    }

    /// How often a text was measured.
    package func measurementCount(of text: String) -> Int {
        measurements.values.count { $0.text == text }
    }

    func measure(_ text: String, in range: SizeRange, node: TextNode) throws -> Size {
        measurements.append(
            Measurement(
                text: text,
                range: range,
                place: currentPlace(),
                node: ObjectIdentifier(node),
                traits: node.traits
            )
        )
        let override = try hooks.withLock { $0.onMeasure }?(text, range)
        return override ?? TextNode.size(of: text, in: range)
    }

    func accepts(_ text: String) -> Bool { hooks.withLock { $0.accepts }?(text) ?? true }

    func noteUpdate(to text: String) { updates.append((text, currentPlace())) }
}

/// What tests throw.
package struct TestFailure: Error, Hashable, Sendable {
    package let text: String

    package init(_ text: String = "on purpose") { self.text = text }
}
