import CollectionLayouts

// Nodes of selected and touched items.

extension SimulatedCollectionView {
    /// Tells the node of an item how it is to look, if that is news; within a pass at the end of that.
    func tellLook(ofItemAt path: ItemPath) {
        guard !pass.isLocked else { return selection.untold.paths.append(path) }
        let element = content.element(at: .cell(path))
        guard let node = element?.nodeIfAllocated as? any SelectableNode else { return }
        let look = NodeLooks.Look(
            isSelected: selection.items.contains(path),
            isHighlighted: selection.touch.highlighted == path
        )
        if let change = selection.looks.set(node, ofItemAt: path, look) { tell(change) }
    }

    /// Tells what has changed by an update or a pass.
    func tellLooks() {
        guard selection.untold.isDue, !pass.isLocked else { return }
        let shown = selection.untold.paths
        selection.untold.paths = []
        for path in shown { tellLook(ofItemAt: path) }
        guard selection.untold.isEverything else { return }
        selection.untold.isEverything = false
        var paths = selection.items.paths
        if let path = selection.touch.highlighted { paths.append(path) }
        let nodes = paths.compactMap { content.element(at: .cell($0))?.nodeIfAllocated }
        let gone = selection.looks.keepOnly(Set(nodes.map { ObjectIdentifier($0) }))
        for change in gone { tell(change) }
        for path in paths { tellLook(ofItemAt: path) }
    }

    private func tell(_ change: NodeLooks.Change) {
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
