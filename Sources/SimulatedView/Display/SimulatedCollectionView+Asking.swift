import CollectionLayouts

// Calls of the layout: each is logged, and while one is under way the view does not lay itself out.

extension SimulatedCollectionView {
    /// Calls the layout.
    func asking<Answer>(_ call: (CollectionLayout) -> Answer) -> Answer {
        pass.questionBegan()
        defer { pass.questionEnded() }
        return call(shownLayout)
    }

    /// Calls the layout and logs it.
    func ask(_ event: ViewEvent.LayoutCall, _ call: (CollectionLayout) -> Void) {
        log.append(.layout(event))
        asking(call)
    }

    /// Has the layout prepare, if it must.
    func prepareLayout() {
        guard pass.preparing() else { return }
        ask(.prepare) { $0.prepare() }
        noteAnsweredContentSize()
    }

    func noteAnsweredContentSize() {
        let size = asking { $0.collectionViewContentSize }
        log.append(.layout(.collectionViewContentSize(size)))
        guard size.isValid else {
            report(
                ViewError(
                    .layoutAttributes,
                    "expected a finite content size, found \(size.width) × \(size.height); it stays"
                        + " \(viewport.contentSize.width) × \(viewport.contentSize.height)"
                )
            )
            return
        }
        note(contentSize: size)
    }

    /// Where something is, as the layout says now.
    func attributes(for place: LayoutPlace) -> LayoutAttributes? {
        display.window[place] ?? attributes(for: place, in: shownLayout)
    }

    /// Where a layout has something: that of the view, or that which it has just given up.
    func attributes(for place: LayoutPlace, in layout: CollectionLayout) -> LayoutAttributes? {
        let answer = asking { _ in layout.layoutAttributes(for: place) }
        log.append(.layout(.layoutAttributes(place, found: answer != nil)))
        return answer.flatMap { usable($0) ? $0 : nil }
    }

    // MARK: The window

    /// What is to be in the viewport: cells, then supplementary views, then decorations.
    func neededAttributes() -> [LayoutAttributes] {
        guard !viewport.bounds.isEmpty else { return [] }
        if !display.window.covers(viewport.bounds) { queryWindow() }
        let needed = display.window.attributes.filter {
            !$0.isHidden && $0.frame.intersects(viewport.bounds)
        }
        let limit = display.viewLimit
        guard needed.count > limit else { return needed }
        report(
            ViewError(
                .tooManyViews,
                "the layout placed \(needed.count) views in the viewport; the first \(limit) are shown"
            )
        )
        return Array(needed.prefix(limit))
    }

    /// Asks the layout for the attributes of the pages around the viewport.
    func queryWindow() {
        let rect = AttributeWindow.pages(around: viewport.bounds, of: viewport.bounds.size)
        let found = usableAttributes(in: rect)
        for (old, new) in display.window.load(rect, found) { reportChange(old, new) }
    }

    /// Asks the layout for the attributes in a rectangle.
    ///
    /// - Returns: what can be used of them, ascending by place, each once.
    func usableAttributes(in rect: Rect) -> [LayoutAttributes] {
        let answer = asking { $0.layoutAttributesForElements(in: rect) }
        log.append(.layout(.layoutAttributesForElements(rect, count: answer.count)))
        var found = answer.filter(usable)
        found.sort { $0.place < $1.place }
        for index in found.indices.dropFirst().reversed()
        where found[index].place == found[index - 1].place {
            let place = found.remove(at: index).place
            report(
                ViewError(
                    .layoutAttributes,
                    "the layout placed \(place) twice in one answer; the first counts",
                    at: place
                )
            )
        }
        return found
    }

    private func reportChange(_ old: LayoutAttributes, _ new: LayoutAttributes) {
        let what =
            if case .supplementary = new.representedElementCategory { "supplementary item" } else {
                "item"
            }
        report(
            ViewError(
                .changedAttributes,
                "layout attributes for \(what) at index path (\(new.indexPath)) changed from \(old.frame)"
                    + " to \(new.frame) without invalidating the layout",
                at: new.place
            )
        )
    }

    private func usable(_ attributes: LayoutAttributes) -> Bool {
        let frame = attributes.frame
        let place = attributes.place
        guard content.contains(place) else {
            report(
                ViewError(
                    .noSuchPath,
                    "UICollectionView received layout attributes for a \(place.category.word) with an"
                        + " index path that does not exist: \(place)",
                    at: place
                )
            )
            return false
        }
        guard frame.minX.isFinite, frame.minY.isFinite, frame.size.isValid else {
            report(
                ViewError(
                    .layoutAttributes,
                    "expected a finite frame for \(place), found \(frame); it is not shown",
                    at: place
                )
            )
            return false
        }
        return true
    }
}

extension ElementCategory {
    var word: String {
        switch self {
        case .cell: "cell"
        case .supplementary: "supplementary view"
        case .decoration: "decoration view"
        }
    }
}
