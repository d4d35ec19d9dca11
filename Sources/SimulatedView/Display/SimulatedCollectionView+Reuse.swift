import CollectionLayouts

// Registered classes by identifier, and reuse of views.

extension SimulatedCollectionView {
    /// The reuse identifier of views that show elements of a pipeline: cells, and supplementary
    /// views of each kind. Classes may be registered under it; ``CollectionViewCell`` and
    /// ``CollectionReusableView`` are the defaults.
    public static var elementReuseIdentifier: String { "CollectionElement" }

    /// Registers the class of cells that are dequeued with `identifier`; `nil` unregisters it.
    ///
    /// - Throws: `identifier` if it is empty.
    public func register(
        _ cellClass: CollectionViewCell.Type?,
        forCellWithReuseIdentifier identifier: String
    ) throws(ViewError) {
        let selector = "registerClass:forCellWithReuseIdentifier:"
        requireLane()
        try Self.require(identifier, "reuse identifier", selector)
        _ = reuse.pool.register(cellClass, ReusePool.Key(category: .cell, identifier: identifier))
    }

    /// Registers the class of supplementary views that are dequeued with a kind and `identifier`;
    /// `nil` unregisters it.
    ///
    /// - Throws: `identifier` if the identifier or the kind is empty.
    public func register(
        _ viewClass: CollectionReusableView.Type?,
        forSupplementaryViewOfKind kind: SupplementaryKind,
        withReuseIdentifier identifier: String
    ) throws(ViewError) {
        let selector = "registerClass:forSupplementaryViewOfKind:withReuseIdentifier:"
        requireLane()
        try Self.require(kind.rawValue, "element kind", selector)
        try Self.require(identifier, "reuse identifier", selector)
        let key = ReusePool.Key(category: .supplementary(kind), identifier: identifier)
        _ = reuse.pool.register(viewClass, key)
    }

    /// Returns a reused or new cell for an item. A data source calls it to return the item's cell.
    ///
    /// - Throws: `identifier`, `notRegistered`, `reconfiguration`.
    public func dequeueReusableCell(
        withReuseIdentifier identifier: String,
        for path: ItemPath
    ) throws(ViewError) -> CollectionViewCell {
        requireLane()
        let selector = "dequeueReusableCellWithReuseIdentifier:forIndexPath:"
        try Self.require(identifier, "reuse identifier", selector)
        let place = LayoutPlace.cell(path)
        if let reconfigured = try reconfiguredCell(identifier, place) { return reconfigured }
        let key = ReusePool.Key(category: .cell, identifier: identifier)
        guard let cell = try dequeue(key, for: place) as? CollectionViewCell else {
            throw Self.notRegistered(identifier, place)
        }
        return cell
    }

    /// Returns a reused or new supplementary view. A data source calls it to return the view.
    ///
    /// - Throws: `identifier`, `notRegistered`.
    public func dequeueReusableSupplementaryView(
        ofKind kind: SupplementaryKind,
        withReuseIdentifier identifier: String,
        for path: ItemPath
    ) throws(ViewError) -> CollectionReusableView {
        requireLane()
        let selector = "dequeueReusableSupplementaryViewOfKind:withReuseIdentifier:forIndexPath:"
        try Self.require(kind.rawValue, "element kind", selector)
        try Self.require(identifier, "reuse identifier", selector)
        let key = ReusePool.Key(category: .supplementary(kind), identifier: identifier)
        return try dequeue(key, for: LayoutPlace(.supplementary(kind), path))
    }

    private static func require(
        _ name: String,
        _ noun: String,
        _ selector: String
    ) throws(ViewError) {
        if !name.isEmpty { return }
        throw ViewError(
            .identifier,
            "must pass a valid \(noun) to -[UICollectionView \(selector)]"
        )
    }

    private static func notRegistered(_ identifier: String, _ place: LayoutPlace) -> ViewError {
        let kind =
            if case .supplementary(let kind) = place.category {
                kind.rawValue
            } else {
                "UICollectionElementKindCell"
            }
        return ViewError(
            .notRegistered,
            "could not dequeue a view of kind: \(kind) with identifier \(identifier) - must register a"
                + " nib or a class for the identifier or connect a prototype cell in a storyboard",
            at: place
        )
    }

    // MARK: Dequeuing

    private func dequeue(
        _ key: ReusePool.Key,
        for place: LayoutPlace
    ) throws(ViewError) -> CollectionReusableView {
        guard let viewClass = reuse.pool.registeredClass(key) else {
            throw Self.notRegistered(key.identifier, place)
        }
        let view = take(key, of: viewClass, for: place)
        reuse.dequeued.append((view, place))
        return view
    }

    /// Takes a view from the pool or makes one, in the order of UICollectionView: prepare for
    /// reuse, apply attributes, restore the selected state.
    private func take(
        _ key: ReusePool.Key,
        of viewClass: CollectionReusableView.Type,
        for place: LayoutPlace
    ) -> CollectionReusableView {
        let view: CollectionReusableView
        if let reused = reuse.pool.take(key, of: viewClass) {
            view = reused
            log.append(.prepareForReuse(place))
            view.prepareForReuse()
        } else {
            view = viewClass.init()
            view.reuseIdentifier = key.identifier
        }
        if let attributes = display.window[place] { settle(view, attributes) }
        restoreState(of: view, at: place)
        return view
    }

    /// Dequeues a view for an element of a pipeline.
    func dequeueForElement(at place: LayoutPlace) -> CollectionReusableView {
        let key = ReusePool.Key(
            category: place.category,
            identifier: Self.elementReuseIdentifier
        )
        let viewClass = reuse.pool.registeredClass(key) ?? Self.defaultClass(place.category)
        return take(key, of: viewClass, for: place)
    }

    private static func defaultClass(_ category: ElementCategory) -> CollectionReusableView.Type {
        category == .cell ? CollectionViewCell.self : CollectionReusableView.self
    }

    /// Makes the view for a place of any category, and checks that the data source returned the
    /// right one.
    func makeView(for place: LayoutPlace) throws(ViewError) -> CollectionReusableView {
        if case .decoration(let kind) = place.category { return try makeDecoration(kind, place) }
        pass.callBegan()
        defer { pass.callEnded() }
        return try content.makeView(for: place, in: self)
    }

    private func makeDecoration(
        _ kind: SupplementaryKind,
        _ place: LayoutPlace
    ) throws(ViewError) -> CollectionReusableView {
        guard
            let viewClass = shownLayout.decorationClasses[kind] as? CollectionReusableView.Type
        else {
            throw ViewError(
                .notRegistered,
                "could not dequeue a decoration view of kind: \(kind) - must register as a class or nib"
                    + " or connect a prototype in a storyboard",
                at: place
            )
        }
        let key = ReusePool.Key(category: place.category, identifier: "")
        return take(key, of: viewClass, for: place)
    }

    /// Puts a view into the reuse pool.
    func recycle(_ view: CollectionReusableView, _ category: ElementCategory) {
        let key = ReusePool.Key(category: category, identifier: view.reuseIdentifier)
        let current: CollectionReusableView.Type?
        if case .decoration(let kind) = category {
            current = shownLayout.decorationClasses[kind] as? CollectionReusableView.Type
        } else if view.reuseIdentifier == Self.elementReuseIdentifier {
            current = reuse.pool.registeredClass(key) ?? Self.defaultClass(category)
        } else {
            current = reuse.pool.registeredClass(key)
        }
        reuse.pool.put(view, category, current)
    }

    /// Reports and recycles views that were dequeued but not returned.
    func recycleUnreturnedViews() {
        for (view, place) in exchange(&reuse.dequeued, with: []) {
            report(
                .notReturned,
                "Expected dequeued view to be returned to the collection view in preparation for"
                    + " display: the view dequeued for \(place) was not",
                at: place
            )
            recycle(view, place.category)
        }
    }
}

extension CollectionLayout {
    /// Registers the class of the decoration views of a kind; `nil` unregisters it. The layout
    /// stores the class, so that every view that uses the layout can make them.
    ///
    /// Threading: the main lane of the layout's view.
    public func register(
        _ viewClass: CollectionReusableView.Type?,
        forDecorationViewOfKind kind: SupplementaryKind
    ) {
        decorationClasses[kind] = viewClass
    }
}
