import CollectionLayouts

/// A view of one section of rows of different heights.
final class RowsHost: LayoutHost {
    private var heights: [Double]
    var bounds: Rect

    let adjustedContentInset = EdgeInsets.zero
    let safeAreaInsets = EdgeInsets.zero
    let layoutMargins = EdgeInsets.zero
    let isRightToLeft = false
    let displayScale = 1.0
    let layoutMetrics: AnyObject? = nil

    init(rowCount: Int) {
        heights = (0..<rowCount).map { Self.height(of: $0) }
        bounds = Rect(x: 0, y: 0, width: 320, height: 1_500)
    }

    var rowCount: Int { heights.count }

    /// From 20 to 40.
    private static func height(of number: Int) -> Double { Double(20 + number &* 7919 % 21) }

    var numberOfSections: Int { 1 }

    func numberOfItems(inSection section: Int) -> Int { rowCount }

    func context(forSection section: Int) -> (any SectionContext)? { nil }

    func measuredSize(of place: LayoutPlace) -> Size? {
        Size(width: 320, height: heights[place.path.item])
    }

    func invalidateLayout(with context: LayoutInvalidationContext) {}

    // MARK: Changing

    /// Gives one row another height, and lays out again.
    func changeHeight(of item: Int, to height: Double, in layout: CollectionLayout) {
        heights[item] = height
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidateItems(at: [ItemPath(section: 0, item: item)])
        layout.invalidateLayout(with: context)
        layout.prepare()
    }

    /// Puts rows in; the layout comes afterwards.
    func insertRows(_ update: ValidatedChangeSet) {
        for edit in update.itemInsertions {
            heights.insert(Self.height(of: heights.count), at: edit.path.item)
        }
    }

    /// Lays out again what was inserted.
    func layOut(_ layout: CollectionLayout, applying update: ValidatedChangeSet) {
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
    }

    /// Asks what a view asks after every change; the answer depends on all of it.
    func look(at layout: CollectionLayout) -> UInt {
        UInt(layout.collectionViewContentSize.height)
            &+ UInt(layout.layoutAttributesForElements(in: bounds).count)
    }

    // MARK: Comparing

    /// Asks for all heights, as a layout without a tree of them would.
    ///
    /// - Parameter note: told for each row the sum of the heights up to and with its own.
    static func sumHeights(of source: any LayoutHost, _ note: (_ sum: Double) -> Void) {
        var sum = 0.0
        for item in 0..<source.numberOfItems(inSection: 0) {
            let place = LayoutPlace.cell(ItemPath(section: 0, item: item))
            sum += source.measuredSize(of: place)?.height ?? 0
            note(sum)
        }
    }
}
