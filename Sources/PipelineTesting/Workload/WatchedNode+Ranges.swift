import CollectionElements

/// Checks that states begin and end by turns.
extension WatchedNode: RangeManagedNode {
    package var interfaceState: InterfaceState { interface.withLock { $0 } }

    private func begin(_ single: InterfaceState) {
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
