import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

/// Creates the nodes of a run, some of which fail, and records faults in their use.
package final class WatchedNodes: Sendable {
    package let fates: any FaultInjector
    private let faults = Lock<[GuaranteeViolation]>([])
    private let measurements = Lock(0)
    fileprivate let lives = LifeCount()
    private let accepted = Lock(Accepted())
    private let relayouts = Lock(0)
    private let inRange = Lock(0)

    /// Whether repeated measurement of the same content is a fault. It is not if a layout requests
    /// sizes for every map, nor on real threads, where new traits may arrive at any instruction.
    private let measuresOnce: Bool
    private let onFault: @Sendable (GuaranteeViolation) -> Void

    /// - Parameters:
    ///   - fates: Decides which faults happen.
    ///   - measuresOnce: Whether repeated measurement of the same content is a fault.
    ///   - onFault: Called with each fault when it is found.
    package init(
        fates: any FaultInjector,
        measuresOnce: Bool = false,
        onFault: @escaping @Sendable (GuaranteeViolation) -> Void = { _ in }
    ) {
        self.fates = fates
        self.measuresOnce = measuresOnce
        self.onFault = onFault
    }

    func make(_ item: ModelItem) throws -> WatchedNode {
        fates.pause()
        if fates.happens(.providerThrows) { throw InjectedFault() }
        return WatchedNode(item, self)
    }

    package func report(_ message: String, breaking guarantee: String = "Consistent Snapshot") {
        let fault = GuaranteeViolation(guarantee: guarantee, message: message)
        faults.withLock { $0.append(fault) }
        onFault(fault)
    }

    /// The faults in the order in which they were found.
    package var reported: [GuaranteeViolation] { faults.withLock { $0.map { $0 } } }

    /// The number of measurements.
    package var measured: Int { measurements.withLock { $0 } }

    /// The number of nodes with a range state that has not ended.
    var numberInRange: Int { inRange.withLock { $0 } }

    func noteInRange(_ difference: Int) { inRange.withLock { $0 += difference } }

    /// The number of nodes that are still alive.
    package var numberAlive: Int { lives.numberAlive }

    /// The items of the accepted maps; measuring of an item that the last map lacks must not begin.
    private struct Accepted {
        var count = 0
        /// The number of the last map with each item, counted from 1; 0 for none.
        var last: [Int] = []
    }

    func noteAccepted(_ items: some Sequence<Int>) {
        accepted.withLock { accepted in
            accepted.count += 1
            for item in items {
                while accepted.last.count <= item { accepted.last.append(0) }
                accepted.last[item] = accepted.count
            }
        }
    }

    /// Forgets the accepted maps when they are no longer known.
    func forgetAccepted() { accepted.withLock { $0 = Accepted() } }

    func isRemoved(_ item: Int) -> Bool {
        accepted.withLock { accepted in
            // Supplementary elements have negative numbers.
            guard accepted.last.indices.contains(item), accepted.last[item] > 0 else {
                return false
            }
            return accepted.last[item] < accepted.count
        }
    }

    /// Records that items will be measured again, whether or not they have changed.
    func noteRelayout() { relayouts.withLock { $0 += 1 } }

    /// The number of permitted measurements of the same content; `nil` for no limit.
    var allowance: Int? { measuresOnce ? relayouts.withLock { 1 + $0 } : nil }

    func noteMeasurement() { measurements.withLock { $0 += 1 } }
}

/// A node that detects two threads measuring it at the same time.
package final class WatchedNode: ReconfigurableNode {
    private let state: Lock<State>
    let nodes: WatchedNodes
    let interface = Lock(InterfaceState())
    let viewed = Lock(Viewed())
    private let life: LifeCount.Token

    /// Whether the node ever received a range state.
    var wasInRange: Bool { viewed.withLock { $0.wasInRange } }

    /// The visibility and selection that the node was notified of.
    struct Viewed {
        var wasInRange = false
        var rect: Rect?
        var isSelected = false
        var isHighlighted = false
    }

    private struct Measured: Hashable {
        let model: ModelItem
        let range: SizeRange
        let traitChanges: Int
    }

    private struct State {
        var shown: ModelItem
        var isMeasuring = false
        /// The number of times that the node received traits.
        var traitChanges = 0
        /// The number of measurements in the last range, by model and traits.
        var measured: [Measured: Int] = [:]
        var traits = Traits()
        /// The number of requests for another size, and that number at the last measurement.
        var growth = (wanted: 0, measured: 0)
        var place: ElementReference?
    }

    init(_ item: ModelItem, _ nodes: WatchedNodes) {
        state = Lock(State(shown: item))
        self.nodes = nodes
        life = nodes.lives.makeToken()
    }

    package var shown: ModelItem { state.withLock { $0.shown } }

    /// The element that the node was created for.
    package var element: CollectionElement? { state.withLock { $0.place }?.element }

    /// Whether the node was not measured since its last request for another size.
    package var isTooSmall: Bool {
        state.withLock { $0.growth.wanted != $0.growth.measured }
    }

    /// Requests another size.
    func grow() {
        state.withLock { $0.growth.wanted += 1 }
        nodes.fates.pause()
        element?.setNeedsLayout()
    }

    package var textScale: Double { state.withLock { $0.traits.textScale } }

    package func accepts(_ model: ModelItem) -> Bool {
        nodes.fates.pause()
        // Depends on the item too; otherwise only items with many reconfigurations would be
        // rejected.
        return (model.id + model.revision) % 5 != 4
    }

    package func measure(in range: SizeRange) throws -> Size { try measure(shown, in: range) }

    package func measure(_ model: ModelItem, in range: SizeRange) throws -> Size {
        let (isFirst, traitChanges, growth) = state.withLock { state in
            defer { state.isMeasuring = true }
            return (!state.isMeasuring, state.traitChanges, state.growth.wanted)
        }
        if !isFirst { nodes.report("item \(model.id) is measured by two threads at once") }
        if nodes.isRemoved(model.id) {
            nodes.report(
                "item \(model.id) after its removal was accepted",
                breaking: "Measured Once"
            )
        }
        nodes.fates.pause()
        nodes.noteMeasurement()
        state.withLock { $0.isMeasuring = false }
        let measured = Measured(model: model, range: range, traitChanges: traitChanges)
        forgetOtherRanges(than: measured)
        if nodes.fates.happens(.measurementThrows) { throw InjectedFault() }
        noteMeasured(measured)
        state.withLock { $0.growth.measured = growth }
        let height = 1 + (abs(model.id) + growth) % 3
        // Without a view the width is not limited.
        return Size(width: min(40, range.maximum.width), height: Double(height))
    }

    /// Only the last range is remembered, also if measuring fails in it; a repeated range is
    /// measured again.
    private func forgetOtherRanges(than measured: Measured) {
        state.withLock { state in
            for other in state.measured.keys
            where other.model == measured.model && other.range != measured.range {
                state.measured[other] = nil
            }
        }
    }

    private func noteMeasured(_ measured: Measured) {
        let count = state.withLock { state in
            state.measured[measured, default: 0] += 1
            return state.measured[measured] ?? 0
        }
        guard let allowance = nodes.allowance, count > allowance else { return }
        nodes.report(
            "\(measured.model) was measured \(count) times",
            breaking: "Measured Once"
        )
    }

    package func update(to model: ModelItem) {
        nodes.fates.pause()
        state.withLock { $0.shown = model }
    }

    package func traitsDidChange(_ traits: Traits) {
        nodes.fates.pause()
        state.withLock { state in
            state.traits = traits
            state.traitChanges += 1
        }
    }
}

extension WatchedNode: PlacedNode {
    package func didAttach(to element: ElementReference) { state.withLock { $0.place = element } }
}

/// Checks that states begin and end alternately.
extension WatchedNode: RangeManagedNode {
    package var interfaceState: InterfaceState { interface.withLock { $0 } }

    private func begin(_ single: InterfaceState) {
        viewed.withLock { $0.wasInRange = true }
        if !interface.withLock({ $0.insert(single).inserted }) {
            report("\(shown) is told twice that it is in \(single)")
        }
    }

    private func end(_ single: InterfaceState) {
        if interface.withLock({ $0.remove(single) }) == nil {
            report("\(shown) left \(single), in which it was not")
        }
    }

    private func report(_ message: String) {
        nodes.report(message, breaking: "Each State Once")
    }

    package func didEnterPreloadState() { begin(.preload) }

    package func didExitPreloadState() { end(.preload) }

    package func didEnterDisplayState() { begin(.display) }

    package func didExitDisplayState() { end(.display) }

    package func didEnterVisibleState() { begin(.visible) }

    package func didExitVisibleState() { end(.visible) }

    package func interfaceStateDidChange(
        to newState: InterfaceState,
        from oldState: InterfaceState
    ) {
        if newState != interfaceState {
            report("\(shown) is told \(newState) after single states gave \(interfaceState)")
        }
        if oldState.isEmpty != newState.isEmpty { nodes.noteInRange(newState.isEmpty ? -1 : 1) }
    }
}

/// Checks that each visible part follows from the previous one, and that the node is visible.
extension WatchedNode: ViewportNode {
    package var visibleRect: Rect? { viewed.withLock { $0.rect } }

    package func visibleRectDidChange(to newRect: Rect?, from oldRect: Rect?) {
        let known = viewed.withLock { viewed in
            defer { viewed.rect = newRect }
            return viewed.rect
        }
        if oldRect != known || oldRect == newRect {
            report("\(shown) is told \(oldRect as Any) > \(newRect as Any) after \(known as Any)")
        }
        if !interfaceState.contains(.visible) {
            report("\(shown) is told what part is visible while it is not")
        }
    }

    package func scrollingDidChange(_ event: ScrollingEvent) {
        if visibleRect == nil { report("\(shown) is told \(event) while it is not visible") }
    }
}

/// Checks that notifications alternate.
extension WatchedNode: SelectableNode {
    package var isSelected: Bool { viewed.withLock { $0.isSelected } }

    package var isHighlighted: Bool { viewed.withLock { $0.isHighlighted } }

    package func selectionDidChange(to isSelected: Bool) {
        note(isSelected, \.isSelected, "selected")
    }

    package func highlightDidChange(to isHighlighted: Bool) {
        note(isHighlighted, \.isHighlighted, "highlighted")
    }

    private func note(_ isSo: Bool, _ part: WritableKeyPath<Viewed, Bool>, _ name: String) {
        let isNews = viewed.withLock { viewed in
            defer { viewed[keyPath: part] = isSo }
            return viewed[keyPath: part] != isSo
        }
        if !isNews { report("\(shown) is told twice that it is\(isSo ? "" : " not") \(name)") }
    }
}

/// The layout of a run: it measures some of the items, within its own ranges, and sometimes fails.
package final class SimulatedLayout: LayoutDelegate {
    private let lane: any Lane
    private let nodes: WatchedNodes

    package init(lane: any Lane, nodes: WatchedNodes) {
        self.lane = lane
        self.nodes = nodes
    }

    package func layoutContext(for map: ElementMap) -> any Sendable {
        if !lane.isCurrent { nodes.report("a layout context was requested off the main lane") }
        return map.generation
    }

    package func layout(
        _ map: ElementMap,
        in context: any Sendable,
        measurer: LayoutMeasurer
    ) throws -> any Sendable {
        if lane.isCurrent { nodes.report("a layout was made on the main lane") }
        if context as? Int != map.generation {
            nodes.report("a layout received the context of another map")
        }
        nodes.fates.pause()
        if nodes.fates.happens(.layoutThrows) { throw InjectedFault() }
        var height = 0.0
        for item in map.items where item.path.item % 3 != 2 {
            let width = item.path.item % 2 == 0 ? 40.0 : 20.0
            // An element that cannot be measured takes no space.
            let size = try? measurer.size(ofItemAt: item.path, in: .width(width))
            height += size?.height ?? 0
        }
        return height
    }
}
