@testable import CollectionLayouts

/// Sections with different layouts, one after the other, with headers and footers that may stick.
final class ComposedModel: LayoutModel {
    private let composed: ComposedLayout
    private var state: State
    private var sticky: StickyHeaders?
    /// The insets that the sections used, by reference.
    private var usedInsets: [SectionInsetReference: EdgeInsets] = [:]
    private var settledContext: LayoutInvalidationContext?

    private var direction: ScrollDirection { composed.scrollDirection }

    private struct State {
        var room = 0.0
        var sections: [LaidSection] = []
        var rules: [Int: SectionRules] = [:]
        var frames: [Int: Values] = [:]
        var sizes: [Int: Size] = [:]
        var preferences: [Int: Size] = [:]
        var headerPreferences: [Int: Size] = [:]
        var footerPreferences: [Int: Size] = [:]
    }

    /// The values of a section, in section coordinates.
    private struct Values {
        var insets = EdgeInsets.zero
        var line = 0.0
        var interitem = 0.0
        var header = 0.0
        var footer = 0.0
    }

    init(_ world: World) {
        let draw = world.draw
        composed = ComposedLayout(scrollDirection: draw.chance(0.4) ? .horizontal : .vertical)
        state = State()
        super.init(world, composed)
        let fallback = SectionRules(itemSize: draw.size(60, 60), background: draw.insets(5))
        composed.defaultLayout = fallback.layout
        composed.layoutProvider = { [unowned world] section, _ in
            world.sections[section].rules?.layout
        }
        self.fallback = fallback
        if draw.chance(0.6) { setProperty() }
    }

    private var fallback = SectionRules()

    private func insets(of reference: SectionInsetReference) -> EdgeInsets {
        switch reference {
        case .fromContentInset: .zero
        case .fromSafeArea: world.safeAreaInsets
        case .fromLayoutMargins: world.layoutMargins
        }
    }

    private var room: Double {
        let room =
            world.bounds.size.across(direction) - world.adjustedContentInset.across(direction)
        return world.bounds.isEmpty ? 0 : max(0, room)
    }

    // MARK: Invalidating

    override func invalidated(_ context: LayoutInvalidationContext) {
        if context === settledContext {
            settledContext = nil
        } else if context.invalidatesEverything {
            stale.everything = true
        } else if context.invalidatesDataSourceCounts {
            stale.counts = true
        } else if let own = context as? ComposedInvalidationContext, !own.sections.isEmpty {
            stale.sections.formUnion(own.sections.map { state.sections[$0].id })
        } else if context.isPartial {
            stale.list(context, state.sections)
        } else {
            stale.metrics = true
        }
    }

    override func settle(_ context: LayoutInvalidationContext) { settledContext = context }

    override func setProperty() {
        if !state.sections.isEmpty, draw.chance(0.6) { return invalidateSections() }
        let sticky = StickyHeaders(pinsHeaders: draw.chance(0.7), pinsFooters: draw.chance(0.5))
        self.sticky = draw.chance(0.7) ? sticky : nil
        composed.features = self.sticky.map { [$0] } ?? []
    }

    private func invalidateSections() {
        let chosen = draw.subset(of: Array(state.sections.indices), 0.4)
        let count = world.contexts.count
        let first = chosen.min() ?? 0
        let shown = picture.attributes.values.filter { $0.frame.intersects(world.bounds) }
        composed.invalidateSections(chosen)
        if chosen.isEmpty != (world.contexts.count == count) { errors.insert("section contexts") }
        guard !chosen.isEmpty, let context = world.contexts.last else { return }
        let listed = Set(shown.map(\.place).filter { $0.path.section >= first })
        if context.places != listed.union([.header(first)]) { errors.insert("listed for sections") }
        invalidate(context)
    }

    override func changeView() {
        switch draw.below(3) {
        case 0: world.safeAreaInsets = draw.insets(15)
        case 1: world.layoutMargins = draw.insets(15)
        default: super.changeView()
        }
    }

    // MARK: Preparing

    override func willApply(_ update: WorldUpdate) {
        let state = state
        guard precedes(update) else { return }
        currentUpdate = (update, { [unowned self] in picture(of: state) })
    }

    override func prepared(_ update: WorldUpdate?) {
        prepare(update)
        laidOut = state.sections
    }

    private func prepare(_ update: WorldUpdate?) {
        if let update {
            if precedes(update), !stale.everything, state.room > 0, room > 0 {
                apply(update)
            } else {
                stale.counts = true
            }
        }
        let stale = stale
        self.stale = StaleModel()
        let former = state
        state.room = room
        let isOther = room != former.room || usedInsets.contains { insets(of: $0.key) != $0.value }
        let keepsPreferences = !stale.everything && !stale.counts
        if !keepsPreferences || stale.metrics || isOther {
            return rebuild(former, keepsPreferences)
        }
        guard room > 0 else { return }
        for (index, section) in state.sections.enumerated() {
            let items = Set(section.items).intersection(stale.items)
            if stale.sections.contains(section.id) {
                layOut(index, Set(section.items), isWhole: true)
            } else if !items.isEmpty || !stale.kinds(of: section.id).isEmpty
                || stale.decorations.contains(section.id)
            {
                layOut(index, items)
            }
        }
    }

    private func rebuild(_ former: State, _ keepsPreferences: Bool) {
        (errors, possibleErrors, usedInsets) = ([], [], [:])
        guard room > 0 else {
            if !keepsPreferences { state = State() }
            return
        }
        state = State(room: room, sections: world.sections.map { LaidSection($0) })
        if keepsPreferences {
            (state.headerPreferences, state.footerPreferences) = (
                former.headerPreferences, former.footerPreferences
            )
            // Sizes that do not fit may have been measured with another room.
            state.preferences = former.preferences.filter {
                room == former.room || $0.value.across(direction) < room
            }
        }
        for (index, section) in state.sections.enumerated() {
            layOut(index, Set(section.items), isWhole: true)
        }
    }

    private func apply(_ update: WorldUpdate) {
        let known = Set(state.sections.map(\.id))
        state.sections = update.sections.map { LaidSection($0) }
        for (id, kinds) in update.reloadedKinds {
            if kinds[.header] != nil { state.headerPreferences[id] = nil }
            if kinds[.footer] != nil { state.footerPreferences[id] = nil }
        }
        for (index, section) in state.sections.enumerated() {
            let items = Set(section.items)
            let isStale =
                stale.sections.contains(section.id) || stale.decorations.contains(section.id)
                || !stale.kinds(of: section.id).isEmpty || hasStaleItems(section, before: update)
            if !known.contains(section.id) || isStale {
                layOut(index, items, isWhole: true)
            } else if update.touchedSections.contains(section.id) {
                layOut(index, items.intersection(update.touchedItems))
            }
        }
        stale.counts = false
        stale.sections = []
        stale.items = []
        stale.supplements = [:]
        stale.decorations = []
    }

    /// Whether items of a section were listed, regardless of where they are now.
    private func hasStaleItems(_ section: LaidSection, before update: WorldUpdate) -> Bool {
        let old = laidOut?.first { $0.id == section.id }
        return !Set(old?.items ?? []).isDisjoint(with: stale.items)
    }

    /// Queries a section and some of its items.
    private func layOut(_ index: Int, _ items: Set<Int>, isWhole: Bool = false) {
        let section = world.sections[index]
        if state.rules[section.id] == nil {
            let own = (section.context as? WorldContext)?.rules
            state.rules[section.id] = own ?? section.rules ?? fallback
        }
        let rules = state.rules[section.id] ?? fallback
        expectQuery(.metrics(index))
        let own = world.ownMetrics(of: section)
        var values = Values()
        let insets = own.insets ?? rules.insets
        values.insets = EdgeInsets(
            top: usable(insets.top, index),
            left: usable(insets.left, index),
            bottom: usable(insets.bottom, index),
            right: usable(insets.right, index)
        )
        addReference(rules.reference, to: &values)
        values.line = usable(own.lineSpacing ?? rules.line, index)
        values.interitem = usable(own.interitemSpacing ?? rules.interitem, index)
        let header = state.headerPreferences[section.id]?.along(direction) ?? own.headerExtent
        values.header = usable(
            header ?? section.measuredHeader?.along(direction) ?? rules.header,
            .header(index)
        )
        let footer = state.footerPreferences[section.id]?.along(direction) ?? own.footerExtent
        values.footer = usable(
            footer ?? section.measuredFooter?.along(direction) ?? rules.footer,
            .footer(index)
        )
        state.frames[section.id] = values
        for (item, value) in section.items.enumerated() where items.contains(value.id) {
            let path = ItemPath(section: index, item: item)
            state.sizes[value.id] = size(of: value, path, own, rules)
        }
        if rules.columnCount == nil { checkLines(index, items, values, isWhole) }
    }

    private func size(
        of item: WorldItem,
        _ path: ItemPath,
        _ own: SectionMetrics,
        _ rules: SectionRules
    ) -> Size {
        if let preference = state.preferences[item.id] { return preference }
        expectQuery(.size(path))
        let provided = world.hasMetrics ? item.provided : nil
        // Columns have only an extent for items without a size.
        let extent = rules.itemSize.height
        let fallback =
            rules.columnCount == nil ? rules.itemSize : Size(width: extent, height: extent)
        guard let size = provided ?? own.itemSize ?? item.measured else { return fallback }
        return Size(
            width: usable(size.width, .cell(path)),
            height: usable(size.height, .cell(path))
        )
    }

    private func addReference(_ reference: SectionInsetReference, to values: inout Values) {
        var added = insets(of: reference)
        if usedInsets[reference] == nil { usedInsets[reference] = added }
        if world.isRightToLeft { swap(&added.left, &added.right) }
        if direction == .vertical {
            values.insets.left += added.left
            values.insets.right += added.right
        } else {
            values.insets.top += added.top
            values.insets.bottom += added.bottom
        }
    }

    private func checkLines(_ index: Int, _ items: Set<Int>, _ values: Values, _ isWhole: Bool) {
        let available = state.room - values.insets.across(direction)
        let oversize = state.sections[index].items.filter {
            state.sizes[$0]?.across(direction) ?? 0 > available
        }
        guard !oversize.isEmpty else { return }
        let isCertain = isWhole || oversize.contains(where: items.contains)
        reportOversize(section: index, isCertain: isCertain)
    }

    private func usable(_ value: Double, _ place: LayoutPlace) -> Double {
        if value >= 0, value <= ComposedLayout.largestExtent { return value }
        report(place.category == .cell ? .itemSize : .supplementarySize, place)
        return 0
    }

    private func usable(_ value: Double, _ section: Int) -> Double {
        if value >= 0, value <= ComposedLayout.largestExtent { return value }
        report(.spacing, section: section)
        return 0
    }

    // MARK: Placing

    override var picture: Picture { picture(of: state) }

    private func picture(of state: State) -> Picture {
        var picture = Picture()
        guard state.room > 0 else { return picture }
        var boxes: [(place: LayoutPlace, box: AxisRect, zIndex: Int)] = []
        var sections: [AxisRect] = []
        var start = 0.0
        func full(_ along: Double, _ extent: Double) -> AxisRect {
            AxisRect(along: along, across: 0, alongExtent: extent, acrossExtent: state.room)
        }
        for (index, section) in state.sections.enumerated() {
            let values = state.frames[section.id] ?? Values()
            let rules = state.rules[section.id] ?? fallback
            let sizes = section.items.map { state.sizes[$0] ?? .zero }
            let placed = Self.items(sizes, values, rules, state.room, direction)
            let top = values.header + values.insets.leading(direction)
            for (item, var box) in placed.boxes.enumerated() {
                box.along += start + top
                boxes.append((.cell(ItemPath(section: index, item: item)), box, 0))
            }
            let extent = top + placed.extent + values.insets.trailing(direction) + values.footer
            if values.header > 0 { boxes.append((.header(index), full(start, values.header), 10)) }
            if values.footer > 0 {
                let footer = full(start + extent - values.footer, values.footer)
                boxes.append((.footer(index), footer, 10))
            }
            let box = full(start, extent)
            if let insets = rules.background {
                let frame = box.rect(direction).inset(by: insets)
                if !frame.isEmpty {
                    boxes.append((.background(index), AxisRect(frame, direction), -1))
                }
            }
            sections.append(box)
            start += extent
        }
        picture.contentSize = Size(along: start, across: state.room, direction)
        let width = picture.contentSize.width
        for (place, box, zIndex) in boxes {
            let frame = aligned(mirrored(box, width))
            var attributes = LayoutAttributes(place, frame: frame)
            attributes.zIndex = zIndex
            let section = mirrored(sections[place.path.section], width)
            let values = state.frames[state.sections[place.path.section].id] ?? Values()
            stick(&attributes, section, values)
            picture.attributes[place] = attributes
        }
        picture.sections = sections.map { aligned(mirrored($0, width)) }
        return picture
    }

    private static func items(
        _ sizes: [Size],
        _ values: Values,
        _ rules: SectionRules,
        _ room: Double,
        _ direction: ScrollDirection
    ) -> (boxes: [AxisRect], extent: Double) {
        let leading = values.insets.acrossLeading(direction)
        let available = room - values.insets.across(direction)
        guard let count = rules.columnCount else {
            let lines = FlowModel.LineRoom(
                dimension: room,
                leading: leading,
                available: available,
                interitem: values.interitem,
                line: values.line
            )
            return FlowModel.lines(
                sizes.map { ($0.along(direction), $0.across(direction)) },
                lines
            )
        }
        let width = max(0, available - values.interitem * Double(count - 1)) / Double(count)
        var ends = Array(repeating: 0.0, count: count)
        var (boxes, extent) = ([AxisRect](), 0.0)
        for size in sizes {
            let shortest = ends.min() ?? 0
            let column = ends.firstIndex(of: shortest) ?? 0
            let box = AxisRect(
                along: shortest,
                across: leading + Double(column) * (width + values.interitem),
                alongExtent: size.along(direction),
                acrossExtent: width
            )
            boxes.append(box)
            extent = max(extent, box.alongEnd)
            ends[column] = box.alongEnd + values.line
        }
        return (boxes, extent)
    }

    private func mirrored(_ box: AxisRect, _ width: Double) -> Rect {
        var rect = box.rect(direction)
        if world.isRightToLeft { rect.origin.x = width - rect.maxX }
        return rect
    }

    private func aligned(_ rect: Rect) -> Rect {
        var rect = rect
        rect.origin.x = (rect.minX * world.displayScale).rounded() / world.displayScale
        rect.origin.y = (rect.minY * world.displayScale).rounded() / world.displayScale
        return rect
    }

    private func isStuck(_ category: ElementCategory) -> Bool {
        category == .supplementary(.header) && sticky?.pinsHeaders == true
            || category == .supplementary(.footer) && sticky?.pinsFooters == true
    }

    /// Keeps a header or footer in the visible part of its section.
    private func stick(_ attributes: inout LayoutAttributes, _ section: Rect, _ values: Values) {
        guard isStuck(attributes.place.category) else { return }
        let visible = world.bounds.inset(by: world.adjustedContentInset)
        // Positions ascend from the first section to the last.
        let flips = direction == .horizontal && world.isRightToLeft
        func low(_ rect: Rect) -> Double {
            let box = AxisRect(rect, direction)
            return flips ? -box.alongEnd : box.along
        }
        func high(_ rect: Rect) -> Double { low(rect) + rect.size.along(direction) }
        var frame = attributes.frame
        var position = low(frame)
        if attributes.place.category == .supplementary(.header) {
            position = max(position, low(visible))
            if position + values.header + values.footer > high(section) {
                position = high(section) - values.footer - values.header
            }
        } else {
            position = min(position, high(visible) - values.footer)
            if position - values.header < low(section) { position = low(section) + values.header }
        }
        if flips { position = -(position + frame.size.along(direction)) }
        var box = AxisRect(frame, direction)
        box.along = (position * world.displayScale).rounded() / world.displayScale
        frame = box.rect(direction)
        attributes.frame = frame
    }

    // MARK: Bounds and preferred sizes

    override func boundsChange(to new: Rect) -> (
        needs: Bool, least: Set<LayoutPlace>, most: Set<LayoutPlace>
    ) {
        let old = world.bounds
        let before = picture
        world.bounds = new
        let (after, newRoom) = (picture, room)
        world.bounds = old
        guard newRoom == state.room else { return (true, [], []) }
        let moved = before.attributes.filter {
            isStuck($0.key.category) && after.attributes[$0.key] != $0.value
        }
        let ways = [old, new, old.skipped(to: new, direction)].compactMap(\.self)
        // Neighbours of elements in the bounds may be visited too.
        let near = moved.keys.filter { place in
            ways.contains { $0.intersects(before.sections[place.path.section]) }
        }
        return (!near.isEmpty, Set(near), Set(moved.keys))
    }

    override func preferred(_ size: Size, by original: LayoutAttributes) -> PreferenceModel {
        let place = original.place
        guard state.room > 0, let frame = unaligned(place), size != frame.size else {
            return PreferenceModel()
        }
        if case .decoration = place.category { return PreferenceModel() }
        guard size.isValid, size.width + size.height > 0 else {
            report(.preferredSize, place)
            return PreferenceModel()
        }
        let (index, section) = (place.path.section, state.sections[place.path.section])
        func differs(_ other: Size) -> Bool {
            max(abs(size.width - other.width), abs(size.height - other.height))
                >= 0.5 / world.displayScale
        }
        var former: Size?
        switch place.category {
        case .cell: former = state.preferences[section.items[place.path.item]]
        case .supplementary(.header): former = state.headerPreferences[section.id]
        default: former = state.footerPreferences[section.id]
        }
        guard differs(frame.size), former.map(differs) ?? true else { return PreferenceModel() }
        let shown = picture.attributes.values.filter { $0.frame.intersects(world.bounds) }
        var items: Set<Int> = []
        switch place.category {
        case .cell:
            items = [section.items[place.path.item]]
            state.preferences[section.items[place.path.item]] = size
        case .supplementary(.header): state.headerPreferences[section.id] = size
        default: state.footerPreferences[section.id] = size
        }
        var model = PreferenceModel()
        model.places = Set(shown.map(\.place).filter { $0.path.section >= index })
        model.places?.insert(place)
        (model.oldFrame, model.visibleRect) = (frame, world.bounds)
        model.direction = direction
        model.isReversed = direction == .horizontal && world.isRightToLeft
        layOut(index, items)
        return model
    }

    /// Returns the frame of an element without sticking and pixel alignment.
    private func unaligned(_ place: LayoutPlace) -> Rect? {
        let (stuck, scale) = (sticky, world.displayScale)
        (sticky, world.displayScale) = (nil, 0x1p20)
        defer { (sticky, world.displayScale) = (stuck, scale) }
        return picture.attributes[place]?.frame
    }
}

extension LayoutInvalidationContext {
    /// All listed places.
    var places: Set<LayoutPlace> {
        var places = Set(invalidatedItemIndexPaths.map(LayoutPlace.cell))
        for (kind, paths) in invalidatedSupplementaryIndexPaths {
            places.formUnion(paths.map { LayoutPlace(.supplementary(kind), $0) })
        }
        for (kind, paths) in invalidatedDecorationIndexPaths {
            places.formUnion(paths.map { LayoutPlace(.decoration(kind), $0) })
        }
        return places
    }
}
