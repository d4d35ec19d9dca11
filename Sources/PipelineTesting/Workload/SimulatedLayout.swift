import CollectionElements
import CollectionPipeline

/// A layout of a run: it measures some of the items, within ranges of its own, and fails now and then.
package final class SimulatedLayout: LayoutDelegate {
    private let lane: any Lane
    private let nodes: WatchedNodes

    package init(lane: any Lane, nodes: WatchedNodes) {
        self.lane = lane
        self.nodes = nodes
    }

    package func layoutContext(for map: ElementMap) -> any Sendable {
        if !lane.isCurrent { nodes.report("a layout context was asked for off the main lane") }
        return map.generation
    }

    package func layout(
        _ map: ElementMap,
        in context: any Sendable,
        measurer: LayoutMeasurer
    ) throws -> any Sendable {
        if lane.isCurrent { nodes.report("a layout was made on the main lane") }
        if context as? Int != map.generation { nodes.report("a layout has the context of another") }
        nodes.fates.pause()
        if nodes.fates.happens(.layoutThrows) { throw PlannedFailure() }
        var height = 0.0
        for item in map.items where item.path.item % 3 != 2 {
            let width = item.path.item % 2 == 0 ? 40.0 : 20.0
            // An element that cannot be measured takes no place.
            let size = try? measurer.size(ofItemAt: item.path, in: .width(width))
            height += size?.height ?? 0
        }
        return height
    }
}
