import CollectionElements
import CollectionLayouts
import SimulatedView

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
