import CollectionElements

/// A node that takes models in place only if they begin with its own letter.
///
/// Its width is its letter and its height the length of what is measured, so that a size tells which
/// node measured which model.
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
        guard accepts(model) else { throw TestFailure("a node measures what it does not accept") }
        return Self.size(of: model)
    }

    package func update(to model: String) { shown.withLock { $0 = model } }

    package static func size(of text: String) -> Size {
        Size(width: Double(text.utf8.first ?? 0), height: Double(text.count))
    }
}
