import CollectionPipeline
import Synchronization

/// A node that costs as little as a node can: a row of one line.
final class PlainNode: ReconfigurableNode {
    private let model: Atomic<Int>

    init(_ model: Int) { self.model = Atomic(model) }

    var shown: Int { model.load(ordering: .relaxed) }

    func measure(in range: SizeRange) -> Size { range.clamp(Size(width: 80, height: 1)) }

    func measure(_ model: Int, in range: SizeRange) -> Size { measure(in: range) }

    func update(to model: Int) { self.model.store(model, ordering: .relaxed) }
}
