import CollectionElements
import CollectionLayouts

/// A node that is notified when its item is selected or highlighted.
///
/// Notifications arrive one after the other, even while the item has no cell. If a touch or the
/// program changes the state, the node is notified immediately. If an update changes it, or the
/// item has a new node, the node is notified at the end of the view's pass. If a selected item is
/// deleted, its node is notified that it is no longer selected. A node that is created while its
/// item is selected is notified when the item is next shown.
///
/// Threading: called on the main lane, never within a pass of the view.
///
/// Source: the selected and highlighted states of Texture's cell node.
public protocol SelectableNode: CollectionNode {
    /// Notifies the node that its item was selected or deselected. Does nothing by default.
    func selectionDidChange(to isSelected: Bool)

    /// Notifies the node that its item was highlighted by a touch, or no longer is. Does nothing by
    /// default.
    func highlightDidChange(to isHighlighted: Bool)
}

extension SelectableNode {
    /// Does nothing.
    public func selectionDidChange(to isSelected: Bool) {}

    /// Does nothing.
    public func highlightDidChange(to isHighlighted: Bool) {}
}

/// The selected and highlighted states of which nodes were last notified. Only nodes with a state
/// other than `plain` are stored.
///
/// A value that receives the new state of a node and returns the necessary notification.
struct NodeStateTracker {
    struct State: Equatable {
        var isSelected = false
        var isHighlighted = false

        /// The state of most nodes: neither selected nor highlighted.
        static let plain = State()
    }

    /// A notification for a node, with the last known path of its item.
    typealias Change = (node: any SelectableNode, path: ItemPath, old: State, new: State)

    private struct NotifiedState {
        let node: any SelectableNode
        let path: ItemPath
        let look: State
        let order: Int
    }

    private var notified: [ObjectIdentifier: NotifiedState] = [:]
    private var nextOrder = 0

    /// Sets the state of a node.
    ///
    /// - Returns: The necessary notification; `nil` if the node already knows the state.
    mutating func set(
        _ node: any SelectableNode,
        ofItemAt path: ItemPath,
        _ look: State
    ) -> Change? {
        let known = notified[ObjectIdentifier(node)]
        let old = known?.look ?? .plain
        guard look != old else { return nil }
        if look == .plain {
            notified[ObjectIdentifier(node)] = nil
        } else {
            nextOrder += 1
            notified[ObjectIdentifier(node)] = NotifiedState(
                node: node,
                path: path,
                look: look,
                order: known?.order ?? nextOrder
            )
        }
        return (node, path, old, look)
    }

    /// Resets all nodes except these to `plain`.
    ///
    /// - Returns: The necessary notifications, in the order in which the nodes were first notified.
    mutating func keepOnly(_ kept: Set<ObjectIdentifier>) -> [Change] {
        let gone = notified.filter { !kept.contains($0.key) }.values.sorted { $0.order < $1.order }
        notified = notified.filter { kept.contains($0.key) }
        return gone.map { ($0.node, $0.path, $0.look, .plain) }
    }
}

// Notifications of the nodes of selected and touched items.

extension SimulatedCollectionView {
    /// Notifies the node of an item of its state, if the state changed. Within a pass, the
    /// notification waits until its end.
    func notifyNodeState(ofItemAt path: ItemPath) {
        guard !pass.isLocked else { return selection.pendingNodeChecks.paths.append(path) }
        let element = content.element(at: .cell(path))
        guard let node = element?.nodeIfAllocated as? any SelectableNode else { return }
        let look = NodeStateTracker.State(
            isSelected: selection.items.contains(path),
            isHighlighted: selection.touch.highlighted == path
        )
        if let change = selection.looks.set(node, ofItemAt: path, look) { tell(change) }
    }

    /// Sends the notifications that an update or a pass has caused.
    func notifyNodeStates() {
        guard selection.pendingNodeChecks.isDue, !pass.isLocked else { return }
        let shown = exchange(&selection.pendingNodeChecks.paths, with: [])
        for path in shown { notifyNodeState(ofItemAt: path) }
        guard selection.pendingNodeChecks.isEverything else { return }
        selection.pendingNodeChecks.isEverything = false
        var paths = selection.items.paths
        if let path = selection.touch.highlighted { paths.append(path) }
        let nodes = paths.compactMap { content.element(at: .cell($0))?.nodeIfAllocated }
        let gone = selection.looks.keepOnly(Set(nodes.map { ObjectIdentifier($0) }))
        for change in gone { tell(change) }
        for path in paths { notifyNodeState(ofItemAt: path) }
    }

    private func tell(_ change: NodeStateTracker.Change) {
        let (node, path, old, new) = change
        if old.isHighlighted != new.isHighlighted {
            log.append(.selection(.nodeHighlight(path, new.isHighlighted)))
            node.highlightDidChange(to: new.isHighlighted)
        }
        if old.isSelected != new.isSelected {
            log.append(.selection(.nodeSelection(path, new.isSelected)))
            node.selectionDidChange(to: new.isSelected)
        }
    }
}
