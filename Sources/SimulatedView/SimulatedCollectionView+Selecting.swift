import CollectionLayouts

// Highlight and selection, by touch and by program; the delegate hears of touches alone.

extension SimulatedCollectionView {
    /// The selected items, in the order in which they were selected.
    public var selectedItems: [ItemPath] {
        requireLane("selectedItems")
        return chosen.paths
    }

    /// The item under the touch; nil where none is highlighted.
    public var highlightedItem: ItemPath? {
        requireLane("highlightedItem")
        return touches.highlighted
    }

    /// Whether items may be selected; true by default.
    public var allowsSelection: Bool {
        get { selectionRules.allowsSelection }
        set {
            requireLane("allowsSelection")
            selectionRules.allowsSelection = newValue
        }
    }

    /// Whether several items may be selected; false by default. With false, the item that was selected
    /// last stays.
    public var allowsMultipleSelection: Bool {
        get { selectionRules.allowsMultipleSelection }
        set {
            requireLane("allowsMultipleSelection")
            selectionRules.allowsMultipleSelection = newValue
            guard !newValue else { return }
            for path in chosen.paths.dropLast() { setSelected(false, path) }
        }
    }

    // MARK: By program

    /// Selects an item without asking the delegate; without multiple selection in place of what was
    /// selected. nil deselects all. Selects nothing where ``allowsSelection`` is false.
    ///
    /// - Parameter position: where to scroll it to; empty for not at all.
    /// - Throws: `noSuchPath`, `scrollPosition`; nothing has happened then.
    public func selectItem(at path: ItemPath?, position: ScrollPosition = []) throws(ViewError) {
        requireLane("selectItem(at:position:)")
        guard let path else {
            for path in chosen.paths { setSelected(false, path) }
            return
        }
        try position.check()
        layoutIfNeeded()
        try requireItem(path)
        guard allowsSelection else { return }
        if !allowsMultipleSelection {
            for other in chosen.paths where other != path { setSelected(false, other) }
        }
        setSelected(true, path)
        if !position.isEmpty { try scrollToItem(at: path, position: position) }
    }

    /// Deselects an item without asking the delegate; nothing happens where it is not selected.
    public func deselectItem(at path: ItemPath) {
        requireLane("deselectItem(at:)")
        setSelected(false, path)
    }

    // MARK: By touch

    /// A touch on an item and up again; nothing happens where another touch is down.
    public func tapItem(at path: ItemPath) {
        guard touches.path == nil else { return }
        touchDown(at: path)
        touchUp()
    }

    /// A touch comes down on an item; nothing happens where there is no such item, or another touch is
    /// down.
    public func touchDown(at path: ItemPath) {
        requireLane("touchDown(at:)")
        guard touches.path == nil, shownContent.shape.contains(path) else { return }
        let allowed = delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
        log.append(.selection(.shouldHighlight(path, allowed)))
        guard allowed else { return }
        touches.begin(at: path)
        if allowsSelection, !allowsMultipleSelection {
            // They look deselected already, and are if the touch is not cancelled.
            for other in chosen.paths where other != path { cell(other)?.isSelected = false }
        }
        setHighlighted(true, path)
    }

    /// The touch moves off its item, or back onto it.
    public func touchMoved(inside: Bool) {
        requireLane("touchMoved(inside:)")
        guard let path = touches.path, touches.isInside != inside else { return }
        touches.move(inside: inside)
        setHighlighted(inside, path)
    }

    /// The touch goes up: on its item, that is selected, or deselected where several may be selected.
    public func touchUp() {
        requireLane("touchUp()")
        guard let path = touches.path else { return }
        guard touches.isInside else { return cancelTouch() }
        touches.cancel()
        setHighlighted(false, path)
        if allowsSelection { toggle(path) }
        restoreSelection()
    }

    /// The touch is over without consequence, as when scrolling begins.
    public func cancelTouch() {
        requireLane("cancelTouch()")
        guard let path = touches.path else { return }
        let wasInside = touches.isInside
        touches.cancel()
        if wasInside { setHighlighted(false, path) }
        restoreSelection()
    }

    private func toggle(_ path: ItemPath) {
        if allowsMultipleSelection, chosen.contains(path) {
            let allowed = delegate?.collectionView(self, shouldDeselectItemAt: path) ?? true
            log.append(.selection(.shouldDeselect(path, allowed)))
            if allowed { deselectByTouch(path) }
            return
        }
        let allowed = delegate?.collectionView(self, shouldSelectItemAt: path) ?? true
        log.append(.selection(.shouldSelect(path, allowed)))
        guard allowed else { return }
        if !allowsMultipleSelection {
            // They are not asked whether they want to be deselected.
            for other in chosen.paths where other != path { deselectByTouch(other) }
        }
        // The delegate may have deleted it meanwhile.
        guard shownContent.shape.contains(path) else { return }
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

    private func cell(_ path: ItemPath) -> CollectionCell? {
        shown[.cell(path)]?.view as? CollectionCell
    }

    private func setHighlighted(_ isHighlighted: Bool, _ path: ItemPath) {
        cell(path)?.isHighlighted = isHighlighted
        if isHighlighted {
            log.append(.selection(.didHighlight(path)))
            delegate?.collectionView(self, didHighlightItemAt: path)
        } else {
            log.append(.selection(.didUnhighlight(path)))
            delegate?.collectionView(self, didUnhighlightItemAt: path)
        }
    }

    private func setSelected(_ isSelected: Bool, _ path: ItemPath) {
        if isSelected { chosen.insert(path) } else { chosen.remove(path) }
        cell(path)?.isSelected = isSelected
    }

    /// Has selected items look selected again, which a touch on another has look deselected.
    func restoreSelection() {
        for path in chosen.paths { cell(path)?.isSelected = true }
    }

    /// Has a cell that is used again look like its item.
    func restoreState(of view: CollectionReusableView, at place: LayoutPlace) {
        guard place.category == .cell, let cell = view as? CollectionCell else { return }
        let (isSelected, isHighlighted) = (
            chosen.contains(place.path), touches.highlighted == place.path
        )
        if cell.isSelected != isSelected { cell.isSelected = isSelected }
        if cell.isHighlighted != isHighlighted { cell.isHighlighted = isHighlighted }
    }
}

/// What touches may select.
struct SelectionRules {
    var allowsSelection = true
    var allowsMultipleSelection = false
}
