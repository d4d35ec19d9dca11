@testable import CollectionLayouts

/// Full-width rows, stacked.
final class ListModel: LayoutModel {
    private let list: ListLayout
    private var state: State?
    private var hasOwnRowHeight = false
    private var settledContext: LayoutInvalidationContext?

    private struct State {
        var width: Double
        var scale: Double
        var sections: [LaidSection]
        var rows: [Int: Double] = [:]
        var headers: [Int: SupplementHeight] = [:]
        var footers: [Int: SupplementHeight] = [:]
    }

    /// The height of a header or footer. The preferred height of its view holds until the provided
    /// height changes.
    private struct SupplementHeight {
        var height = 0.0
        var provided = 0.0

        mutating func update(_ newHeight: Double) {
            if newHeight != provided { height = newHeight }
            provided = newHeight
        }
    }

    init(_ world: World) {
        list = ListLayout()
        super.init(world, list)
        list.estimatesHeights = draw.chance(0.7)
        if draw.chance(0.3) { setProperty() }
    }

    // MARK: Invalidating

    override func invalidated(_ context: LayoutInvalidationContext) {
        if context === settledContext {
            settledContext = nil
        } else if context.isPartial {
            stale.list(context, laidOut ?? [])
        } else if context.invalidatesDataSourceCounts, !context.invalidatesEverything {
            stale.counts = true
        } else {
            stale.everything = true
        }
    }

    override func setProperty() {
        let count = world.contexts.count
        let value = draw.one(of: [0, 5.25, 20])
        var property: ReferenceWritableKeyPath<ListLayout, Double> = \.rowHeight
        switch draw.below(3) {
        case 0: hasOwnRowHeight = true
        case 1: property = \.sectionHeaderHeight
        default: property = \.sectionFooterHeight
        }
        let notifications = list[keyPath: property] == value ? 0 : 1
        list[keyPath: property] = value
        if world.contexts.count != count + notifications {
            errors.insert("expected \(notifications) contexts")
        }
        if notifications == 1 { applyOwnContext() }
    }

    // MARK: Preparing

    override func willApply(_ update: WorldUpdate) {
        guard let state, precedes(update) else { return }
        currentUpdate = (update, { [unowned self] in picture(of: state) })
    }

    override func prepared(_ update: WorldUpdate?) {
        let stale = stale
        self.stale = StaleModel()
        let width = world.bounds.size.width - world.adjustedContentInset.across(.vertical)
        var next = State(
            width: max(0, width),
            scale: world.displayScale,
            sections: world.sections.map { LaidSection($0) }
        )
        defer { (state, laidOut) = (next, next.sections) }
        guard let former = state, !stale.everything, !stale.counts || precedes(update) else {
            (errors, possibleErrors) = ([], [])
            for (index, section) in world.sections.enumerated() {
                layOut(index, Set(section.items.map(\.id)), [.header, .footer], &next)
            }
            return
        }
        (next.rows, next.headers, next.footers) = (former.rows, former.headers, former.footers)
        let known = Set(former.sections.map(\.id))
        for (index, section) in world.sections.enumerated() {
            let items = Set(section.items.map(\.id))
            if !known.contains(section.id) {
                // Moved rows keep their heights, except those that were listed.
                let kept = (update?.movedRows ?? []).subtracting(stale.items)
                layOut(index, items.subtracting(kept), [.header, .footer], &next)
                continue
            }
            if stale.counts, let update, update.touchedSections.contains(section.id) {
                let isRequested = update.reloadedKinds[section.id] != nil
                if isRequested { (next.headers[section.id], next.footers[section.id]) = (nil, nil) }
                let came = items.intersection(update.touchedItems).subtracting(update.movedRows)
                let hasSpans = update.editedSections.contains(section.id)
                layOut(
                    index,
                    came,
                    isRequested ? [.header, .footer] : [],
                    &next,
                    isTouched: hasSpans
                )
            }
            let listed = items.intersection(stale.items)
            let kinds = stale.kinds(of: section.id).intersection([.header, .footer])
            layOut(index, listed, kinds, &next, isTouched: !listed.isEmpty)
        }
    }

    private func layOut(
        _ index: Int,
        _ items: Set<Int>,
        _ kinds: Set<SupplementaryKind>,
        _ next: inout State,
        isTouched: Bool = false
    ) {
        guard isTouched || !kinds.isEmpty else { return }
        let section = world.sections[index]
        expectQuery(.metrics(index))
        let own = world.ownMetrics(of: section)
        if kinds.contains(.header) {
            let height = extent(
                own.headerExtent,
                list.sectionHeaderHeight,
                section.measuredHeader,
                .header(index)
            )
            next.headers[section.id, default: SupplementHeight()].update(height)
        }
        if kinds.contains(.footer) {
            let height = extent(
                own.footerExtent,
                list.sectionFooterHeight,
                section.measuredFooter,
                .footer(index)
            )
            next.footers[section.id, default: SupplementHeight()].update(height)
        }
        let fixed = own.itemSize?.height ?? (hasOwnRowHeight ? list.rowHeight : nil)
        for (item, value) in section.items.enumerated() where items.contains(value.id) {
            let path = ItemPath(section: index, item: item)
            expectQuery(.size(path))
            let provided = world.hasMetrics ? value.provided?.height : nil
            let height = provided ?? fixed ?? value.measured?.height ?? list.rowHeight
            next.rows[value.id] = checked(height, .itemSize, .cell(path))
        }
    }

    private func extent(_ provided: Double?, _ own: Double, _ measured: Size?, _ place: LayoutPlace)
        -> Double
    {
        let height = provided ?? (own == 0 ? measured?.height : nil) ?? own
        return checked(height, .supplementarySize, place)
    }

    private func checked(_ height: Double, _ code: LayoutError.Code, _ place: LayoutPlace) -> Double
    {
        if height >= 0, height < .infinity { return height }
        report(code, place)
        return 0
    }

    // MARK: Placing

    override var picture: Picture { state.map { picture(of: $0) } ?? Picture() }

    private func picture(of state: State) -> Picture {
        var picture = Picture()
        var y = 0.0
        func frame(_ height: Double) -> Rect {
            let pixel = (y * state.scale).rounded() / state.scale
            return Rect(x: 0, y: pixel, width: state.width, height: height)
        }
        func place(_ place: LayoutPlace, _ height: Double) {
            if place.category == .cell || height > 0 {
                var attributes = LayoutAttributes(place, frame: frame(height))
                if place.category != .cell { attributes.zIndex = 10 }
                picture.attributes[place] = attributes
            }
            y += height
        }
        for (index, section) in state.sections.enumerated() {
            let start = y
            place(.header(index), state.headers[section.id]?.height ?? 0)
            for (item, id) in section.items.enumerated() {
                place(.cell(ItemPath(section: index, item: item)), state.rows[id] ?? 0)
            }
            place(.footer(index), state.footers[section.id]?.height ?? 0)
            let end = y
            y = start
            picture.sections.append(frame(end - start))
            y = end
        }
        picture.contentSize = Size(width: state.width, height: y)
        return picture
    }

    // MARK: Bounds and preferred sizes

    override func boundsChange(to new: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        (world.bounds.size.width != new.size.width, [], [])
    }

    override func preferred(_ size: Size, by original: LayoutAttributes) -> PreferenceModel {
        let place = original.place
        if list.estimatesHeights, !size.isValid { report(.preferredSize, place) }
        guard list.estimatesHeights, size.isValid, size.height != original.size.height,
            let section = state?.sections[place.path.section]
        else { return PreferenceModel() }
        switch place.category {
        case .cell: state?.rows[section.items[place.path.item]] = size.height
        case .supplementary(.header):
            state?.headers[section.id, default: SupplementHeight()].height = size.height
        default: state?.footers[section.id, default: SupplementHeight()].height = size.height
        }
        var model = PreferenceModel()
        model.places = [place]
        model.oldFrame = original.frame
        model.visibleRect = world.bounds.inset(by: world.adjustedContentInset)
        return model
    }

    /// The layout recognizes the context of a preferred size in one invalidation.
    override func settle(_ context: LayoutInvalidationContext) { settledContext = context }
}

/// One item per page.
final class PagerModel: LayoutModel {
    private let pager: PagerLayout
    private var page = Size.zero
    private var isMirrored = false

    init(_ world: World) {
        pager = PagerLayout()
        super.init(world, pager)
        setProperty()
    }

    override func setProperty() {
        let count = world.contexts.count
        let direction = draw.one(of: ScrollDirection.allCases)
        let spacing = draw.one(of: [0, 3.5, 20, -5, .infinity])
        let notifications =
            (direction != pager.scrollDirection ? 1 : 0) + (spacing != pager.pageSpacing ? 1 : 0)
        pager.scrollDirection = direction
        pager.pageSpacing = spacing
        if world.contexts.count != count + notifications {
            errors.insert("expected \(notifications) contexts")
        }
        // Queries from before the change do not matter.
        pager.prepare()
        prepared(nil)
    }

    /// A pager keeps no state of its own, so it records the visible elements.
    override func willApply(_ update: WorldUpdate) {
        let shown = picture.attributes.filter { $0.value.frame.intersects(world.bounds) }
        currentUpdate = (update, { Picture(attributes: shown) })
    }

    override func prepared(_ update: WorldUpdate?) {
        page = world.bounds.inset(by: world.adjustedContentInset).size
        isMirrored = world.isRightToLeft && pager.scrollDirection == .horizontal
        let hasRoom = page.width > 0 && page.height > 0
        laidOut = hasRoom ? world.sections.map { LaidSection($0) } : []
    }

    override var picture: Picture {
        var picture = Picture()
        let paths = (laidOut ?? []).enumerated().flatMap { index, section in
            section.items.indices.map { ItemPath(section: index, item: $0) }
        }
        guard !paths.isEmpty else { return picture }
        let spacing = pager.pageSpacing.isFinite ? max(0, pager.pageSpacing) : 0
        let direction = pager.scrollDirection
        let pitch = page.along(direction) + spacing
        for (number, path) in paths.enumerated() {
            let position = isMirrored ? paths.count - 1 - number : number
            let origin = Point(along: pitch * Double(position), across: 0, direction)
            let attributes = LayoutAttributes(.cell(path), frame: Rect(origin: origin, size: page))
            picture.attributes[.cell(path)] = attributes
        }
        let extent = pitch * Double(paths.count) - spacing
        picture.contentSize = Size(along: extent, across: page.across(direction), direction)
        return picture
    }

    override func boundsChange(to new: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        (world.bounds.size != new.size, [], [])
    }
}
