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
    ///   - isAnimated: whether both layouts are told of the transition, and ``transitions`` tells of it.
    ///   - completion: called in a later turn of the lane.
    public func setCollectionViewLayout(
        _ layout: CollectionLayout,
        animated isAnimated: Bool = false,
        completion: (() -> Void)? = nil
    ) {
        requireLane("setCollectionViewLayout(_:animated:completion:)")
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
        stopMotion()
        layoutIfNeeded()
        // Whoever was told of that may have set it.
        guard layout !== shownLayout else { return }
        let old = shownLayout
        let (then, before) = (viewport, display.shown.all.map(\.attributes))
        let version = source.version
        display.transitions = []
        let focus = viewport.isAtStart ? nil : focusedItem()
        if isAnimated { ask(.prepareForTransitionTo) { $0.prepareForTransition(to: layout) } }
        take(layout)
        old.attach(to: nil)
        for known in display.shown.all where known.place.isDecoration { hide(known.place) }
        shownLayout = layout
        if isAnimated { ask(.prepareForTransitionFrom) { $0.prepareForTransition(from: old) } }
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        prepareLayout()
        showFocus(focus)
        layoutIfNeeded()
        if isAnimated {
            // Whoever is told of the scrolling may have changed layout or content again.
            if shownLayout === layout, source.version == version {
                noteTransitions(from: old, in: then, since: before)
            }
            ask(.finalizeLayoutTransition) { _ in old.finalizeLayoutTransition() }
            ask(.finalizeLayoutTransition) { $0.finalizeLayoutTransition() }
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
        let selected = cells.filter { selection.items.contains($0.indexPath) }
        return (selected.isEmpty ? cells : selected)
            .min { (distance($0.frame), $0.indexPath) < (distance($1.frame), $1.indexPath) }?
            .indexPath
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
        let place = focus.flatMap { attributes(for: .cell($0)) }
        offsetRule.take(.update(place.flatMap { anchor(among: CollectionOfOne($0)) }))
    }

    // MARK: Transitions

    /// Takes note, after an animated change of the layout, of where everything went that was visible before or
    /// is now. Decorations are each layout's own; they fade, as does all that the other layout does not place.
    ///
    /// - Parameters:
    ///   - old: the layout that the view had.
    ///   - then: the viewport that it was asked in last.
    ///   - before: what was visible, ascending by place.
    func noteTransitions(
        from old: CollectionLayout,
        in then: Viewport,
        since before: [LayoutAttributes]
    ) {
        // Whoever is told of the scrolling may have given it away already.
        guard old.host == nil else { return }
        let shift = viewport.shift(since: then.offset)
        var (went, left): ([ViewTransition], [ViewTransition]) = ([], [])
        for start in before {
            let isDecoration = start.place.isDecoration
            guard isDecoration || display.shown[start.place] == nil else { continue }
            let end = isDecoration ? nil : attributes(for: start.place)
            let transition = ViewTransition(
                oldPlace: start.place,
                newPlace: end?.place,
                start: start.moved(by: shift),
                end: end ?? start.faded.moved(by: shift)
            )
            if end == nil { went.append(transition) } else { left.append(transition) }
        }
        let starts = placesBefore(from: old, in: then, since: before)
        let visible: [ViewTransition] = zip(display.shown.all, starts).compactMap { view, start in
            let (start, end) = (start?.moved(by: shift), view.attributes)
            guard start != end else { return nil }
            return ViewTransition(
                oldPlace: start?.place,
                newPlace: end.place,
                start: start ?? end.faded,
                end: end
            )
        }
        display.transitions = went + visible + left
    }

    /// Where everything that is visible was in the old layout, which sees the view as it was then.
    private func placesBefore(
        from old: CollectionLayout,
        in then: Viewport,
        since before: [LayoutAttributes]
    ) -> [LayoutAttributes?] {
        let known = Dictionary(before.map { ($0.place, $0) }) { first, _ in first }
        let host = FormerLayoutHost(of: self, viewport: then)
        old.attach(to: host)
        defer { old.attach(to: nil) }
        return display.shown.all.map(\.place).map { place in
            place.isDecoration ? nil : known[place] ?? attributes(for: place, in: old)
        }
    }
}

extension LayoutPlace {
    fileprivate var isDecoration: Bool {
        if case .decoration = category { true } else { false }
    }
}
