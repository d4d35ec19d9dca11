import CollectionPipeline

/// A node that knows as which it was asked for. It takes every model, so reconfiguring keeps it.
final class NumberedNode: ReconfigurableNode {
    let number: Int

    init(number: Int) { self.number = number }

    // Nothing is laid out, so any size will do.

    func measure(in range: SizeRange) -> Size { .zero }

    func measure(_ model: Int, in range: SizeRange) -> Size { .zero }

    func update(to model: Int) {}
}
