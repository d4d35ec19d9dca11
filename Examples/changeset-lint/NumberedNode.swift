import CollectionPipeline

/// A node that knows as which it was asked for. It takes every model, so reconfiguring keeps it.
final class NumberedNode: ReconfigurableNode {
    let number: Int

    init(number: Int) { self.number = number }

    func measure(in range: SizeRange) -> Size { Size(width: 1, height: 1) }

    func measure(_ model: Int, in range: SizeRange) -> Size { Size(width: 1, height: 1) }

    func update(to model: Int) {}
}
