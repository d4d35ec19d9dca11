import PipelineTestSupport
import SimulatedView
import Testing

/// Does to a view whatever a program may do, one step after another.
///
/// The text of an item is a number, which is its identity, and a mark for each reconfiguration.
struct RandomWalk {
    let bench: Bench<CollectionLayout>
    private var random: SeededGenerator
    private var lastNumber = 0
    private(set) var story: [String] = []

    init(seed: UInt64, logCapacity: Int = 0) throws {
        random = SeededGenerator(seed: seed)
        bench = try Bench(
            [],
            ListLayout(),
            size: Size(width: 100, height: 120),
            logCapacity: logCapacity
        )
        bench.source.wishes = { text in Double(text.utf8.reduce(7) { $0 &* 31 &+ Int($1) } % 60) + 5
        }
        bench.source.sections = (0..<4).map { _ in (0..<12).map { _ in newText() } }
        bench.load()
    }

    private mutating func newText() -> String {
        lastNumber += 1
        return "\(lastNumber)"
    }

    private static func identity(_ text: String) -> Substring { text.prefix { $0 != "'" } }

    private mutating func distance() -> Double {
        Double(random.next(below: 4000) - 2000) / (random.isTrue(oneIn: 3) ? 4 : 20)
    }

    private mutating func somePath() -> ItemPath? {
        let sections = bench.source.sections
        guard
            let section = sections.indices.filter({ !sections[$0].isEmpty }).randomElement(
                using: &random
            )
        else { return nil }
        return ItemPath(section, random.next(below: sections[section].count))
    }

    // MARK: Steps

    /// Takes a step.
    ///
    /// - Returns: what is wrong afterwards.
    mutating func step() throws -> [String] {
        switch random.next(below: 14) {
        case 0, 1: try update()
        case 2, 3: scroll()
        case 4: try scrollToItem()
        case 5: try select()
        case 6: switchLayout()
        case 7: resize()
        case 8: changeInsets()
        case 9: changeWish()
        case 10: prefetch()
        case 11: reload()
        case 12: drag()
        default: invalidate()
        }
        let isOver = random.isTrue(oneIn: 4) || bench.lane.run()
        bench.settle()
        return bench.mistakes + (isOver ? [] : ["turns without end"]) + excess
    }

    /// Views are made for what is visible at once, in an animation twice, and what is prepared.
    private var excess: [String] {
        let waiting = bench.view.numberOfReusableViews
        return waiting > 400 ? ["\(waiting) views wait"] : []
    }

    private mutating func scroll() {
        story.append("scroll")
        let view = bench.view
        switch random.next(below: 4) {
        case 0: view.scroll(by: Point(x: distance(), y: distance()))
        case 1: view.scrollToTop()
        default: view.scroll(by: distance())
        }
    }

    private mutating func drag() {
        story.append("drag")
        let target = Point(x: distance(), y: distance() * 3)
        bench.view.endDragging(at: target, velocity: Point(x: distance(), y: distance()))
    }

    private mutating func scrollToItem() throws {
        story.append("scroll to item")
        guard let path = somePath() else { return }
        let across: [ScrollPosition] = [[], .left, .right, .centeredHorizontally]
        let along: [ScrollPosition] = [.top, .bottom, .centeredVertically, []]
        try bench.view.scrollToItem(
            at: path,
            at: across[random.next(below: 4)].union(along[random.next(below: 4)])
        )
        bench.view.layoutIfNeeded()
    }

    private mutating func select() throws {
        story.append("select")
        let view = bench.view
        guard let path = somePath() else { return }
        switch random.next(below: 5) {
        case 0: view.allowsMultipleSelection.toggle()
        case 1: view.tapItem(at: path)
        case 2: view.touchDown(at: path)
        case 3: view.deselectItem(at: path)
        default: try view.selectItem(at: path)
        }
        if random.isTrue(oneIn: 2) { view.touchUp() }
    }

    private mutating func switchLayout() {
        let layout = Self.makeLayout(&random)
        story.append("layout \(type(of: layout))")
        bench.view.setCollectionViewLayout(layout, animated: random.isTrue(oneIn: 2))
    }

    private static func makeLayout(_ random: inout SeededGenerator) -> CollectionLayout {
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
        default:
            return ComposedLayout(scrollDirection: isHorizontal ? .horizontal : .vertical)
        }
    }

    private mutating func resize() {
        story.append("resize")
        let isEmpty = random.isTrue(oneIn: 20)
        let size = Size(
            width: Double(random.next(below: 150) + 40),
            height: isEmpty ? 0 : Double(random.next(below: 200) + 40)
        )
        bench.view.resize(to: size, animated: random.isTrue(oneIn: 2))
    }

    private mutating func changeInsets() {
        story.append("insets")
        let view = bench.view
        if random.isTrue(oneIn: 3) { view.isRightToLeft.toggle() }
        view.contentInset = EdgeInsets(
            top: Double(random.next(below: 20)),
            left: Double(random.next(below: 10)),
            bottom: Double(random.next(below: 20)),
            right: Double(random.next(below: 10))
        )
    }

    private mutating func changeWish() {
        story.append("wish")
        guard let cell = bench.view.visibleCells.randomElement(using: &random) as? TextCell else {
            return
        }
        let height = Double(random.next(below: 50) + 5)
        cell.wish = { _ in height }
        bench.view.invalidatePreferredSize(of: cell)
    }

    private mutating func prefetch() {
        story.append("prefetch")
        if random.isTrue(oneIn: 5) { bench.view.isPrefetchingEnabled.toggle() }
        bench.view.idleTick(preparing: random.next(below: 6))
    }

    private mutating func reload() {
        story.append("reload")
        if random.isTrue(oneIn: 3) {
            bench.source.sections = (0..<random.next(below: 5)).map { _ in
                (0..<random.next(below: 20)).map { _ in newText() }
            }
        }
        bench.adapter.reloadData()
        bench.view.layoutIfNeeded()
    }

    private mutating func invalidate() {
        story.append("invalidate")
        bench.view.collectionViewLayout.invalidateLayout()
    }

    // MARK: Updates

    private mutating func update() throws {
        bench.settle()
        let view = bench.view
        let old = HierarchyShape(bench.source.sections.map(\.count))
        let drawn = RandomUpdate(from: old, &random, rate: random.isTrue(oneIn: 3) ? 0.5 : 0.05)
        let valid = try drawn.changes.validated(from: old, to: drawn.newShape)
        story.append("update \(old) to \(drawn.newShape)")
        let new = valid.texts(after: bench.source.sections) { newText() }
        let selected = Set(view.indexPathsForSelectedItems.map { Self.identity(text(at: $0)) })
        let isAnimated = random.isTrue(oneIn: 2)
        try bench.adapter.performBatchUpdates(animated: isAnimated) { changes in
            bench.source.sections = new
            for operation in drawn.changes.operations { changes.record(operation) }
        }
        let kept = selected.intersection(new.joined().map(Self.identity))
        let found = Set(view.indexPathsForSelectedItems.map { Self.identity(text(at: $0)) })
        #expect(kept == found, "selection after \(drawn.changes.operations)")
    }

    private func text(at path: ItemPath) -> String {
        bench.source.sections[path.section][path.item]
    }
}

extension ValidatedChangeSet {
    /// The texts after the update: what stays has its text, with a mark where it was reconfigured, and what is
    /// new or reloaded another one.
    func texts(after old: [[String]], fresh: () -> String) -> [[String]] {
        let reloaded = Set(itemInsertions.filter { $0.role == .reload }.map(\.path))
        let reconfigured = Set(reconfigurations.map(\.newPath))
        return newShape.itemCounts.indices.map { section in
            (0..<newShape.itemCounts[section]).map { item in
                let path = ItemPath(section, item)
                guard !reloaded.contains(path), let oldPath = oldPath(for: path) else {
                    return fresh()
                }
                return old[oldPath.section][oldPath.item] + (reconfigured.contains(path) ? "'" : "")
            }
        }
    }
}
