import CollectionLayouts
import TestSupport

/// One item of the collection that a ``SectionTestHost`` shows.
struct TestItem: Hashable {
    var id: Int
    var size: Size
}

/// One section of the collection that a ``SectionTestHost`` shows.
struct TestSection: TestHostSection {
    var id: Int
    var items: [TestItem]
    var values = SectionMetrics()
    var context: (any SectionContext)?

    var itemCount: Int { items.count }
}

/// A view that answers a composed layout's questions, with items and sections of some identity.
final class SectionTestHost: TestHost<TestSection>, LayoutMetrics {
    /// Whether the metrics answer for items.
    var answersSizes = true
    private(set) var sizeQuestions = 0
    private var nextID = 0

    override init(_ sections: [TestSection] = [], width: Double = 320, height: Double = 480) {
        super.init(sections, width: width, height: height)
        // Sizes here are quarters, which are then whole pixels.
        displayScale = 4
    }

    override var layoutMetrics: AnyObject? { self }

    func size(ofItemAt path: ItemPath) -> Size? {
        sizeQuestions += 1
        guard answersSizes, sections.indices.contains(path.section),
            sections[path.section].items.indices.contains(path.item)
        else { return nil }
        return sections[path.section].items[path.item].size
    }

    func metrics(ofSection section: Int) -> SectionMetrics {
        sections.indices.contains(section) ? sections[section].values : SectionMetrics()
    }

    // MARK: Content

    func makeItem(_ size: Size) -> TestItem {
        nextID += 1
        return TestItem(id: nextID, size: size)
    }

    func makeSection(_ sizes: [Size], _ values: SectionMetrics = SectionMetrics())
        -> TestSection
    {
        nextID += 1
        return TestSection(id: nextID, items: sizes.map(makeItem), values: values)
    }

    func makeRandomItem(_ random: inout SeededNumbers) -> TestItem {
        // Quarters, so that no sum of extents is rounded.
        makeItem(
            Size(
                width: Double(random.next(below: 500)) / 4,
                height: Double(random.next(below: 200)) / 4
            )
        )
    }

    func makeRandomSection(_ random: inout SeededNumbers, count: Int? = nil) -> TestSection {
        func extent() -> Double { Double(random.next(below: 80)) / 4 }
        var values = SectionMetrics()
        if random.chance(0.5) {
            values.insets = EdgeInsets(
                top: extent(),
                left: extent(),
                bottom: extent(),
                right: extent()
            )
        }
        if random.chance(0.5) { values.headerExtent = extent() }
        if random.chance(0.4) { values.footerExtent = extent() }
        if random.chance(0.5) { values.lineSpacing = extent() }
        if random.chance(0.5) { values.interitemSpacing = extent() }
        var section = makeSection([], values)
        section.items = (0..<(count ?? random.next(below: 12))).map { _ in makeRandomItem(&random) }
        if random.chance(0.3), let first = section.items.first {
            for index in section.items.indices { section.items[index].size = first.size }
        }
        return section
    }

    /// Changes the content as an update says, with what is new made up.
    func apply(_ update: ValidatedChangeSet, _ random: inout SeededNumbers) {
        let old = sections
        sections = update.newShape.itemCounts.indices.map { index in
            let count = update.newShape.itemCounts[index]
            guard let origin = update.oldSection(for: index),
                update.sectionInsertions.first(where: { $0.section == index })?.role != .reload
            else { return makeRandomSection(&random, count: count) }
            return old[origin]
        }
        let reloaded = Set(update.itemInsertions.filter { $0.role == .reload }.map(\.path))
        let reconfigured = Set(update.reconfigurations.map(\.newPath))
        for (index, count) in update.newShape.itemCounts.enumerated() {
            sections[index].items = (0..<count).map { item in
                let path = ItemPath(section: index, item: item)
                guard !reloaded.contains(path), let origin = update.oldPath(for: path) else {
                    return makeRandomItem(&random)
                }
                var kept = old[origin.section].items[origin.item]
                if reconfigured.contains(path) { kept.size = makeRandomItem(&random).size }
                return kept
            }
        }
    }
}

extension LayoutAttributes {
    /// Orders attributes by place, to compare answers that may come in any order.
    static func sorted(_ attributes: [LayoutAttributes]) -> [LayoutAttributes] {
        attributes.sorted { left, right in
            if left.indexPath.section != right.indexPath.section {
                return left.indexPath.section < right.indexPath.section
            }
            let (leftKind, rightKind) = (
                "\(left.representedElementCategory)", "\(right.representedElementCategory)"
            )
            if leftKind != rightKind { return leftKind < rightKind }
            return left.indexPath < right.indexPath
        }
    }
}
