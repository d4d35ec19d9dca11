import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTesting
import SimulatedView

/// The simulated view of a run, as a value.
///
/// Nodes are one to three units high and up to 40 wide, so a viewport of a dozen units shows some
/// of the elements and never all.
package struct ViewPlan: Hashable, Sendable, Codable {
    package var layout: Layout
    /// Whether cells prefer other heights than they were measured with, and layouts adopt them.
    package var sizesItself: Bool
    /// Whether idle ticks prepare cells, and cells that disappeared wait for their item.
    package var isPrefetching: Bool
    /// Whether a range controller notifies nodes of their distance from the viewport.
    package var hasRanges: Bool
    /// Whether more content is fetched before the user reaches the end.
    package var hasFetcher: Bool
    /// Whether the first fetches fail while the content changes; `nil` means no.
    package var failsFetches: Bool?
    /// Whether the view is inverted; `nil` means no.
    package var isInverted: Bool?
    package var width: Int
    package var height: Int

    /// The layout of the view.
    package enum Layout: String, Hashable, Sendable, Codable, CaseIterable {
        case list
        case flow
        /// One layout for sections of all kinds: lines, columns and cards, with sticky headers.
        case composed
        case masonry
        case pages
    }

    /// Draws a view, except whether it is inverted.
    package init(_ random: inout SeededGenerator) {
        layout = Layout(&random)
        sizesItself = random.isTrue(oneIn: 2)
        isPrefetching = random.isTrue(oneIn: 3)
        hasRanges = random.isTrue(oneIn: 2)
        hasFetcher = random.isTrue(oneIn: 2)
        width = random.isTrue(oneIn: 3) ? 25 : 40
        height = 4 + random.next(below: 9)
    }

    /// The reason why a decoded view is invalid, or `nil`.
    package var problem: String? {
        for extent in [width, height] where !(0...1000).contains(extent) {
            return "an extent of the view is \(extent), not 0 to 1000"
        }
        return nil
    }

    /// Creates the view, without content.
    ///
    /// - Parameter clock: The clock for animations; without one they end immediately.
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

    /// Creates a layout of that kind for one view.
    ///
    /// - Parameter sizesItself: Whether the layout adopts the preferred sizes of cells.
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
                // Chosen by the section itself, so that it keeps its layout wherever it moves.
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
    /// A short description of the view.
    package var description: String {
        "simulated view \(width) × \(height), layout \(layout.rawValue)"
            + (sizesItself ? ", self-sizing" : "") + (isPrefetching ? ", prefetching" : "")
            + (hasRanges ? ", ranges" : "") + (hasFetcher ? ", fetching" : "")
            + (isInverted == true ? ", inverted" : "")
    }
}

/// An action of a user, or of the program, on a view.
package enum ViewAction: Hashable, Sendable, Codable {
    /// Scrolls by tenths of a unit.
    case scroll(Int)
    /// Scrolls to an existing item.
    case scrollToItem(UInt64)
    /// Moves to an existing item with an animation, or to the beginning.
    case moveToItem(UInt64)
    case moveToTop
    /// A finger drags for a number of turns, during which the view is busy, and lifts.
    case drag(turns: Int, tenths: Int)
    case resize(width: Int, height: Int, isAnimated: Bool)
    case setLayout(ViewPlan.Layout, isAnimated: Bool)
    /// A touch on a visible cell that lasts for a number of turns.
    case touch(UInt64, turns: Int)
    case select(UInt64)
    /// An idle moment in which a number of cells may be prepared.
    case idle(Int)
    /// A visible cell prefers another size from now on.
    case changePreferredSize(UInt64)
    case inset(Int)
    case invalidate
    /// Changes the conditions of the ranges.
    case range(RangeAction)
    /// Changes the conditions of fetching.
    case fetch(FetchAction)

    package init(_ random: inout SeededGenerator) {
        switch random.next(below: 22) {
        case 0, 1, 2: self = .scroll(random.next(below: 400) - 200)
        case 3: self = .scrollToItem(random.next())
        case 4, 5:
            self = .drag(turns: random.next(below: 6), tenths: random.next(below: 100) - 50)
        case 6:
            self = .resize(
                width: random.isTrue(oneIn: 12) ? 0 : 20 + random.next(below: 30),
                height: 2 + random.next(below: 12),
                isAnimated: random.isTrue(oneIn: 2)
            )
        case 7, 8:
            self = .setLayout(ViewPlan.Layout(&random), isAnimated: random.isTrue(oneIn: 2))
        case 9: self = .touch(random.next(), turns: random.next(below: 4))
        case 10: self = .select(random.next())
        case 11: self = .idle(random.next(below: 5))
        case 12, 13: self = .changePreferredSize(random.next())
        case 14: self = .inset(random.next(below: 4))
        case 15, 16: self = .range(RangeAction(&random))
        case 17, 18: self = .fetch(FetchAction(&random))
        case 19: self = .moveToItem(random.next())
        case 20: self = .moveToTop
        default: self = .invalidate
        }
    }

    /// Whether elements may be measured for other sizes afterwards.
    var changesElementSizes: Bool {
        switch self {
        case .resize, .setLayout, .inset: true
        default: false
        }
    }

    /// The reason why a decoded action cannot be performed, or `nil`.
    package var problem: String? {
        func isBeyond(_ number: Int, _ limit: Int) -> Bool { !(0...limit).contains(number) }
        let isWrong =
            switch self {
            case .scroll(let tenths): !(-1_000_000...1_000_000).contains(tenths)
            case .drag(let turns, let tenths):
                isBeyond(turns, 100) || !(-1_000_000...1_000_000).contains(tenths)
            case .resize(let width, let height, _): isBeyond(width, 1000) || isBeyond(height, 1000)
            case .touch(_, let turns): isBeyond(turns, 100)
            case .idle(let count), .inset(let count): isBeyond(count, 1000)
            case .scrollToItem, .moveToItem, .moveToTop, .setLayout, .select, .changePreferredSize,
                .invalidate, .range, .fetch:
                false
            }
        return isWrong ? "a number is out of range: \(self)" : nil
    }
}

extension ViewAction: CustomStringConvertible {
    /// A short description of the action.
    package var description: String {
        switch self {
        case .scroll(let tenths): "scroll \(tenths)"
        case .scrollToItem: "scroll to an item"
        case .moveToItem: "move to an item"
        case .moveToTop: "move to the beginning"
        case .drag(let turns, let tenths): "drag \(tenths) in \(turns) turns"
        case .resize(let width, let height, let isAnimated):
            "resize to \(width) × \(height)" + (isAnimated ? " animated" : "")
        case .setLayout(let layout, let isAnimated):
            "layout \(layout.rawValue)" + (isAnimated ? " animated" : "")
        case .touch(_, let turns): "touch for \(turns) turns"
        case .select: "select"
        case .idle(let count): "idle \(count)"
        case .changePreferredSize: "change a preferred size"
        case .inset(let inset): "inset \(inset)"
        case .invalidate: "invalidate"
        case .range(let action): "range: \(action)"
        case .fetch(let action): "fetch: \(action)"
        }
    }
}

/// An action of an application on the ranges of its view.
package enum RangeAction: String, Hashable, Sendable, Codable, CaseIterable {
    case pressureRises
    case pressureFalls
    case goesToBackground
    case comesToForeground
    case isHidden
    case isSeen
    case asksForFull
    case asksForNothing
    /// Ranges reach further in one direction than in the other.
    case tunes

    package init(_ random: inout SeededGenerator) {
        self = Self.allCases[random.next(below: Self.allCases.count)]
    }

    /// Performs the action.
    func perform(on ranges: RangeController) {
        switch self {
        case .pressureRises:
            ranges.memoryPressure = ranges.memoryPressure == .normal ? .warning : .critical
        case .pressureFalls: ranges.memoryPressure = .normal
        case .goesToBackground: ranges.applicationDidEnterBackground()
        case .comesToForeground: ranges.applicationWillEnterForeground()
        case .isHidden: ranges.isContainerVisible = false
        case .isSeen: ranges.isContainerVisible = true
        case .asksForFull: ranges.requestedMode = .full
        case .asksForNothing: ranges.requestedMode = nil
        case .tunes:
            // The display range is wider than the preload range, which is unusual but allowed.
            ranges.setTuningParameters(
                ranges.tuningParameters(for: .preload, in: .full),
                for: .display,
                in: .full
            )
            ranges.setTuningParameters(.zero, for: .preload, in: .full)
        }
    }
}

/// An action of an application on the fetcher of its view.
package enum FetchAction: String, Hashable, Sendable, Codable, CaseIterable {
    case triesHeadAgain
    case triesTailAgain
    case callsOffHead
    case callsOffTail
    case wantsHead
    case wantsNoHead

    package init(_ random: inout SeededGenerator) {
        self = Self.allCases[random.next(below: Self.allCases.count)]
    }
}
