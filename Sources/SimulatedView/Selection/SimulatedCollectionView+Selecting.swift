import CollectionLayouts

// Highlight and selection, by touch and by program; the delegate hears of touches alone.

extension SimulatedCollectionView {
    /// The selected items, in the order in which they were selected.
    public var indexPathsForSelectedItems: [ItemPath] {
        requireLane("indexPathsForSelectedItems")
        return selection.items.paths
    }

    /// The item under the touch; nil where none is highlighted.
    public var highlightedItem: ItemPath? {
        requireLane("highlightedItem")
        return selection.touch.highlighted
    }

    /// Whether touches select; true by default.
    public var allowsSelection: Bool {
        get {
            requireLane("allowsSelection")
            return selection.isAllowed
        }
        set {
            requireLane("allowsSelection")
            selection.isAllowed = newValue
        }
    }

    /// Whether several items may be selected; false by default. With false, the item that was selected
    /// last stays.
    public var allowsMultipleSelection: Bool {
        get {
            requireLane("allowsMultipleSelection")
            return selection.isMultipleAllowed
        }
        set {
            requireLane("allowsMultipleSelection")
            selection.isMultipleAllowed = newValue
            if !newValue { keepSelected(1) }
        }
    }

    // MARK: By program

    /// Selects an item without asking the delegate; without multiple selection in place of what was
    /// selected. nil deselects all. Does nothing where selection is not allowed.
    ///
    /// - Parameters:
    ///   - path: the item.
    ///   - scrollPosition: where to scroll it to; empty for not at all.
    /// - Throws: `noSuchPath`, `scrollPosition`, and `layoutAttributes` where the layout has no place to scroll
    ///   to; nothing has happened then.
    public func selectItem(at path: ItemPath?, scrollPosition: ScrollPosition = [])
        throws(ViewError)
    {
        requireLane("selectItem(at:scrollPosition:)")
        guard let path else {
            return keepSelected(0)
        }
        try scrollPosition.check()
        bringUpToDate()
        try requireItem(path)
        guard allowsSelection else { return }
        // Before anything is selected, and not where nothing scrolls.
        if !scrollPosition.isEmpty, !viewport.bounds.isEmpty { try requirePlace(of: path) }
        if !allowsMultipleSelection { keepSelected(0) }
        setSelected(true, path)
        if !scrollPosition.isEmpty { try scrollToItem(at: path, at: scrollPosition) }
    }

    /// Deselects an item without asking the delegate; nothing happens where it is not selected.
    public func deselectItem(at path: ItemPath) {
        requireLane("deselectItem(at:)")
        setSelected(false, path)
    }

    // MARK: By touch

    /// A touch on an item and up again.
    public func tapItem(at path: ItemPath) {
        requireLane("tapItem(at:)")
        guard selection.touch.path == nil else { return }
        touchDown(at: path)
        touchUp()
    }

    /// A touch comes down on an item; nothing happens where there is no such item, or another touch is
    /// down.
    public func touchDown(at path: ItemPath) {
        requireLane("touchDown(at:)")
        guard selection.touch.path == nil, content.shape.contains(path) else { return }
        let allowed = delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
        log.append(.selection(.shouldHighlight(path, allowed)))
        // Whoever was asked may have changed what there is.
        guard allowed, selection.touch.path == nil, content.shape.contains(path) else {
            return
        }
        selection.touch.begin(at: path)
        if allowsSelection, !allowsMultipleSelection {
            // They look deselected already, and are if the touch is not cancelled.
            for other in selection.items.paths where other != path {
                cell(other)?.isSelected = false
            }
        }
        setHighlighted(true, path)
    }

    /// The touch moves off its item, or back onto it.
    public func touchMoved(inside: Bool) {
        requireLane("touchMoved(inside:)")
        guard let path = selection.touch.path, selection.touch.isInside != inside else { return }
        selection.touch.move(inside: inside)
        setHighlighted(inside, path)
    }

    /// The touch goes up: on its item, that is selected, or deselected where several may be selected.
    public func touchUp() {
        requireLane("touchUp()")
        guard let path = selection.touch.path else { return }
        guard selection.touch.isInside else { return cancelTouch() }
        selection.touch.move(inside: false)
        setHighlighted(false, path)
        // The touch follows its item while the delegate is asked.
        if allowsSelection { toggle() }
        selection.touch.cancel()
        restoreSelection()
    }

    /// The touch is over without consequence, as when scrolling begins.
    public func cancelTouch() {
        requireLane("cancelTouch()")
        guard let path = selection.touch.path else { return }
        let wasInside = selection.touch.isInside
        selection.touch.cancel()
        if wasInside { setHighlighted(false, path) }
        restoreSelection()
    }

    private func toggle() {
        guard let asked = selection.touch.path else { return }
        if allowsMultipleSelection, selection.items.contains(asked) {
            let allowed = delegate?.collectionView(self, shouldDeselectItemAt: asked) ?? true
            log.append(.selection(.shouldDeselect(asked, allowed)))
            if allowed, let path = selection.touch.path { deselectByTouch(path) }
            return
        }
        let allowed = delegate?.collectionView(self, shouldSelectItemAt: asked) ?? true
        log.append(.selection(.shouldSelect(asked, allowed)))
        guard allowed else { return }
        if !allowsMultipleSelection {
            // They are not asked whether they want to be deselected.
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
        tellLook(ofItemAt: path)
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
        tellLook(ofItemAt: path)
    }

    private func keepSelected(_ count: Int) {
        for path in selection.items.keepLast(count) {
            cell(path)?.isSelected = false
            tellLook(ofItemAt: path)
        }
    }

    /// What is selected looks so again, where a touch had it look otherwise.
    func restoreSelection() {
        for path in selection.items.paths { cell(path)?.isSelected = true }
    }

    /// Has a cell that is used again look like its item.
    func restoreState(of view: CollectionReusableView, at place: LayoutPlace) {
        guard place.category == .cell, let cell = view as? CollectionViewCell else { return }
        cell.isSelected = selection.items.contains(place.path)
        cell.isHighlighted = selection.touch.highlighted == place.path
        // Its node may have been made since.
        if cell.isSelected || cell.isHighlighted { selection.untold.paths.append(place.path) }
    }
}
