import PipelineTestSupport
import SimulatedView

private final class CardCell: TextCell {}
private final class TileCell: TextCell {}

/// Performs anything that a program and its user can do to a view of a data source, one step after
/// another, compared with a model of the visible, prepared and selected items. Rows have three
/// reuse identifiers, and headers are cells.
final class ViewWalk {
    let bench: Bench<CollectionLayout>
    private var random: SeededGenerator
    private var sheet = Sheet([3, 12, 0, 4, 12])
    private var touches: TouchModel
    private(set) var story: [String] = []
    private var faults: [String] = []
    /// The number of times that each cell was dequeued for another item.
    private var uses: [ObjectIdentifier: Int] = [:]
    /// The number of cells that had their attributes when they were dequeued.
    private var placedCount = 0
    private var reconfiguring: Set<String> = []
    /// The views that each unfinished update removes.
    private var leaving: [Set<ObjectIdentifier>] = []
    private var (completed, numberOfUpdates): ([Int], Int) = ([], 0)

    private static let identifiers = ["row", "card", "tile"]

    private static func identifier(_ text: String) -> String {
        identifiers[(Int(Sheet.name(text)) ?? 0) % 3]
    }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        touches = TouchModel(sheet)
        let size = Size(width: 100, height: 120)
        bench = try Bench([], Self.makeList(), size: size)
        let (view, source) = (bench.view, bench.source)
        try view.register(CardCell.self, forCellWithReuseIdentifier: "card")
        try view.register(TileCell.self, forCellWithReuseIdentifier: "tile")
        try view.register(
            TextCell.self,
            forSupplementaryViewOfKind: .header,
            withReuseIdentifier: "header"
        )
        source.preferredHeights = { text in
            Double(text.utf8.reduce(7) { $0 &* 31 &+ Int($1) } % 60) + 5
        }
        source.madeCell = { [unowned self] view, path in try makeCell(view, path) }
        source.sections = sheet.texts
        bench.load()
    }

    private static func makeList() -> ListLayout {
        let layout = ListLayout()
        (layout.rowHeight, layout.sectionHeaderHeight) = (15, 7)
        return layout
    }

    private func makeCell(_ view: SimulatedCollectionView, _ path: ItemPath) throws
        -> CollectionViewCell
    {
        let text = bench.source.sections[path.section][path.item]
        let identifier = Self.identifier(text)
        let cell = try view.dequeueReusableCell(withReuseIdentifier: identifier, for: path)
        guard let cell = cell as? TextCell else { return cell }
        if !cell.text.isEmpty {
            // A cell is reconfigured in place for the row that it already shows.
            if Sheet.name(cell.text) != Sheet.name(text) { faults.append("\(text) in place") }
        } else {
            let count = uses[ObjectIdentifier(cell)]
            if cell.numberOfReuses != count.map({ $0 + 1 }) ?? 0 {
                faults.append("unexpected reuse count for \(text)")
            }
            uses[ObjectIdentifier(cell)] = cell.numberOfReuses
            let isSelected = touches.selected.contains(Sheet.name(text))
            // A cell that is prefetched may have no place yet.
            let isInPlace = cell.attributes.map { $0.indexPath == path } ?? true
            if cell.attributes != nil { placedCount += 1 }
            if cell.isSelected != isSelected || !isInPlace {
                faults.append("\(text) has the state of another item")
            }
        }
        if cell.reuseIdentifier != identifier {
            faults.append("\(cell.reuseIdentifier) for \(text)")
        }
        cell.text = text
        cell.preferredHeight = { [preferredHeights = bench.source.preferredHeights] _ in
            preferredHeights(text)
        }
        return cell
    }

    private func distance() -> Double {
        Double(random.next(below: 4000) - 2000) / (random.isTrue(oneIn: 3) ? 4 : 20)
    }

    // MARK: Steps

    /// Performs one step.
    ///
    /// - Returns: The faults found afterwards.
    func step() throws -> [String] {
        bench.clear()
        touches.clear()
        switch random.next(below: 19) {
        // Several updates can precede a turn.
        case 0, 1, 2: for _ in 0...random.next(below: 3) { try update() }
        case 3...5: scroll()
        case 6: try scrollToItem()
        case 7, 8, 17, 18: for _ in 0...random.next(below: 6) { try touch() }
        case 9: switchLayout()
        case 10: changeEnvironment()
        case 11: changePreferredHeight()
        case 12: prefetch()
        case 13: reload()
        case 14:
            story.append("drag")
            let target = Point(x: distance(), y: distance() * 3)
            bench.view.endDragging(at: target, velocity: Point(x: distance(), y: distance()))
            touches.cancel()
        case 15: try reconfigure()
        default:
            story.append("invalidate")
            bench.view.collectionViewLayout.invalidateLayout()
        }
        // Runs all turns, or some.
        var left = random.isTrue(oneIn: 2) ? 1000 : random.next(below: 3)
        while bench.lane.count > 0, left > 0 {
            left -= 1
            turn()
        }
        bench.view.layoutIfNeeded()
        if bench.lane.count > 100 { faults.append("more than 100 turns are pending") }
        if placedCount == 0 { faults.append("no cell is dequeued with its attributes") }
        check()
        return faults
    }

    private func turn() {
        bench.view.clearEventLog()
        let count = leaving.count
        bench.lane.runOne()
        let ends = bench.view.eventLog.count { $0 == .finished(nil) }
        if leaving.count != count - ends { faults.append("finished but not completed") }
    }

    /// When an update completes, the views that it removes are no longer displayed.
    private func complete(_ number: Int) {
        completed.append(number)
        if leaving.isEmpty { return faults.append("completed twice") }
        if !leaving.removeFirst().isDisjoint(with: bench.watcher.displayed.keys) {
            faults.append("completed while its views were displayed")
        }
    }

    private var allLeaving: Set<ObjectIdentifier> { leaving.reduce(into: []) { $0.formUnion($1) } }

    /// The views that are displayed but no longer visible.
    private var departingViews: Set<ObjectIdentifier> {
        Set(bench.watcher.displayed.keys).subtracting(
            bench.view.visibleViews.map(ObjectIdentifier.init)
        )
    }

    private func noteScroll(since before: Point) {
        if bench.view.contentOffset != before { touches.cancel() }
    }

    private func scroll() {
        story.append("scroll")
        let before = bench.view.contentOffset
        switch random.next(below: 4) {
        case 0: bench.view.scroll(by: Point(x: distance(), y: distance()))
        case 1: bench.view.scrollToTop()
        default: bench.view.scroll(by: distance())
        }
        noteScroll(since: before)
    }

    private func scrollToItem() throws {
        story.append("scroll to item")
        guard let path = sheet.somePath(&random) else { return }
        let across: [ScrollPosition] = [[], .left, .right, .centeredHorizontally]
        let along: [ScrollPosition] = [.top, .bottom, .centeredVertically, []]
        let position = across[random.next(below: 4)].union(along[random.next(below: 4)])
        try bench.view.scrollToItem(at: path, at: position)
        touches.cancel()
        bench.view.cancelTouch()
        bench.view.layoutIfNeeded()
    }

    /// Selection by the program and by touch; the delegate disallows some of it. Some items are not
    /// visible.
    private func touch() throws {
        story.append("touch")
        let (view, watcher) = (bench.view, bench.watcher)
        view.layoutIfNeeded()
        guard var path = sheet.somePath(&random) else { return }
        // Headers have the path of a first item.
        if random.isTrue(oneIn: 3) { path.item = 0 }
        let name = sheet.name(at: path)
        let (mayBegin, mayEnd) = (!random.isTrue(oneIn: 4), !random.isTrue(oneIn: 3))
        watcher.mayHighlight = { _ in mayBegin }
        (watcher.maySelect, watcher.mayDeselect) = ({ _ in mayEnd }, { _ in mayEnd })
        bench.clear()
        touches.clear()
        // The appearance of the other rows is recorded only when a touch begins.
        let wasIdle = touches.isIdle
        if wasIdle {
            touches.appearances = [:]
            touches.appear(view.indexPathsForVisibleItems.map(sheet.name))
        }
        switch random.next(below: 17) {
        case 0, 1, 2:
            view.touchDown(at: path)
            touches.down(name, allowed: mayBegin)
        case 3, 4:
            view.touchUp()
            touches.up(allowed: mayEnd)
        case 5, 6, 7:
            let isInside = touches.highlighted == nil || mayEnd
            view.touchMoved(inside: isInside)
            touches.move(inside: isInside)
        case 8:
            view.cancelTouch()
            touches.cancel()
        case 9:
            view.deselectItem(at: path)
            touches.set(false, name)
        case 10, 11:
            try view.selectItem(at: path)
            touches.select(name)
        case 12:
            try view.selectItem(at: nil)
            touches.keepLast(0)
        case 13:
            touches.allowsSelection = !random.isTrue(oneIn: 3)
            view.allowsSelection = touches.allowsSelection
        case 14:
            touches.allowsMultiple = mayEnd
            view.allowsMultipleSelection = mayEnd
            if !mayEnd { touches.keepLast(1) }
        case 15: view.touchDown(at: ItemPath(70, 0))
        default:
            view.tapItem(at: path)
            if wasIdle {
                touches.down(name, allowed: mayBegin)
                touches.up(allowed: mayEnd)
            }
        }
        let calls = bench.log("should", "didH", "didU", "didS", "didD")
        if calls != touches.calls {
            faults.append("expected calls \(touches.calls), found \(calls)")
        }
        for cell in view.visibleCells.compactMap({ $0 as? TextCell }) where wasIdle {
            let looksSelected = touches.appearances[Sheet.name(cell.text)]
            if cell.isSelected != looksSelected {
                faults.append("\(cell.text) has a wrong selection appearance")
            }
        }
    }

    private func switchLayout() {
        let layout = makeLayout()
        story.append("layout \(type(of: layout))")
        bench.view.setCollectionViewLayout(layout, animated: random.isTrue(oneIn: 2))
    }

    private func makeLayout() -> CollectionLayout {
        let isEstimated = random.isTrue(oneIn: 2)
        let isHorizontal = random.isTrue(oneIn: 4)
        switch random.next(below: 5) {
        case 0:
            let layout = ListLayout()
            layout.estimatesHeights = isEstimated
            layout.rowHeight = Double(random.next(below: 40) + 5)
            layout.sectionHeaderHeight = Double(random.next(below: 2) * 7)
            return layout
        case 1:
            let layout = FlowLayout()
            layout.scrollDirection = isHorizontal ? .horizontal : .vertical
            if isEstimated { layout.estimatedItemSize = Size(width: 45, height: 20) }
            layout.itemSize = Size(width: 30, height: Double(random.next(below: 40) + 5))
            layout.sectionHeadersPinToVisibleBounds = random.isTrue(oneIn: 2)
            layout.headerReferenceSize = Size(width: 8, height: 8)
            return layout
        case 2:
            let layout = ComposedLayout(
                scrollDirection: isHorizontal ? .horizontal : .vertical,
                defaultLayout: MasonrySectionLayout(columnCount: 1 + random.next(below: 3))
            )
            if random.isTrue(oneIn: 2) { layout.features = [StickyHeaders()] }
            return layout
        case 3: return PagerLayout()
        default: return ComposedLayout(scrollDirection: isHorizontal ? .horizontal : .vertical)
        }
    }

    private func changeEnvironment() {
        let view = bench.view
        view.cancelTouch()
        touches.cancel()
        if random.isTrue(oneIn: 2) {
            story.append("resize")
            let height = random.isTrue(oneIn: 20) ? 0 : Double(random.next(below: 200) + 40)
            let size = Size(width: Double(random.next(below: 150) + 40), height: height)
            view.resize(to: size, animated: random.isTrue(oneIn: 2))
        } else {
            story.append("insets")
            if random.isTrue(oneIn: 3) { view.isRightToLeft.toggle() }
            view.contentInset = EdgeInsets(
                top: Double(random.next(below: 20)),
                left: Double(random.next(below: 10)),
                bottom: Double(random.next(below: 20)),
                right: Double(random.next(below: 10))
            )
        }
    }

    private func changePreferredHeight() {
        story.append("prefer")
        guard let cell = bench.view.visibleCells.randomElement(using: &random) as? TextCell else {
            return
        }
        let height = Double(random.next(below: 50) + 5)
        cell.preferredHeight = { _ in height }
        bench.view.invalidatePreferredSize(of: cell)
    }

    private func prefetch() {
        story.append("prefetch")
        if random.isTrue(oneIn: 5) { bench.view.isPrefetchingEnabled.toggle() }
        bench.view.idleTick(preparing: random.next(below: 6))
    }

    private func reload() {
        story.append("reload")
        if random.isTrue(oneIn: 3) {
            sheet.replaceAll((0..<random.next(below: 5)).map { _ in random.next(below: 20) })
            bench.source.sections = sheet.texts
        }
        bench.adapter.reloadData()
        touches.reload(sheet)
        bench.view.layoutIfNeeded()
        leaving = leaving.map { _ in [] }
    }

    /// Reconfigures an item immediately, whether visible or prefetched.
    private func reconfigure() throws {
        story.append("reconfigure")
        guard let path = sheet.somePath(&random) else { return }
        sheet.sections[path.section].rows[path.item] += "'"
        bench.source.sections = sheet.texts
        try bench.adapter.reconfigureItems(at: [path])
    }

    // MARK: Updates

    /// The views by row name, and by header text with its revision.
    private func views() -> [String: CollectionReusableView] {
        var views: [String: CollectionReusableView] = [:]
        for path in bench.view.indexPathsForVisibleItems {
            views[sheet.name(at: path)] = bench.view.cellForItem(at: path)
        }
        for (section, texts) in sheet.sections.enumerated() {
            views[texts.header] = bench.view.visibleView(at: .header(section))
        }
        return views
    }

    private func update() throws {
        bench.view.clearEventLog()
        if random.isTrue(oneIn: 2) { bench.view.layoutIfNeeded() }
        // With estimated sizes, a pass may show other items first.
        let isEstimated =
            switch bench.view.collectionViewLayout {
            case let list as ListLayout: list.estimatesHeights
            case let flow as FlowLayout: flow.estimatedItemSize != .zero
            case let layout: !(layout is PagerLayout)
            }
        let isUpToDate = bench.lane.count == 0 && !isEstimated
        let before = views()
        let rate = random.isTrue(oneIn: 3) ? 0.5 : 0.05
        let update = try SheetUpdate(of: sheet, &random, rate: rate)
        story.append("update \(sheet.shape) to \(update.after.shape)")
        let offset = Point(x: distance(), y: abs(distance()))
        bench.watcher.target = random.isTrue(oneIn: 4) ? { _ in offset } : { $0 }
        sheet = update.after
        let number = numberOfUpdates
        numberOfUpdates += 1
        try bench.adapter.performBatchUpdates(
            animated: random.isTrue(oneIn: 2),
            { changes in
                bench.source.sections = sheet.texts
                for operation in update.operations { changes.record(operation) }
            },
            completion: { [unowned self] _ in complete(number) }
        )
        bench.watcher.target = { $0 }
        leaving.append(departingViews.subtracting(allLeaving))
        let after = views()
        if isUpToDate, before.contains(where: { after[$0] ?? $1 !== $1 }) {
            faults.append("a row or a header has another view")
        }
        touches.show(sheet)
        var (applied, reported): ([[Int]], [[LayoutUpdateItem]]) = ([], [])
        for event in bench.view.eventLog {
            switch event {
            case .applied(nil, let removals, let insertions, let reconfigured):
                applied.append([removals, insertions, reconfigured])
            case .layout(.prepareForCollectionViewUpdates(let first, let count)):
                reported.append(first)
                if count != update.layoutItems.count {
                    faults.append("the layout received \(count) edits")
                }
            default: break
            }
        }
        if applied != [update.applied] {
            faults.append("expected applied \(update.applied), found \(applied)")
        }
        let items = Array(update.layoutItems.prefix(16))
        if reported != [items], !(reported.isEmpty && update.operations.isEmpty) {
            faults.append("expected layout updates \(items), found \(reported)")
        }
    }

    // MARK: Checks

    private func check() {
        let view = bench.view
        // A view that leaves in an animation is still displayed.
        let isAtRest = bench.lane.count == 0
        faults += bench.mistakes.filter { mistake in
            (isAtRest || !mistake.hasPrefix("announced"))
                && (touches.isIdle || !mistake.contains(" looks "))
        }
        let calls = touches.calls.map { String($0.prefix { $0 != ":" }) }
        if bench.watcher.heard != calls {
            faults.append("unexpected delegate calls \(bench.watcher.heard)")
        }
        faults += view.lookUpMistakes + bench.watcher.renamed
        if view.numberOfSections != sheet.sections.count {
            faults.append("wrong number of sections")
        }
        var visible: [ItemPath] = []
        for (section, rows) in sheet.texts.enumerated() {
            if view.numberOfItems(inSection: section) != rows.count {
                faults.append("wrong number of items in section \(section)")
            }
            for item in rows.indices {
                let place = ItemPath(section, item)
                guard let attributes = view.layoutAttributesForItem(at: place) else { continue }
                let isInside = attributes.frame.intersects(view.bounds) && !view.bounds.isEmpty
                if isInside, !attributes.isHidden { visible.append(place) }
            }
        }
        if view.indexPathsForVisibleItems != visible {
            faults.append("expected visible items \(visible)")
        }
        if view.firstVisiblePath != visible.first { faults.append("wrong first visible item") }
        // Selection
        let found = view.indexPathsForSelectedItems.map(sheet.name)
        if found != touches.selected {
            faults.append("expected selection \(touches.selected), found \(found)")
        }
        let highlighted = view.highlightedItem.map(sheet.name)
        if highlighted != touches.highlighted {
            faults.append("\(highlighted ?? "-") is highlighted")
        }
        for cell in view.visibleCells.compactMap({ $0 as? TextCell }) {
            let isTouched = touches.highlighted == Sheet.name(cell.text)
            if cell.isHighlighted != isTouched {
                faults.append("\(cell.text) has a wrong highlight")
            }
        }
        for header in view.visibleSupplementaryViews(ofKind: .header) {
            guard let header = header as? CollectionViewCell else { continue }
            if header.isSelected || header.isHighlighted { faults.append("a header is selected") }
        }
        // Sizes
        let list = view.collectionViewLayout as? ListLayout
        if list?.estimatesHeights == true {
            for cell in view.visibleCells.compactMap({ $0 as? TextCell }) {
                let preferred =
                    cell.preferredHeight(cell.frame.size.height) ?? cell.frame.size.height
                if preferred != cell.frame.size.height {
                    faults.append("\(cell.text) prefers height \(preferred)")
                }
            }
        }
        // Display and reuse
        let displayed = Set(bench.watcher.displayed.keys)
        if !displayed.isSuperset(of: view.visibleViews.map(ObjectIdentifier.init)) {
            faults.append("visible but not announced")
        }
        if departingViews != allLeaving {
            faults.append("the leaving views are not those of the unfinished updates")
        }
        let (waiting, prepared) = (view.numberOfReusableViews, view.preparedItems)
        if view.numberOfMadeViews != displayed.count + waiting + prepared.count {
            faults.append(
                "\(view.numberOfMadeViews) made, \(waiting) reusable, prepared \(prepared)"
            )
        }
        if prepared.contains(where: { view.cellForItem(at: $0) != nil }) {
            faults.append("visible items are prepared: \(prepared)")
        }
        if bench.lane.count == 0, completed != Array(0..<numberOfUpdates) {
            faults.append("completed \(completed.suffix(3)) of \(numberOfUpdates)")
        }
    }
}
