import PersistentTrees

/// Asks for sizes and metrics while a flow layout prepares, and says what it could not use.
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

    /// Lays out every section, from nothing but the sizes that items had.
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

    /// Asks for items that came or changed, and for the metrics of their section.
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

    /// Lays out the same sizes again, in what is the environment now.
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

    /// Lays out a section from nothing.
    ///
    /// - Parameter retained: the size that an item had until now, if it is known.
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
        // Once and not for every item: to unpack metrics costs as much as to ask for a size.
        let fixed = own.itemSize ?? settings.fixedItemSize
        if metrics == nil, let size = fixed {
            notes.work.askedSizes += 1
            let place = LayoutPlace.cell(ItemPath(section: section, item: items.lowerBound))
            let checked = items.isEmpty ? .zero : checked(size, at: place, isAnswer: false)
            return ItemSizes(repeating: ItemSize(size: checked), count: items.count)
        }
        notes.work.askedSizes += items.count
        if let metrics {
            return answers(of: metrics, items, inSection: section, fixed, retained)
        }
        var sizes = ItemSizes.Builder()
        for item in items {
            let path = ItemPath(section: section, item: item)
            sizes.append(size(at: path, fixed, retained))
        }
        return sizes.tree()
    }

    /// A function of its own that borrows what it asks: the view is held weakly too, by the layout, and
    /// to retain such an object for every item would cost more than the answers.
    @inline(never)
    private mutating func answers(
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
            sizes.append(ItemSize(size: checked(size, at: .cell(path), isAnswer: true)))
        }
        return sizes.tree()
    }

    /// The size of an item of which the metrics say nothing.
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
        return ItemSize(size: checked(size, at: place, isAnswer: false))
    }

    /// Inlined, since most are sizes, which then cost no call.
    @inline(__always)
    private mutating func checked(_ size: Size, at place: LayoutPlace, isAnswer: Bool) -> Size {
        size.isValid ? size : refused(size, at: place, isAnswer: isAnswer)
    }

    private mutating func refused(_ size: Size, at place: LayoutPlace, isAnswer: Bool) -> Size {
        let path = place.path
        let found = "{\(size.width), \(size.height)}"
        let message =
            if !(size.width < 0 || size.height < 0) {
                "expected a finite size for item \(path.item) in section \(path.section), found"
                    + " \(found), which is not supported by flow layout; it counts as zero"
            } else if isAnswer {
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
}
