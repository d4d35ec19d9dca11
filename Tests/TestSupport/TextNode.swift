import CollectionElements

/// A node that shows a text: one unit wide per character, and as high as the number of its lines.
///
/// Its book records every call, and can also make it throw, wait or return a wrong size.
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

    package var text: String { state.withLock { $0.text } }

    package var traits: Traits { state.withLock { $0.traits } }

    /// The element that the node was made for.
    package var element: CollectionElement? { state.withLock { $0.place }?.element }

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

    package func didAttach(to element: ElementReference) { state.withLock { $0.place = element } }

    package static func size(of text: String, in range: SizeRange) -> Size {
        let count = Double(max(1, text.count))
        guard range.maximum.width.isFinite, range.maximum.width > 0 else {
            return Size(width: count, height: 1)
        }
        let lines = (count / range.maximum.width).rounded(.up)
        return Size(width: range.maximum.width, height: lines)
    }
}

/// Records the calls to a test's text nodes, and controls their behaviour.
package final class NodeBook: Sendable {
    package struct Measurement: Hashable, Sendable {
        package let text: String
        package let range: SizeRange
        package let place: CallPlace
        package let node: ObjectIdentifier
        /// The traits that the node had at the time.
        package let traits: Traits
    }

    /// Called before a node is made; may throw or wait at a gate.
    package typealias MakeHook = @Sendable (_ text: String) throws -> Void
    /// Called when a node is measured; may throw, wait, or return another size.
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
    /// The models that nodes were updated to.
    package let updates = Journal<(text: String, place: CallPlace)>()

    /// - Parameter currentPlace: returns the part of the pipeline that the caller runs on.
    package init(currentPlace: @escaping @Sendable () -> CallPlace = { .elsewhere }) {
        self.currentPlace = currentPlace
    }

    package func onMake(_ hook: MakeHook?) { hooks.withLock { $0.onMake = hook } }

    package func onMeasure(_ hook: MeasureHook?) { hooks.withLock { $0.onMeasure = hook } }

    /// Sets the hook that decides which models nodes accept in place; nodes accept all by default.
    package func onAccept(_ hook: (@Sendable (String) -> Bool)?) {
        hooks.withLock { $0.accepts = hook }
    }

    package func makeNode(_ text: String) throws -> TextNode {
        made.append((text, currentPlace()))
        try hooks.withLock { $0.onMake }?(text)
        return TextNode(text, book: self)
    }

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

package struct TestFailure: Error, Hashable, Sendable {
    package let text: String

    package init(_ text: String = "on purpose") { self.text = text }
}

/// A node that accepts only models that begin with its own letter.
///
/// Its width is its letter and its height the length of the measured text, so that a size
/// identifies the node and the model.
package final class LetterNode: ReconfigurableNode {
    private let letter: Character
    private let shown: Lock<String>

    package init(_ text: String) {
        letter = text.first ?? " "
        shown = Lock(text)
    }

    package var text: String { shown.withLock { $0 } }

    package func accepts(_ model: String) -> Bool { model.first == letter }

    package func measure(in range: SizeRange) throws -> Size { try measure(text, in: range) }

    package func measure(_ model: String, in range: SizeRange) throws -> Size {
        guard accepts(model) else { throw TestFailure("the node does not accept this model") }
        return Self.size(of: model)
    }

    package func update(to model: String) { shown.withLock { $0 = model } }

    package static func size(of text: String) -> Size {
        Size(width: Double(text.utf8.first ?? 0), height: Double(text.count))
    }
}
