import CollectionElements
import CollectionLayouts
import CollectionPipeline
import SimulatedView

/// The simulated view of a run, as a value.
///
/// Nodes are as high as one to three units and up to 40 wide, so a viewport of a dozen units shows some of
/// the elements and never all.
package struct ViewPlan: Hashable, Sendable, Codable {
    package var layout: Layout
    /// Whether cells want other heights than they were measured with, and layouts give in.
    package var sizesItself: Bool
    /// Whether idle ticks prepare cells, and cells that went out of sight wait for their item.
    package var isPrefetching: Bool
    /// Whether a range controller tells nodes how near to the viewport they are.
    package var hasRanges: Bool
    /// Whether more is fetched before its user runs out of it.
    package var hasFetcher: Bool
    /// Whether readers see it from its other end; nil for no.
    package var isInverted: Bool?
    package var width: Int
    package var height: Int

    /// Who places the elements.
    package enum Layout: String, Hashable, Sendable, Codable, CaseIterable {
        case list
        case flow
        /// One layout for sections of all sorts: lines, columns and cards, with headers that stay visible.
        case composed
        case masonry
        case pages
    }

    /// A view in which everything is drawn but whether it is inverted.
    package init(_ random: inout SeededGenerator) {
        layout = Layout(&random)
        sizesItself = random.isTrue(oneIn: 2)
        isPrefetching = random.isTrue(oneIn: 3)
        hasRanges = random.isTrue(oneIn: 2)
        hasFetcher = random.isTrue(oneIn: 2)
        width = random.isTrue(oneIn: 3) ? 25 : 40
        height = 4 + random.next(below: 9)
    }

    /// Why a view from outside cannot be made; nil if it can.
    package var problem: String? {
        for extent in [width, height] where !(0...1000).contains(extent) {
            return "an extent of the view is \(extent), not 0 to 1000"
        }
        return nil
    }

    /// A view of that kind that shows nothing yet.
    ///
    /// - Parameter clock: tells the time for what moves by itself; nil for none, where it does so at once.
    package func makeView(clock: (any PipelineEnvironment)? = nil) -> SimulatedCollectionView {
        let view = SimulatedCollectionView(
            size: Size(width: Double(width), height: Double(height)),
            layout: layout.make(sizesItself: sizesItself),
            logCapacity: 512,
            clock: clock
        )
        view.isPrefetchingEnabled = isPrefetching
        view.isInverted = isInverted == true
        if hasRanges { view.rangeController = RangeController() }
        if hasFetcher { view.batchFetcher = BatchFetcher() }
        let identifier = SimulatedCollectionView.elementReuseIdentifier
        let cellClass = sizesItself ? SizingCell.self : WatchedCell.self
        do {
            try view.register(cellClass, forCellWithReuseIdentifier: identifier)
            try view.register(
                WatchedHeader.self,
                forSupplementaryViewOfKind: .header,
                withReuseIdentifier: identifier
            )
        } catch {
            fatalError("The identifier of elements must be registrable: \(error)")
        }
        return view
    }
}

extension ViewPlan.Layout {
    package init(_ random: inout SeededGenerator) {
        self = Self.allCases[random.next(below: Self.allCases.count)]
    }

    /// A layout of that kind, of which a view can make one its own.
    ///
    /// - Parameter sizesItself: whether it gives in to the sizes that cells want.
    func make(sizesItself: Bool) -> CollectionLayout {
        switch self {
        case .list:
            let layout = ListLayout()
            layout.estimatesHeights = sizesItself
            return layout
        case .flow:
            let layout = FlowLayout()
            layout.minimumLineSpacing = 1
            layout.minimumInteritemSpacing = 1
            layout.sectionHeadersPinToVisibleBounds = true
            if sizesItself { layout.estimatedItemSize = Size(width: 12, height: 2) }
            return layout
        case .composed:
            let layout = ComposedLayout(defaultLayout: Self.lines)
            let (lines, columns, cards) = (Self.lines, Self.columns, Self.cards)
            layout.layoutProvider = { _, context in
                // By the section itself, so that it keeps its layout wherever it moves.
                switch ((context as? ModelContext)?.id ?? 0) % 3 {
                case 0: lines
                case 1: columns
                default: cards
                }
            }
            layout.features = [StickyHeaders()]
            layout.register(CollectionReusableView.self, forDecorationViewOfKind: Self.card)
            return layout
        case .masonry: return ComposedLayout(defaultLayout: Self.columns)
        case .pages:
            let layout = PagerLayout()
            layout.pageSpacing = 1
            return layout
        }
    }

    private static let card = SupplementaryKind(rawValue: "card")

    private static var lines: FlowSectionLayout {
        var layout = FlowSectionLayout()
        layout.lineSpacing = 1
        layout.interitemSpacing = 1
        return layout
    }

    private static var columns: MasonrySectionLayout {
        var layout = MasonrySectionLayout(columnCount: 2)
        layout.lineSpacing = 1
        layout.interitemSpacing = 1
        return layout
    }

    private static var cards: BackgroundSectionLayout {
        BackgroundSectionLayout(lines, kind: card, insets: EdgeInsets(left: 1, right: 1))
    }
}

extension ViewPlan: CustomStringConvertible {
    /// The view in a few words, for a person.
    package var description: String {
        "simulated view \(width) × \(height), layout \(layout.rawValue)"
            + (sizesItself ? ", self-sizing" : "") + (isPrefetching ? ", prefetching" : "")
            + (hasRanges ? ", ranges" : "") + (hasFetcher ? ", fetching" : "")
            + (isInverted == true ? ", inverted" : "")
    }
}
