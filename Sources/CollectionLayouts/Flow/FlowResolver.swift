import PersistentTrees

/// Requests sizes and metrics while a flow layout prepares, and reports those that are invalid.
struct FlowResolver: SectionResolver {
    static let keepsReconfigured = true

    let settings: FlowSettings
    let host: any LayoutHost
    let environment: FlowEnvironment
    private let metrics: (any LayoutMetrics)?
    var notes = LayoutNotes()

    init(_ settings: FlowSettings, _ host: any LayoutHost, _ environment: FlowEnvironment) {
        self.settings = settings
        self.host = host
        self.environment = environment
        metrics = host.layoutMetrics
    }

    /// Lays out every section, using only the sizes that items had before.
    mutating func everything(keepingSizesOf former: FlowState?) -> FlowState {
        FlowState(
            environment: environment,
            sections: SectionStack(host.itemCounts) { index, itemCount in
                let known = former?.sections.element(at: index)?.sizes
                let retained = known?.count == itemCount ? known : nil
                return section(index, itemCount: itemCount) { retained?.element(at: $0) }
            }
        )
    }

    func known(of item: Int, in section: FlowSection) -> ItemSize? {
        section.sizes.element(at: item)
    }

    /// Lays out a section, requesting the sizes of inserted and changed items, and the metrics of
    /// the section.
    mutating func lay(_ change: SectionChange<FlowSection, ItemSize>) -> FlowSection {
        guard let former = change.former else {
            return section(change.index, itemCount: change.itemCount) { change.known[$0] }
        }
        let own = host.metrics(ofSection: change.index, by: metrics)
        let sizes = former.sizes.replacing(change.spans) {
            self.sizes(ofItems: $0, inSection: change.index, own) { change.known[$0] }
        }
        let section = FlowSection(
            sizes,
            rules: rules(forSection: change.index, own),
            former: former,
            spans: change.spans
        )
        return notes.laidOut(section, change.index)
    }

    /// Lays out the same sizes again in the current environment.
    mutating func placing(_ state: FlowState) -> FlowState {
        let environment = environment
        return FlowState(
            environment: environment,
            sections: state.sections.mapped { index, section in
                let rules = FlowRules(environment: environment, metrics: section.rules.metrics)
                return notes.laidOut(FlowSection(section.sizes, rules: rules), index)
            }
        )
    }

    /// Lays out a section from scratch.
    ///
    /// - Parameter retained: A closure that returns the previous size of an item, if it is known.
    private mutating func section(
        _ index: Int,
        itemCount: Int,
        retained: (_ item: Int) -> ItemSize?
    ) -> FlowSection {
        let own = host.metrics(ofSection: index, by: metrics)
        let sizes = sizes(ofItems: 0..<itemCount, inSection: index, own, retained)
        let rules = rules(forSection: index, own)
        return notes.laidOut(FlowSection(sizes, rules: rules), index)
    }

    // MARK: Items

    private mutating func sizes(
        ofItems items: Range<Int>,
        inSection section: Int,
        _ own: SectionMetrics,
        _ retained: (_ item: Int) -> ItemSize?
    ) -> ItemSizes {
        // Computed once, not for every item: unpacking the metrics costs as much as requesting a
        // size.
        let fixed = own.itemSize ?? settings.fixedItemSize
        if metrics == nil, let size = fixed {
            notes.work.requestedSizes += 1
            let place = LayoutPlace.cell(ItemPath(section: section, item: items.lowerBound))
            let checked = items.isEmpty ? .zero : checked(size, at: place, isProvided: false)
            return ItemSizes(repeating: ItemSize(size: checked), count: items.count)
        }
        notes.work.requestedSizes += items.count
        if let metrics {
            return providedSizes(of: metrics, items, inSection: section, fixed, retained)
        }
        var sizes = ItemSizes.Builder()
        for item in items {
            let path = ItemPath(section: section, item: item)
            sizes.append(size(at: path, fixed, retained))
        }
        return sizes.tree()
    }

    /// A separate function that borrows the metrics object. The layout also holds the view weakly,
    /// and retaining such an object for every item would cost more than the calls.
    @inline(never)
    private mutating func providedSizes(
        of metrics: some LayoutMetrics,
        _ items: Range<Int>,
        inSection section: Int,
        _ fixed: Size?,
        _ retained: (_ item: Int) -> ItemSize?
    ) -> ItemSizes {
        var sizes = ItemSizes.Builder()
        for item in items {
            let path = ItemPath(section: section, item: item)
            guard let size = metrics.size(ofItemAt: path) else {
                sizes.append(self.size(at: path, fixed, retained))
                continue
            }
            sizes.append(ItemSize(size: checked(size, at: .cell(path), isProvided: true)))
        }
        return sizes.tree()
    }

    /// Returns the size of an item for which the metrics object returns `nil`.
    private mutating func size(
        at path: ItemPath,
        _ fixed: Size?,
        _ retained: (_ item: Int) -> ItemSize?
    ) -> ItemSize {
        if fixed == nil, settings.estimate != nil, let known = retained(path.item),
            known.isPreferred,
            known.size.across(environment.direction) < environment.dimension
        {
            return known
        }
        let place = LayoutPlace.cell(path)
        let size =
            fixed ?? host.measuredSize(of: place) ?? settings.estimate ?? settings.itemSize
        return ItemSize(size: checked(size, at: place, isProvided: false))
    }

    /// Inlined, because most sizes are valid, and valid sizes need no call.
    @inline(__always)
    private mutating func checked(_ size: Size, at place: LayoutPlace, isProvided: Bool) -> Size {
        size.isValid ? size : rejected(size, at: place, isProvided: isProvided)
    }

    private mutating func rejected(_ size: Size, at place: LayoutPlace, isProvided: Bool) -> Size {
        let path = place.path
        let found = "{\(size.width), \(size.height)}"
        let message =
            if !(size.width < 0 || size.height < 0) {
                "expected a finite size for item \(path.item) in section \(path.section), found"
                    + " \(found), which is not supported by flow layout; it counts as zero"
            } else if isProvided {
                "Collection view delegate returned a negative size \(found) from"
                    + " -collectionView:layout:sizeForItemAtIndexPath: for item \(path.item) in"
                    + " section \(path.section), which is not supported by flow layout."
            } else {
                "Negative sizes are not supported by flow layout. Found \(found) for item"
                    + " \(path.item) in section \(path.section)"
            }
        notes.diagnostics.report(LayoutError(.itemSize, at: place, message: message))
        return .zero
    }

    /// Returns the rules of a section from its own metrics, otherwise from the layout; for headers
    /// and footers also from measurements.
    mutating func rules(forSection section: Int, _ own: SectionMetrics) -> FlowRules {
        let resolved = FlowResolvedMetrics(
            inset: checked(own.insets ?? settings.inset, section),
            interitemSpacing: checked(
                own.interitemSpacing ?? settings.interitemSpacing,
                "interitem spacing",
                section
            ),
            lineSpacing: checked(
                own.lineSpacing ?? settings.lineSpacing,
                "line spacing",
                section
            ),
            header: extent(own.headerExtent, settings.headerReferenceSize, .header(section)),
            footer: extent(own.footerExtent, settings.footerReferenceSize, .footer(section))
        )
        return FlowRules(environment: environment, metrics: resolved)
    }

    private mutating func checked(_ inset: EdgeInsets, _ section: Int) -> EdgeInsets {
        func number(_ value: Double) -> Double {
            value.isFinite ? value : rejected(value, "inset", section)
        }
        return EdgeInsets(
            top: number(inset.top),
            left: number(inset.left),
            bottom: number(inset.bottom),
            right: number(inset.right)
        )
    }

    /// Insets may be negative. Spacings may not, so that lines and items never overlap and can be
    /// searched.
    private mutating func checked(_ spacing: Double, _ name: String, _ section: Int) -> Double {
        spacing >= 0 && spacing.isFinite ? spacing : rejected(spacing, name, section)
    }

    private mutating func rejected(_ value: Double, _ name: String, _ section: Int) -> Double {
        let message =
            "expected a valid \(name) for section \(section), found \(value); it counts as zero"
        notes.diagnostics.report(LayoutError(.spacing, message: message))
        return 0
    }

    private mutating func extent(
        _ answer: Double?,
        _ reference: Size,
        _ place: LayoutPlace
    ) -> Double {
        let measured = reference == .zero ? host.measuredSize(of: place) : nil
        let direction = environment.direction
        let provided = answer.map { Size(along: $0, across: environment.dimension, direction) }
        let size = provided ?? measured ?? reference
        let extent = size.along(direction)
        if extent >= 0, extent.isFinite { return extent }
        let kind = place == .header(place.path.section) ? "headers" : "footers"
        let sort = extent < 0 ? "Negative" : "Infinite"
        let message =
            "\(sort) sizes of \(kind) are not supported by flow layout. Invalid size:"
            + " {\(size.width), \(size.height)}; section: \(place.path.section)"
        notes.diagnostics.report(LayoutError(.supplementarySize, at: place, message: message))
        return 0
    }
}
