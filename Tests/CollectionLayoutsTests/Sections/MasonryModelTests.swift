import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// What a section of columns is made of, drawn by chance; a value that is nil is the layout's own.
private struct MasonryScenario {
    var layout: MasonrySectionLayout
    var metrics = SectionMetrics()
    var direction: ScrollDirection
    var acrossExtent: Double
    var headerExtent: Double?
    var footerExtent: Double?
    var sizes: [Size?]
    let added = EdgeInsets(top: 1, left: 2, bottom: 4, right: 8)

    init(_ random: inout SeededNumbers, count: Int) {
        func number(_ limit: Int) -> Double { Double(random.next(below: limit * 2)) / 2 }
        func insets() -> EdgeInsets {
            EdgeInsets(top: number(5), left: number(9), bottom: number(7), right: number(11))
        }
        layout = MasonrySectionLayout(columnCount: 1 + random.next(below: 9))
        layout.itemExtent = number(40)
        layout.lineSpacing = number(10)
        layout.interitemSpacing = number(10)
        layout.insets = insets()
        let references = SectionInsetReference.allCases
        layout.insetReference = references[random.next(below: 3)]
        layout.headerExtent = number(3)
        layout.footerExtent = number(3)
        if random.chance(0.4) { metrics.insets = insets() }
        if random.chance(0.4) { metrics.lineSpacing = number(10) }
        if random.chance(0.4) { metrics.interitemSpacing = number(10) }
        if random.chance(0.4) { headerExtent = number(3) }
        if random.chance(0.4) { footerExtent = number(3) }
        direction = random.chance(0.5) ? .vertical : .horizontal
        acrossExtent = random.chance(0.2) ? 30 : 200
        sizes = (0..<count).map { _ in
            random.chance(0.1) ? nil : Size(width: number(60), height: number(60))
        }
    }

    func input(asked: @escaping (Int) -> Void = { _ in }) -> SectionInput {
        SectionInput(
            section: 3,
            scrollDirection: direction,
            acrossExtent: acrossExtent,
            itemCount: sizes.count,
            context: nil,
            metrics: metrics,
            headerExtent: headerExtent,
            footerExtent: footerExtent,
            preferredSizes: PreferredSizes.Items(),
            offeredSize: { [sizes] item in
                asked(item)
                return sizes[item]
            },
            insetsOfReference: { [added] in $0 == .fromContentInset ? .zero : added },
            errors: SectionErrorReporter()
        )
    }

    func made() -> MasonrySectionArrangement? {
        layout.prepare(input()) as? MasonrySectionArrangement
    }

    // MARK: By the letter

    private var isVertical: Bool { direction == .vertical }

    private func rect(_ along: Double, _ across: Double, _ extent: Double, _ width: Double) -> Rect
    {
        isVertical
            ? Rect(x: across, y: along, width: width, height: extent)
            : Rect(x: along, y: across, width: extent, height: width)
    }

    var naive: (items: [Rect], header: Rect?, footer: Rect?, extent: Double, columns: [Int]) {
        let own = metrics.insets ?? layout.insets
        let both = own + (layout.insetReference == .fromContentInset ? .zero : added)
        let line = metrics.lineSpacing ?? layout.lineSpacing
        let between = metrics.interitemSpacing ?? layout.interitemSpacing
        let header = headerExtent ?? layout.headerExtent
        let footer = footerExtent ?? layout.footerExtent
        let (before, start, end, after) =
            isVertical
            ? (both.left, own.top, own.bottom, both.right)
            : (both.top, own.left, own.right, both.bottom)
        let count = layout.columnCount
        let room = acrossExtent - (before + after) - between * Double(count - 1)
        let width = max(0, room) / Double(count)
        var lengths = Array(repeating: 0.0, count: count)
        var (items, columns, content) = ([Rect](), [Int](), 0.0)
        for size in sizes {
            let extent = (isVertical ? size?.height : size?.width) ?? layout.itemExtent
            let shortest = lengths.min() ?? 0
            let column = lengths.firstIndex(of: shortest) ?? 0
            let across = before + Double(column) * (width + between)
            items.append(rect(header + start + shortest, across, extent, width))
            columns.append(column)
            content = max(content, shortest + extent)
            lengths[column] = shortest + extent + line
        }
        let extent = header + start + content + end + footer
        return (
            items, header > 0 ? rect(0, 0, header, acrossExtent) : nil,
            footer > 0 ? rect(extent - footer, 0, footer, acrossExtent) : nil, extent, columns
        )
    }
}

@Suite("Columns, compared with the shortest of a row of them")
struct MasonryModelTests {
    private func expectNaive(
        _ arrangement: (any SectionArrangement)?,
        _ scenario: MasonryScenario,
        _ comment: Comment
    ) {
        let naive = scenario.naive
        let count = naive.items.count
        let frames = (0..<count).compactMap { arrangement?.frame(ofItem: $0) }
        #expect(frames == naive.items, comment)
        for item in [-2, -1, count, count + 1] {
            #expect(arrangement?.frame(ofItem: item) == nil, comment)
        }
        #expect(arrangement?.itemCount == count, comment)
        #expect(arrangement?.headerFrame == naive.header, comment)
        #expect(arrangement?.footerFrame == naive.footer, comment)
        #expect(arrangement?.extent == naive.extent, comment)
        let columns = (arrangement as? MasonrySectionArrangement)?.columns
        #expect(columns?.places.map(\.column) == naive.columns, comment)
        #expect(columns?.columns.count == min(scenario.layout.columnCount, max(1, count)), comment)
    }

    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func everythingIsWhereTheLetterSays(batch: Int) {
        for seed in (batch * 60)..<(batch * 60 + 60) {
            var random = SeededNumbers(seed: UInt64(seed))
            let count = [0, 1, 2, 5, 40][random.next(below: 5)]
            let scenario = MasonryScenario(&random, count: count)
            expectNaive(scenario.made(), scenario, "seed \(seed)")
            guard let arrangement = scenario.made() else { continue }
            let frames = scenario.naive.items
            for _ in 0..<10 {
                func number(_ limit: Int) -> Double { Double(random.next(below: limit)) / 2 }
                let rect = AxisRect(
                    along: number(400) - 20,
                    across: number(500) - 30,
                    alongExtent: number(100),
                    acrossExtent: number(300)
                ).rect(scenario.direction)
                let expected = frames.indices.filter { frames[$0].intersects(rect) }
                #expect(arrangement.items(in: rect) == expected, "seed \(seed), \(rect)")
            }
        }
    }

    @Test(arguments: 0..<5)
    func anUpdatedSectionIsAsOneFromNothingAndAsksForWhatCame(batch: Int) {
        for seed in (batch * 60)..<(batch * 60 + 60) {
            var random = SeededNumbers(seed: UInt64(seed))
            var scenario = MasonryScenario(&random, count: random.next(below: 12))
            guard let former = scenario.made() else { continue }
            let old = scenario.sizes
            let removed = old.indices.filter { _ in random.chance(0.3) }
            let kept = old.indices.filter { !removed.contains($0) }
            let count = kept.count + random.next(below: 4)
            let inserted = (0..<count).shuffled(using: &random).prefix(count - kept.count).sorted()
            let other = MasonryScenario(&random, count: count)
            scenario.sizes = other.sizes
            (scenario.metrics, scenario.headerExtent) = (other.metrics, other.headerExtent)
            let stayed = (0..<count).filter { !inserted.contains($0) }
            for (index, item) in zip(kept, stayed) { scenario.sizes[item] = old[index] }
            var asked: [Int] = []
            let updated = scenario.layout.update(
                former,
                replacing: ItemSpan.spans(removed: removed, inserted: inserted),
                scenario.input { asked.append($0) }
            )
            expectNaive(updated, scenario, "seed \(seed)")
            #expect(asked == inserted, "seed \(seed)")
        }
    }

    /// What does not fit what was there is laid out from nothing.
    @Test func spansThatDoNotFitAreNotBelieved() {
        struct Other: SectionArrangement {
            var extent: Double { 0 }
            var headerFrame: Rect? { nil }
            var footerFrame: Rect? { nil }
            var itemCount: Int { 0 }
            func frame(ofItem item: Int) -> Rect? { nil }
        }
        var random = SeededNumbers(seed: 1)
        let scenario = MasonryScenario(&random, count: 5)
        guard let former = scenario.made() else { return }
        let spans = [
            ItemSpan(old: 5..<6, new: 5..<6), ItemSpan(old: 0..<1, new: -1..<0),
            ItemSpan(old: 0..<0, new: 0..<1), ItemSpan(old: 0..<1, new: 0..<0),
            ItemSpan(old: 3..<9, new: 3..<5), ItemSpan(old: 6..<6, new: 6..<6),
        ]
        for span in spans {
            var asked: [Int] = []
            let updated = scenario.layout.update(
                former,
                replacing: [span],
                scenario.input { asked.append($0) }
            )
            expectNaive(updated, scenario, "\(span)")
            #expect(asked.suffix(5) == [0, 1, 2, 3, 4], "\(span)")
        }
        let updated = scenario.layout.update(Other(), replacing: [], scenario.input())
        expectNaive(updated, scenario, "of another layout")
        var asked = 0
        let same = scenario.layout.update(
            former,
            replacing: [ItemSpan(old: 4..<5, new: 4..<5)],
            scenario.input { _ in asked += 1 }
        )
        expectNaive(same, scenario, "the last item")
        #expect(asked == 1)
    }

    /// A step for each column, the steps of both searches, what is found, and what comes next.
    @Test func aSearchTakesALogarithmAndItsAnswer() throws {
        let input = SectionInput(acrossExtent: 100, itemCount: 1023) { _ in
            Size(width: 1, height: 10)
        }
        var layout = MasonrySectionLayout(columnCount: 1)
        (layout.lineSpacing, layout.headerExtent) = (0, 10)
        let one = try #require(layout.prepare(input) as? MasonrySectionArrangement)
        let (found, visits) = one.search(Rect(x: 0, y: 512, width: 100, height: 56))
        #expect(found == Array(50...55))
        #expect(visits == 1 + 1 + 10 + found.count + 1)
        // Columns on either side are not looked at.
        layout.columnCount = 7
        let seven = try #require(layout.prepare(input) as? MasonrySectionArrangement)
        let width = (100.0 - 60) / 7
        let second = Rect(x: width + 11, y: 13, width: width - 2, height: 4)
        let (some, steps) = seven.search(second)
        #expect(some == [1])
        // Three for the columns; of one the seven or eight of its search, the item and the next, and of
        // the next column that it is out of reach.
        #expect(steps == 3 + 1 + 7 + 2 + 1 || steps == 3 + 1 + 8 + 2 + 1)
    }

    /// Where there is no extent at all, there is no room for rounding either.
    @Test func itemsWithoutExtentAreFoundAtTheStart() {
        let input = SectionInput(acrossExtent: 100, itemCount: 3) { _ in .zero }
        var layout = MasonrySectionLayout(columnCount: 2)
        layout.lineSpacing = 0
        let made = layout.prepare(input)
        #expect(made.extent == 0)
        let rect = Rect(x: 0, y: 0, width: 100, height: 10)
        #expect(made.items(in: rect) == [0, 1, 2])
        #expect(made.items(in: rect.offsetBy(dy: 1)) == [])
    }

    @Test func aNumberOfColumnsThatIsNoneCountsAsOne() {
        for (count, used) in [(-1, 1), (0, 1), (1, 1), (1 << 24, 1 << 24), (1 << 24 + 1, 1)] {
            let input = SectionInput(section: 2, acrossExtent: 100, itemCount: 2) { _ in
                Size(width: 1, height: 10)
            }
            let made = MasonrySectionLayout(columnCount: count).prepare(input)
            let columns = (made as? MasonrySectionArrangement)?.columns.columns
            #expect(columns?.count == min(2, used))
            #expect(input.errors.errors.map(\.code) == (count == used ? [] : [.columnCount]))
        }
    }
}
