import CollectionLayouts

// One layout takes over from another.

extension SimulatedCollectionView {
    /// Has another layout place the elements; views stay with their elements, and what is nearest to the middle
    /// of the viewport, or a selected item there, stays visible.
    ///
    /// Setting the layout that the view has does nothing, and does not call `completion`. Neither does setting
    /// one from within the view's own questions, which is reported. A layout that another view has stops the
    /// process.
    ///
    /// - Parameters:
    ///   - layout: belongs to this view from now on.
    ///   - isAnimated: whether both layouts are told of the transition.
    ///   - completion: called in a later turn of the lane.
    public func setLayout(
        _ layout: CollectionLayout,
        animated isAnimated: Bool = false,
        completion: (() -> Void)? = nil
    ) {
        requireLane("setLayout(_:animated:completion:)")
        guard layout !== shownLayout else { return }
        guard !pass.isLocked else {
            return report(
                ViewError(
                    .reentrantLayout,
                    "the layout cannot be changed while layout, data source or delegate are being"
                        + " asked; it stays"
                )
            )
        }
        layoutIfNeeded()
        let old = shownLayout
        let focus = viewport.isAtStart ? nil : focusedItem()
        if isAnimated { ask(.prepareForTransitionTo) { $0.prepareForTransition(to: layout) } }
        take(layout)
        old.attach(to: nil)
        for known in display.shown.all {
            if case .decoration = known.place.category { hide(known.place) }
        }
        shownLayout = layout
        if isAnimated { ask(.prepareForTransitionFrom) { $0.prepareForTransition(from: old) } }
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesEverything = true
        layout.invalidate(with: context)
        prepareLayout()
        showFocus(focus)
        layoutIfNeeded()
        if isAnimated {
            ask(.finalizeTransition) { _ in old.finalizeTransition() }
            ask(.finalizeTransition) { $0.finalizeTransition() }
        }
        guard let completion else { return }
        later(completion)
    }

    private func focusedItem() -> ItemPath? {
        let cells = display.shown.cells.map(\.attributes)
        let middle = viewport.bounds.center
        func distance(_ frame: Rect) -> Double {
            let (x, y) = (frame.center.x - middle.x, frame.center.y - middle.y)
            return x * x + y * y
        }
        let selected = cells.filter { selection.items.contains($0.path) }
        return (selected.isEmpty ? cells : selected)
            .min { (distance($0.frame), $0.path) < (distance($1.frame), $1.path) }?.path
    }

    /// Scrolls so that the item is in the middle, as far as the content's ends allow; then asks layout
    /// and delegate.
    private func showFocus(_ focus: ItemPath?) {
        // Not that of the old layout: whoever is told of the scrolling may lay the view out.
        offsetRule.release()
        var proposed = viewport.start
        if let focus, let frame = attributes(for: .cell(focus))?.frame {
            let position: ScrollPosition = [.centeredVertically, .centeredHorizontally]
            proposed = position.offset(
                showing: frame,
                in: viewport.bounds,
                inset: adjustedContentInset
            )
        }
        moveOffset(to: askTarget(viewport.legal(proposed)))
        // Until views have said which sizes they want in the new layout. Where layout or delegate went elsewhere,
        // it is what is visible there.
        offsetRule.take(.update(focus.flatMap(anchor)))
    }

    private func anchor(at path: ItemPath) -> ScrollAnchor? {
        attributes(for: .cell(path)).flatMap {
            ScrollAnchor(
                CollectionOfOne($0),
                in: viewport.bounds,
                visible: viewport.bounds,
                isRightToLeft: isRightToLeft
            )
        }
    }
}
