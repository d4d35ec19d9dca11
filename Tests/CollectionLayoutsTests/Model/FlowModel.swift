@testable import CollectionLayouts

/// UIKit's flow layout, implemented literally.
final class FlowModel: LayoutModel {
    private let flow: FlowLayout
    private var state: State?
    private var hasOwnItemSize = false
    private var isPrepared = false
    private var preferences: [Size] = []

    /// The known sizes by item and rules by section.
    private struct State {
        var view: View
        var sections: [LaidSection]
        var sizes: [Int: KnownSize] = [:]
        var rules: [Int: Rules] = [:]
    }

    private struct KnownSize {
        var size: Size
        var isPreferred = false
    }

    private struct Rules {
        var insets = EdgeInsets.zero
        var line = 0.0
        var interitem = 0.0
        var header = 0.0
        var footer = 0.0
    }

    /// The values from the view.
    private struct View: Equatable {
        var direction: ScrollDirection
        var dimension: Double
        var scale: Double
        var isRightToLeft: Bool
        var reference: EdgeInsets

        var isVertical: Bool { direction == .vertical }
        var across: (leading: Double, trailing: Double) {
            isVertical ? (reference.left, reference.right) : (reference.top, reference.bottom)
        }
        var along: (leading: Double, trailing: Double) {
            isVertical ? (reference.top, reference.bottom) : (reference.left, reference.right)
        }
    }

    init(_ world: World) {
        flow = FlowLayout()
        super.init(world, flow)
        world.displayScale = world.draw.one(of: [1, 2, 3, 4])
        if draw.chance(0.4) { flow.scrollDirection = .horizontal }
        if draw.chance(0.3) { flow.estimatedItemSize = estimate() }
        if draw.chance(0.3) {
            flow.sectionInsetReference = draw.one(of: SectionInsetReference.allCases)
        }
        flow.sectionHeadersPinToVisibleBounds = draw.chance(0.4)
        flow.sectionFootersPinToVisibleBounds = draw.chance(0.3)
        if draw.chance(0.3) { flow.headerReferenceSize = draw.size(9, 9) }
    }

    private func estimate() -> Size {
        draw.chance(0.4) ? FlowLayout.automaticSize : draw.size(90, 40)
    }

    /// The size of items that were not displayed yet, if sizes are estimated.
    private var effectiveEstimate: Size? {
        if flow.estimatedItemSize == .zero { return nil }
        if flow.estimatedItemSize != FlowLayout.automaticSize { return flow.estimatedItemSize }
        guard !preferences.isEmpty else { return Size(width: 50, height: 50) }
        let count = Double(preferences.count)
        return Size(
            width: preferences.reduce(0) { $0 + $1.width } / count,
            height: preferences.reduce(0) { $0 + $1.height } / count
        )
    }

    private func view() -> View? {
        let dimension =
            world.bounds.size.across(flow.scrollDirection)
            - world.adjustedContentInset.across(flow.scrollDirection)
        guard !world.bounds.isEmpty, dimension > 0 else { return nil }
        var reference =
            switch flow.sectionInsetReference {
            case .fromContentInset: EdgeInsets.zero
            case .fromSafeArea: world.safeAreaInsets
            case .fromLayoutMargins: world.layoutMargins
            }
        if world.isRightToLeft { swap(&reference.left, &reference.right) }
        return View(
            direction: flow.scrollDirection,
            dimension: dimension,
            scale: world.displayScale,
            isRightToLeft: world.isRightToLeft,
            reference: reference
        )
    }

    // MARK: Invalidating

    override func invalidated(_ context: LayoutInvalidationContext) {
        if context.invalidatesEverything { stale.everything = true }
        if context.invalidatesDataSourceCounts { stale.counts = true }
        guard let context = context as? FlowLayoutInvalidationContext else {
            isPrepared = false
            stale.metrics = true
            stale.hasForeignContext = true
            errors.insert("invalidationContext")
            return
        }
        let isQuiet =
            !context.invalidatesFlowLayoutDelegateMetrics
            && !context.invalidatesFlowLayoutAttributes && !context.invalidatesDataSourceCounts
        if !isQuiet || context.invalidatesEverything { isPrepared = false }
        if context.isPartial {
            if context.invalidatesFlowLayoutDelegateMetrics {
                stale.list(context, laidOut ?? [])
            } else if context.invalidatesFlowLayoutAttributes {
                stale.places = true
            }
        } else if !context.invalidatesDataSourceCounts {
            if context.invalidatesFlowLayoutDelegateMetrics { stale.metrics = true }
            if context.invalidatesFlowLayoutAttributes { stale.places = true }
        }
    }

    override func setProperty() {
        let count = world.contexts.count
        let wasPrepared = isPrepared
        var (changes, isQuiet) = (true, false)
        func set<Value: Equatable>(
            _ property: ReferenceWritableKeyPath<FlowLayout, Value>,
            _ value: Value
        ) {
            changes = flow[keyPath: property] != value
            flow[keyPath: property] = value
        }
        switch draw.below(11) {
        case 0: set(\.scrollDirection, draw.one(of: ScrollDirection.allCases))
        case 1: set(\.minimumLineSpacing, draw.quarters(2))
        case 2: set(\.minimumInteritemSpacing, draw.quarters(12))
        case 3:
            set(\.itemSize, draw.size(60, 60))
            hasOwnItemSize = true
        case 4:
            set(\.estimatedItemSize, draw.chance(0.5) ? .zero : estimate())
            if changes, !wasPrepared { stale.everything = true }
        case 5: set(\.headerReferenceSize, draw.size(9, 9))
        case 6: set(\.footerReferenceSize, draw.chance(0.5) ? .zero : draw.size(9, 9))
        case 7:
            var inset = draw.insets(9)
            if draw.chance(0.3) { inset.bottom = -inset.bottom }
            set(\.sectionInset, inset)
        case 8: set(\.sectionInsetReference, draw.one(of: SectionInsetReference.allCases))
        case 9:
            set(\.sectionHeadersPinToVisibleBounds, draw.chance(0.5))
            isQuiet = true
        default:
            set(\.sectionFootersPinToVisibleBounds, draw.chance(0.5))
            isQuiet = true
        }
        let notifications = changes && wasPrepared ? 1 : 0
        if world.contexts.count != count + notifications {
            errors.insert("expected \(notifications) contexts")
        }
        if changes, wasPrepared {
            applyOwnContext()
        } else if changes, !isQuiet {
            stale.metrics = true
        }
    }

    override func changeView() {
        switch draw.below(5) {
        case 0: world.isRightToLeft.toggle()
        case 1: world.displayScale = draw.one(of: [1, 2, 3, 4])
        case 2: world.safeAreaInsets = draw.insets(15)
        case 3: world.layoutMargins = draw.insets(15)
        default: super.changeView()
        }
    }

    // MARK: Preparing

    override func willApply(_ update: WorldUpdate) {
        guard let state, precedes(update) else { return }
        currentUpdate = (update, { [unowned self] in picture(of: state) })
    }

    override func prepared(_ update: WorldUpdate?) {
        guard let view = view() else {
            (state, laidOut) = (nil, nil)
            return
        }
        prepare(update, view)
        laidOut = state?.sections
        isPrepared = true
    }

    private func prepare(_ update: WorldUpdate?, _ view: View) {
        let stale = stale
        self.stale = StaleModel()
        guard !stale.everything, var next = state else { return rebuild(view, keeping: nil, stale) }
        if stale.counts {
            guard let update, precedes(update) else { return rebuild(view, keeping: nil, stale) }
            apply(update, to: &next, view)
        }
        if stale.metrics { return rebuild(view, keeping: next, stale) }
        if stale.places || next.view != view {
            next.view = view
            for (index, section) in next.sections.enumerated() {
                check(section, index, next, isCertain: true)
            }
        }
        for (index, section) in world.sections.enumerated() {
            let items = Set(section.items.map(\.id)).intersection(stale.items)
            if !items.isEmpty || !stale.kinds(of: section.id).isEmpty {
                layOut(index, items, &next)
            }
        }
        state = next
    }

    private func rebuild(_ view: View, keeping former: State?, _ stale: StaleModel) {
        (errors, possibleErrors) = (stale.hasForeignContext ? ["invalidationContext"] : [], [])
        var next = State(view: view, sections: world.sections.map { LaidSection($0) })
        next.sizes = former?.sizes ?? [:]
        for (index, section) in world.sections.enumerated() {
            layOut(index, Set(section.items.map(\.id)), &next, isWhole: true)
        }
        state = next
    }

    private func apply(_ update: WorldUpdate, to next: inout State, _ view: View) {
        let known = Set(next.sections.map(\.id))
        let old = next.view
        next.view = view
        next.sections = update.sections.map { LaidSection($0) }
        for (index, section) in update.sections.enumerated() {
            let items = Set(section.items.map(\.id))
            if !known.contains(section.id) {
                layOut(index, items, &next, isWhole: true)
            } else if update.touchedSections.contains(section.id) {
                layOut(index, items.intersection(update.touchedItems), &next)
            }
        }
        next.view = old
    }

    /// Queries a section and some of its items.
    private func layOut(_ index: Int, _ items: Set<Int>, _ next: inout State, isWhole: Bool = false)
    {
        let section = world.sections[index]
        expectQuery(.metrics(index))
        let own = world.ownMetrics(of: section)
        for (item, value) in section.items.enumerated() where items.contains(value.id) {
            let path = ItemPath(section: index, item: item)
            next.sizes[value.id] = size(of: value, path, own, next)
        }
        var rules = Rules()
        let insets = own.insets ?? flow.sectionInset
        rules.insets = EdgeInsets(
            top: distance(insets.top, index, isInset: true),
            left: distance(insets.left, index, isInset: true),
            bottom: distance(insets.bottom, index, isInset: true),
            right: distance(insets.right, index, isInset: true)
        )
        rules.interitem = distance(own.interitemSpacing ?? flow.minimumInteritemSpacing, index)
        rules.line = distance(own.lineSpacing ?? flow.minimumLineSpacing, index)
        rules.header = extent(
            own.headerExtent,
            flow.headerReferenceSize,
            section.measuredHeader,
            .header(index)
        )
        rules.footer = extent(
            own.footerExtent,
            flow.footerReferenceSize,
            section.measuredFooter,
            .footer(index)
        )
        next.rules[section.id] = rules
        let changed = LaidSection(section).items.filter(items.contains)
        let room = available(rules, next.view)
        let isCertain = changed.contains {
            next.sizes[$0]?.size.across(next.view.direction) ?? 0 > room
        }
        check(LaidSection(section), index, next, isCertain: isWhole || isCertain)
    }

    private func size(of item: WorldItem, _ path: ItemPath, _ own: SectionMetrics, _ next: State)
        -> KnownSize
    {
        expectQuery(.size(path))
        let estimate = effectiveEstimate
        var size: Size
        if world.hasMetrics, let provided = item.provided {
            size = provided
        } else {
            let fixed = own.itemSize ?? (estimate == nil && hasOwnItemSize ? flow.itemSize : nil)
            if fixed == nil, estimate != nil, let known = next.sizes[item.id], known.isPreferred,
                known.size.across(next.view.direction) < next.view.dimension
            {
                return known
            }
            size = fixed ?? item.measured ?? estimate ?? flow.itemSize
        }
        if !size.isValid {
            report(.itemSize, .cell(path))
            size = .zero
        }
        return KnownSize(size: size)
    }

    private func distance(_ value: Double, _ section: Int, isInset: Bool = false) -> Double {
        if value.isFinite, isInset || value >= 0 { return value }
        report(.spacing, section: section)
        return 0
    }

    private func extent(_ provided: Double?, _ own: Size, _ measured: Size?, _ place: LayoutPlace)
        -> Double
    {
        let extent =
            provided ?? ((own == .zero ? measured : nil) ?? own).along(flow.scrollDirection)
        if extent >= 0, extent.isFinite { return extent }
        report(.supplementarySize, place)
        return 0
    }

    private func available(_ rules: Rules, _ view: View) -> Double {
        view.dimension - rules.insets.across(view.direction)
            - (view.across.leading + view.across.trailing)
    }

    private func check(_ section: LaidSection, _ index: Int, _ next: State, isCertain: Bool) {
        guard let rules = next.rules[section.id] else { return }
        let room = available(rules, next.view)
        let isOversize = section.items.contains {
            next.sizes[$0]?.size.across(next.view.direction) ?? 0 > room
        }
        if isOversize { reportOversize(section: index, isCertain: isCertain) }
    }

    // MARK: Placing

    override var picture: Picture { state.map { picture(of: $0) } ?? Picture() }

    private func picture(of state: State) -> Picture {
        var picture = Picture()
        let view = state.view
        var frames: [LayoutPlace: AxisRect] = [:]
        var sections: [AxisRect] = []
        var start = view.along.leading
        for (index, section) in state.sections.enumerated() {
            let rules = state.rules[section.id] ?? Rules()
            let sizes = section.items.map { state.sizes[$0]?.size ?? .zero }
            let lines = Self.lines(
                sizes.map { ($0.along(view.direction), $0.across(view.direction)) },
                LineRoom(
                    dimension: view.dimension,
                    leading: rules.insets.acrossLeading(view.direction) + view.across.leading,
                    available: available(rules, view),
                    interitem: rules.interitem,
                    line: rules.line
                )
            )
            let top = rules.header + rules.insets.leading(view.direction)
            for (item, var box) in lines.boxes.enumerated() {
                box.along += start + top
                frames[.cell(ItemPath(section: index, item: item))] = box
            }
            let extent = max(
                0,
                top + lines.extent + rules.insets.trailing(view.direction) + rules.footer
            )
            sections.append(full(start, extent, view))
            let (header, footer) = pinnedPositions(rules, start, start + extent, state)
            if rules.header > 0 { frames[.header(index)] = full(header, rules.header, view) }
            if rules.footer > 0 { frames[.footer(index)] = full(footer, rules.footer, view) }
            start += extent
        }
        let extent = start + view.along.trailing
        picture.contentSize = Size(along: extent, across: view.dimension, view.direction)
        picture.sections = sections.map { rect($0, view, extent) }
        for (place, box) in frames {
            var attributes = LayoutAttributes(place, frame: rect(box, view, extent))
            if place.category != .cell { attributes.zIndex = 10 }
            picture.attributes[place] = attributes
            if isPinned(place.category) { picture.pinned.insert(place) }
        }
        return picture
    }

    private func isPinned(_ category: ElementCategory) -> Bool {
        category == .supplementary(.header) && flow.sectionHeadersPinToVisibleBounds
            || category == .supplementary(.footer) && flow.sectionFootersPinToVisibleBounds
    }

    /// Returns the positions of the header and footer of a section.
    private func pinnedPositions(_ rules: Rules, _ start: Double, _ end: Double, _ state: State)
        -> (header: Double, footer: Double)
    {
        let (natural, direction) = (end - rules.footer, state.view.direction)
        let visible = world.bounds.inset(by: world.adjustedContentInset)
        var low = visible.origin.along(direction)
        var high = low + visible.size.along(direction)
        if !state.view.isVertical, state.view.isRightToLeft {
            let extent = contentExtent(of: state)
            (low, high) = (extent - high, extent - low)
        }
        var (header, footer) = (start, natural)
        if flow.sectionHeadersPinToVisibleBounds {
            header = max(header, low)
            if header + rules.header + rules.footer > end {
                header = end - rules.footer - rules.header
            }
        }
        if flow.sectionFootersPinToVisibleBounds {
            footer = min(footer, high - rules.footer)
            if footer - rules.header < start { footer = start + rules.header }
        }
        return (header, footer)
    }

    private func contentExtent(of state: State) -> Double {
        var extent = state.view.along.leading + state.view.along.trailing
        for section in state.sections {
            let rules = state.rules[section.id] ?? Rules()
            let sizes = section.items.map { state.sizes[$0]?.size ?? .zero }
            let room = LineRoom(
                dimension: state.view.dimension,
                leading: 0,
                available: available(rules, state.view),
                interitem: rules.interitem,
                line: rules.line
            )
            let direction = state.view.direction
            let lines = Self.lines(
                sizes.map { ($0.along(direction), $0.across(direction)) },
                room
            )
            let insets = rules.insets.leading(direction) + rules.insets.trailing(direction)
            extent += max(0, rules.header + insets + lines.extent + rules.footer)
        }
        return extent
    }

    private func full(_ along: Double, _ extent: Double, _ view: View) -> AxisRect {
        AxisRect(along: along, across: 0, alongExtent: extent, acrossExtent: view.dimension)
    }

    private func rect(_ box: AxisRect, _ view: View, _ contentExtent: Double) -> Rect {
        var rect = box.rect(view.direction)
        if view.isRightToLeft {
            let width = view.isVertical ? view.dimension : contentExtent
            rect.origin.x = width - rect.minX - rect.size.width
        }
        rect.origin.x = (rect.minX * view.scale).rounded() / view.scale
        rect.origin.y = (rect.minY * view.scale).rounded() / view.scale
        return rect
    }

    // MARK: Lines

    /// The input for breaking a section into lines.
    struct LineRoom {
        var dimension: Double
        /// The start of the lines, across.
        var leading: Double
        var available: Double
        var interitem: Double
        var line: Double
    }

    /// Returns the frames of items on lines, relative to the first line, and the extent of the
    /// lines.
    static func lines(_ sizes: [(along: Double, across: Double)], _ room: LineRoom)
        -> (boxes: [AxisRect], extent: Double)
    {
        guard let first = sizes.first else { return ([], 0) }
        let isUniform = sizes.allSatisfy { $0 == first }
        return isUniform ? grid(first, sizes.count, room) : broken(sizes, room)
    }

    /// Equal items: as many per line as fit, all on one grid.
    private static func grid(
        _ size: (along: Double, across: Double),
        _ count: Int,
        _ room: LineRoom
    )
        -> (boxes: [AxisRect], extent: Double)
    {
        var (perLine, gap) = (count, room.interitem)
        // If neither items nor spaces have an extent, any number fits.
        if size.across + room.interitem > 0 {
            let fitting = ((room.available + room.interitem) / (size.across + room.interitem))
                .rounded(.down)
            perLine = max(1, Int(min(fitting, Double(count))))
            if fitting > 1 { gap = (room.available - size.across * fitting) / (fitting - 1) }
        }
        let start = perLine == 1 ? room.leading + (room.available - size.across) / 2 : room.leading
        let boxes = (0..<count).map { item in
            AxisRect(
                along: (size.along + room.line) * Double(item / perLine),
                across: start + (size.across + gap) * Double(item % perLine),
                alongExtent: size.along,
                acrossExtent: size.across
            )
        }
        let lineCount = Double((count + perLine - 1) / perLine)
        return (boxes, size.along * lineCount + room.line * (lineCount - 1))
    }

    /// Different items, broken into lines one by one; all lines except the last are justified.
    private static func broken(_ sizes: [(along: Double, across: Double)], _ room: LineRoom)
        -> (boxes: [AxisRect], extent: Double)
    {
        var lines: [[(along: Double, across: Double)]] = []
        var remaining = 0.0
        for size in sizes {
            if lines.isEmpty || size.across > remaining {
                lines.append([])
                remaining = room.available
            }
            lines[lines.count - 1].append(size)
            remaining -= size.across + room.interitem
        }
        var (boxes, along) = ([AxisRect](), 0.0)
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1 && lines.count < sizes.count
            let fill = line.reduce(0) { $0 + $1.across }
            let extent = line.map(\.along).max() ?? 0
            var (across, gap) = (room.leading, room.interitem)
            if !isLast, line.count == 1 { across = (room.dimension - fill) / 2 }
            if !isLast, line.count > 1 { gap = (room.available - fill) / Double(line.count - 1) }
            for size in line {
                boxes.append(
                    AxisRect(
                        along: along + (extent - size.along) / 2,
                        across: across,
                        alongExtent: size.along,
                        acrossExtent: size.across
                    )
                )
                across += size.across + gap
            }
            along += extent + room.line
        }
        return (boxes, along - room.line)
    }

    // MARK: Bounds and preferred sizes

    override func boundsChange(to new: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        let (old, direction) = (world.bounds, flow.scrollDirection)
        let movesLines =
            state == nil || old.size.across(direction) != new.size.across(direction)
            || old.origin.across(direction) != new.origin.across(direction)
        let before = picture
        world.bounds = new
        let after = picture
        world.bounds = old
        let ways = [old, new, old.skipped(to: new, direction)].compactMap(\.self)
        let listed = before.pinned.filter { place in
            let section = before.sections[place.path.section]
            guard let was = before.attributes[place], let becomes = after.attributes[place],
                ways.contains(where: section.intersects)
            else { return false }
            return was.frame.intersects(old) || becomes.frame.intersects(new) || was != becomes
        }
        return (movesLines || !listed.isEmpty, listed, listed)
    }

    override func preferred(_ size: Size, by original: LayoutAttributes) -> PreferenceModel {
        let place = original.place
        guard place.category == .cell, effectiveEstimate != nil, size != original.size,
            let state
        else { return PreferenceModel() }
        guard size.isValid, size != .zero else {
            report(.preferredSize, place)
            return PreferenceModel()
        }
        let (index, before) = (place.path.section, picture)
        let section = state.sections[index]
        self.state?.sizes[section.items[place.path.item]] = KnownSize(size: size, isPreferred: true)
        preferences.append(size)
        let room = available(state.rules[section.id] ?? Rules(), state.view)
        if let now = self.state {
            check(section, index, now, isCertain: size.across(state.view.direction) > room)
        }
        let around = [LayoutPlace.header(index), .footer(index)]
        var model = PreferenceModel()
        model.places = Set([place] + around.filter { before.attributes[$0] != nil })
        model.oldFrame = before.attributes[place]?.frame ?? .zero
        model.visibleRect = world.bounds.inset(by: world.adjustedContentInset)
        model.direction = state.view.direction
        model.isReversed = !state.view.isVertical && state.view.isRightToLeft
        return model
    }
}
