import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

/// Makes the nodes of a run, some of which fail, and notes what is wrong with how they are used.
package final class WatchedNodes: Sendable {
    package let fates: any WorkloadFates
    private let faults = Lock<[GuaranteeViolation]>([])
    private let measurements = Lock(0)
    fileprivate let lives = LifeCount()
    private let accepted = Lock(Accepted())
    private let relayouts = Lock(0)
    private let inRange = Lock(0)

    /// Whether it is wrong to measure the same again: not where a layout asks for sizes map after map, and not
    /// on real threads, where traits may come between two instructions.
    private let measuresOnce: Bool
    private let onFault: @Sendable (GuaranteeViolation) -> Void

    /// - Parameters:
    ///   - fates: what goes wrong.
    ///   - measuresOnce: whether it is wrong to measure the same again.
    ///   - onFault: told what is wrong when it is found.
    package init(
        fates: any WorkloadFates,
        measuresOnce: Bool = false,
        onFault: @escaping @Sendable (GuaranteeViolation) -> Void = { _ in }
    ) {
        self.fates = fates
        self.measuresOnce = measuresOnce
        self.onFault = onFault
    }

    func make(_ item: ModelItem) throws -> WatchedNode {
        fates.pause()
        if fates.happens(.providerThrows) { throw PlannedFailure() }
        return WatchedNode(item, self)
    }

    package func report(_ message: String, breaking guarantee: String = "Consistent Snapshot") {
        let fault = GuaranteeViolation(guarantee: guarantee, message: message)
        faults.withLock { $0.append(fault) }
        onFault(fault)
    }

    /// What was wrong, in the order in which it was found.
    package var reported: [GuaranteeViolation] { faults.withLock { $0.map { $0 } } }

    /// How many measurements there were.
    package var measured: Int { measurements.withLock { $0 } }

    /// How many of its nodes were told a state that has not ended.
    var numberInRange: Int { inRange.withLock { $0 } }

    func noteInRange(_ difference: Int) { inRange.withLock { $0 += difference } }

    /// How many of its nodes are still there.
    package var numberAlive: Int { lives.numberAlive }

    /// The items of every accepted map; nothing may begin to measure one that the last does not have.
    private struct Accepted {
        var count = 0
        /// By item: the last that has it, counted from 1; 0 for none.
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

    /// Nobody knows any more what is accepted.
    func forgetAccepted() { accepted.withLock { $0 = Accepted() } }

    func isRemoved(_ item: Int) -> Bool {
        accepted.withLock { accepted in
            // Supplementary elements have numbers below.
            guard accepted.last.indices.contains(item), accepted.last[item] > 0 else {
                return false
            }
            return accepted.last[item] < accepted.count
        }
    }

    /// Somebody asks for items to be measured again, whether or not anything has changed.
    func noteRelayout() { relayouts.withLock { $0 += 1 } }

    /// How often the same may be measured; nil for no limit.
    var allowance: Int? { measuresOnce ? relayouts.withLock { 1 + $0 } : nil }

    func noteMeasurement() { measurements.withLock { $0 += 1 } }
}

/// A node that notices two threads measuring it at once.
package final class WatchedNode: ReconfigurableNode {
    private let state: Lock<State>
    let nodes: WatchedNodes
    let interface = Lock(InterfaceState())
    let viewed = Lock(Viewed())
    private let life: LifeCount.Token

    /// Whether it was ever told a state.
    var wasInRange: Bool { viewed.withLock { $0.wasInRange } }

    /// How it was told that it is shown.
    struct Viewed {
        var wasInRange = false
        var rect: Rect?
        var isSelected = false
        var isHighlighted = false
    }

    private struct Measured: Hashable {
        let model: ModelItem
        let range: SizeRange
        let tellings: Int
    }

    private struct State {
        var shown: ModelItem
        var isMeasuring = false
        /// How often it was told traits.
        var tellings = 0
        /// How often each was measured in its last range, by what it was told by then.
        var measured: [Measured: Int] = [:]
        var traits = Traits()
        /// How often it wanted another size, and how often it had when it was measured last.
        var growth = (wanted: 0, measured: 0)
        var place: ElementReference?
    }

    init(_ item: ModelItem, _ nodes: WatchedNodes) {
        state = Lock(State(shown: item))
        self.nodes = nodes
        life = nodes.lives.makeToken()
    }

    package var shown: ModelItem { state.withLock { $0.shown } }

    /// The element that it was made for.
    package var element: CollectionElement? { state.withLock { $0.place }?.element }

    /// Whether it was not measured since it wanted another size last.
    package var isTooSmall: Bool {
        state.withLock { $0.growth.wanted != $0.growth.measured }
    }

    /// Wants another size, and says so.
    func grow() {
        state.withLock { $0.growth.wanted += 1 }
        nodes.fates.pause()
        element?.setNeedsLayout()
    }

    package var textScale: Double { state.withLock { $0.traits.textScale } }

    package func accepts(_ model: ModelItem) -> Bool {
        nodes.fates.pause()
        // By the item too, or only what was often reconfigured would be refused.
        return (model.id + model.revision) % 5 != 4
    }

    package func measure(in range: SizeRange) throws -> Size { try measure(shown, in: range) }

    package func measure(_ model: ModelItem, in range: SizeRange) throws -> Size {
        let (isFirst, tellings, growth) = state.withLock { state in
            defer { state.isMeasuring = true }
            return (!state.isMeasuring, state.tellings, state.growth.wanted)
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
        let measured = Measured(model: model, range: range, tellings: tellings)
        forgetOtherRanges(than: measured)
        if nodes.fates.happens(.measurementThrows) { throw PlannedFailure() }
        noteMeasured(measured)
        state.withLock { $0.growth.measured = growth }
        let height = 1 + (abs(model.id) + growth) % 3
        // Without a view there is no limit.
        return Size(width: min(40, range.maximum.width), height: Double(height))
    }

    /// Only the last range is remembered, also where measuring fails in it: one that comes back is measured again.
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
            state.tellings += 1
        }
    }
}

extension WatchedNode: PlacedNode {
    package func willShow(_ element: ElementReference) { state.withLock { $0.place = element } }
}

/// Checks that states begin and end by turns.
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

/// Checks that each part is told after the one before, and none while the node is not visible.
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

/// Checks that it is told by turns.
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
