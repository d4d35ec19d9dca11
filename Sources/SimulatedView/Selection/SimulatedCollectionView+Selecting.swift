import CollectionLayouts

// Highlight and selection, by touch and by program. The delegate is notified of touches only.

extension SimulatedCollectionView {
    /// The selected items, in the order in which they were selected.
    public var indexPathsForSelectedItems: [ItemPath] {
        requireLane()
        return selection.items.paths
    }

    /// The item that a touch highlights; `nil` if there is none.
    public var highlightedItem: ItemPath? {
        requireLane()
        return selection.touch.highlighted
    }

    /// Whether touches can select items; `true` by default.
    public var allowsSelection: Bool {
        get {
            requireLane()
            return selection.isAllowed
        }
        set {
            requireLane()
            selection.isAllowed = newValue
        }
    }

    /// Whether several items can be selected; `false` by default. Setting it to `false` keeps only
    /// the item that was selected last.
    public var allowsMultipleSelection: Bool {
        get {
            requireLane()
            return selection.isMultipleAllowed
        }
        set {
            requireLane()
            selection.isMultipleAllowed = newValue
            if !newValue { keepSelected(1) }
        }
    }

    // MARK: By program

    /// Selects an item without calling the delegate. Without multiple selection, it replaces the
    /// selection. `nil` deselects all items. If selection is not allowed, no item is selected.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - scrollPosition: The position to which the item is scrolled; empty for no scrolling.
    /// - Throws: `noSuchPath`, `scrollPosition`, or `layoutAttributes` if the layout has no
    ///   attributes for the item to scroll to. In that case nothing has changed.
    public func selectItem(at path: ItemPath?, scrollPosition: ScrollPosition = [])
        throws(ViewError)
    {
        requireLane()
        guard let path else {
            return keepSelected(0)
        }
        try scrollPosition.check()
        bringUpToDate()
        try requireItem(path)
        guard allowsSelection else { return }
        // Checked before the selection changes, and only if the view will scroll.
        if !scrollPosition.isEmpty, !viewport.bounds.isEmpty { try requirePlace(of: path) }
        if !allowsMultipleSelection { keepSelected(0) }
        setSelected(true, path)
        if !scrollPosition.isEmpty { try scrollToItem(at: path, at: scrollPosition) }
    }

    /// Deselects an item without calling the delegate; does nothing if the item is not selected.
    public func deselectItem(at path: ItemPath) {
        requireLane()
        setSelected(false, path)
    }

    // MARK: By touch

    /// Touches an item and lifts the finger again.
    public func tapItem(at path: ItemPath) {
        requireLane()
        guard selection.touch.path == nil else { return }
        touchDown(at: path)
        touchUp()
    }

    /// Begins a touch on an item; does nothing if the item does not exist, or another touch is
    /// down.
    public func touchDown(at path: ItemPath) {
        requireLane()
        guard selection.touch.path == nil, content.shape.contains(path) else { return }
        let allowed = delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
        log.append(.selection(.shouldHighlight(path, allowed)))
        // The delegate may have changed the touch or the content.
        guard allowed, selection.touch.path == nil, content.shape.contains(path) else {
            return
        }
        selection.touch.begin(at: path)
        if allowsSelection, !allowsMultipleSelection {
            // The other items look deselected already; they are deselected unless the touch is
            // cancelled.
            for other in selection.items.paths where other != path {
                cell(other)?.isSelected = false
            }
        }
        setHighlighted(true, path)
    }

    /// Moves the touch off its item, or back onto it.
    public func touchMoved(inside: Bool) {
        requireLane()
        guard let path = selection.touch.path, selection.touch.isInside != inside else { return }
        selection.touch.move(inside: inside)
        setHighlighted(inside, path)
    }

    /// Ends the touch. If the touch is on its item, the item is selected; if several items may be
    /// selected, a selected item is deselected.
    public func touchUp() {
        requireLane()
        guard let path = selection.touch.path else { return }
        guard selection.touch.isInside else { return cancelTouch() }
        selection.touch.move(inside: false)
        setHighlighted(false, path)
        // The touch follows its item through changes that the delegate makes during the calls.
        if allowsSelection { toggle() }
        selection.touch.cancel()
        restoreSelection()
    }

    /// Ends the touch without selecting, as when scrolling begins.
    public func cancelTouch() {
        requireLane()
        guard let path = selection.touch.path else { return }
        let wasInside = selection.touch.isInside
        selection.touch.cancel()
        if wasInside { setHighlighted(false, path) }
        restoreSelection()
    }

    private func toggle() {
        guard let touched = selection.touch.path else { return }
        if allowsMultipleSelection, selection.items.contains(touched) {
            let allowed = delegate?.collectionView(self, shouldDeselectItemAt: touched) ?? true
            log.append(.selection(.shouldDeselect(touched, allowed)))
            if allowed, let path = selection.touch.path { deselectByTouch(path) }
            return
        }
        let allowed = delegate?.collectionView(self, shouldSelectItemAt: touched) ?? true
        log.append(.selection(.shouldSelect(touched, allowed)))
        guard allowed else { return }
        if !allowsMultipleSelection {
            // Replacing the selection does not call `shouldDeselectItemAt`.
            while let other = selection.items.paths.first(where: { $0 != selection.touch.path }) {
                deselectByTouch(other)
            }
        }
        guard let path = selection.touch.path else { return }
        setSelected(true, path)
        log.append(.selection(.didSelect(path)))
        delegate?.collectionView(self, didSelectItemAt: path)
    }

    private func deselectByTouch(_ path: ItemPath) {
        setSelected(false, path)
        log.append(.selection(.didDeselect(path)))
        delegate?.collectionView(self, didDeselectItemAt: path)
    }

    // MARK: Cells

    private func cell(_ path: ItemPath) -> CollectionViewCell? {
        display.shown[.cell(path)]?.view as? CollectionViewCell
    }

    private func setHighlighted(_ isHighlighted: Bool, _ path: ItemPath) {
        cell(path)?.isHighlighted = isHighlighted
        notifyNodeState(ofItemAt: path)
        if isHighlighted {
            log.append(.selection(.didHighlight(path)))
            delegate?.collectionView(self, didHighlightItemAt: path)
        } else {
            log.append(.selection(.didUnhighlight(path)))
            delegate?.collectionView(self, didUnhighlightItemAt: path)
        }
    }

    private func setSelected(_ isSelected: Bool, _ path: ItemPath) {
        if isSelected { selection.items.insert(path) } else { selection.items.remove(path) }
        cell(path)?.isSelected = isSelected
        notifyNodeState(ofItemAt: path)
    }

    private func keepSelected(_ count: Int) {
        for path in selection.items.keepLast(count) {
            cell(path)?.isSelected = false
            notifyNodeState(ofItemAt: path)
        }
    }

    /// Restores the selected state of cells, which a touch may have changed temporarily.
    func restoreSelection() {
        for path in selection.items.paths { cell(path)?.isSelected = true }
    }

    /// Sets the selected and highlighted state of a reused cell from its item.
    func restoreState(of view: CollectionReusableView, at place: LayoutPlace) {
        guard place.category == .cell, let cell = view as? CollectionViewCell else { return }
        cell.isSelected = selection.items.contains(place.path)
        cell.isHighlighted = selection.touch.highlighted == place.path
        // The item's node may have been created after the last notification.
        if cell.isSelected || cell.isHighlighted {
            selection.pendingNodeChecks.paths.append(place.path)
        }
    }
}
