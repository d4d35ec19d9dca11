import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// Which sections and lines a search looks at: those that may reach into an interval, found one by one.
@Suite("What a flow layout searches")
struct FlowSearchTests {
    /// Insets below zero let lines, headers and footers reach out of their section.
    private func host(_ random: inout SeededNumbers) -> ScriptedHost {
        let host = ScriptedHost(width: 160, height: 200)
        for _ in 0..<(1 + random.next(below: 6)) {
            var section = FlowScenario.section(&random)
            section.items = Array(section.items.prefix(12))
            if random.chance(0.6) {
                section.inset = EdgeInsets(
                    top: Double(random.next(below: 160) - 120),
                    bottom: Double(random.next(below: 160) - 120)
                )
            }
            host.sections.append(section)
        }
        if random.chance(0.3) { host.layoutMargins = EdgeInsets(top: 16, bottom: 8) }
        return host
    }

    private func prepared(_ random: inout SeededNumbers) throws -> (ScriptedHost, FlowState) {
        let host = host(&random)
        let layout = FlowLayout()
        layout.sectionInsetReference = .fromLayoutMargins
        return (host, try #require(host.lay(layout).state))
    }

    /// Intervals that end at, just before and just behind some positions.
    private func intervals(_ ends: [Double]) -> [ClosedRange<Double>] {
        let all = Set(ends.flatMap { [$0 - 0.125, $0, $0 + 0.125] }).sorted()
        return all.indices.flatMap { low in
            [low, low + 1, low + 5, all.count - 1].compactMap {
                $0 >= low && $0 < all.count ? all[low]...all[$0] : nil
            }
        }
    }

    @Test(arguments: 0..<Effort.number(40, usually: 10))
    func sectionsAreSearchedThatMayReachIntoAnInterval(_ seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let (host, state) = try prepared(&random)
        var sections: [(start: Double, end: Double)] = []
        var (overhang, start) = (0.0, host.layoutMargins.top)
        for index in host.sections.indices {
            let section = try #require(state.sections.element(at: index))
            let metrics = section.rules.metrics
            let lines = (0..<section.sizes.count).compactMap { section.frame(ofItem: $0) }
            let linesStart = metrics.header + metrics.inset.top
            let ends = lines.map { $0.along + $0.size.height } + [linesStart]
            overhang = max(overhang, -linesStart, (ends.max() ?? 0) - section.extent)
            overhang = max(overhang, max(metrics.header, metrics.footer) - section.extent)
            sections.append((start, start + section.extent))
            start += section.extent
        }
        #expect(state.sections.tree.summary.overhang == overhang)
        let ends = sections.flatMap { [$0.start - overhang, $0.end + overhang] }
        for interval in intervals(ends + [-1e4, 1e4]) {
            var found: [Int] = []
            state.visitSections(interval) { index, section, start in
                found.append(index)
                if start != sections[index].start || section !== state.sections.element(at: index) {
                    Issue.record("section \(index) at \(start)")
                }
            }
            let expected = sections.indices.filter {
                sections[$0].start - overhang <= interval.upperBound
                    && sections[$0].end + overhang >= interval.lowerBound
            }
            if found != expected { Issue.record("\(interval): \(found), not \(expected)") }
        }
    }

    @Test(arguments: 0..<20)
    func linesAreSearchedThatReachIntoAnInterval(_ seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let (host, state) = try prepared(&random)
        for index in host.sections.indices {
            let section = try #require(state.sections.element(at: index))
            guard case .broken(let lines) = section.lines else { continue }
            var places: [(items: Range<Int>, start: Double, end: Double)] = []
            var (first, y) = (0, section.rules.metrics.header + section.rules.metrics.inset.top)
            var cursor = lines.makeIterator()
            while let line = cursor.next() {
                places.append((first..<(first + line.count), y, y + line.extent))
                first += line.count
                y += line.extent + section.rules.metrics.lineSpacing
            }
            #expect(first == host.sections[index].items.count)
            let frames = (0..<first).map { section.frame(ofItem: $0) }
            for interval in intervals(places.flatMap { [$0.start, $0.end] }) {
                var found: [Int] = []
                section.visitItems(along: interval, across: 0...160) { item, frame in
                    found.append(item)
                    if frame != frames[item] { Issue.record("item \(item) at \(frame)") }
                }
                let expected = places.filter {
                    $0.start <= interval.upperBound && $0.end >= interval.lowerBound
                }
                if found != expected.flatMap(\.items) { Issue.record("\(interval): \(found)") }
            }
        }
    }

    /// Where lines begin at the right, or sections do, so do the intervals that are searched.
    @Test(arguments: ScrollDirection.allCases, [false, true])
    func anIntervalIsThatOfTheRectangleAndAPixel(_ direction: ScrollDirection, _ isMirrored: Bool)
        throws
    {
        let host = ScriptedHost([.uniform(20, 100, 60)], width: 210, height: 130)
        (host.displayScale, host.isRightToLeft) = (4, isMirrored)
        let layout = FlowLayout()
        layout.scrollDirection = direction
        let content = host.lay(layout).collectionViewContentSize
        let state = try #require(layout.state)
        let rect = Rect(x: 30, y: 40, width: 20, height: 7)
        let start = isMirrored ? content.width - 50 : 30
        let (x, y) = (start...(start + 20), 40.0...47)
        let (along, across) = direction == .vertical ? (y, x) : (x, y)
        for (found, expected) in [(state.along(rect), along), (state.across(rect), across)] {
            let found = try #require(found)
            #expect(abs(found.lowerBound - (expected.lowerBound - 0.25)) < 1e-9)
            #expect(abs(found.upperBound - (expected.upperBound + 0.25)) < 1e-9)
        }
        let nothing = Rect(x: .nan, y: .nan, width: 1, height: 1)
        #expect(state.along(nothing) == nil && state.across(nothing) == nil)
    }

    /// For what is rounded away, a part in 2⁴⁷ of whatever takes part and is a number.
    @Test func anIntervalIsSearchedWithRoomForWhatIsRounded() {
        typealias Interval = ClosedRange<Double>
        let digit = 0x1p-47
        #expect(Interval.searched(4, 8, within: 0) == (4 - 4 * digit)...(8 + 8 * digit))
        #expect(Interval.searched(-4, 4, within: 4) == (-4 - 8 * digit)...(4 + 8 * digit))
        #expect(Interval.searched(4, 8, within: -4) == (4 - 8 * digit)...(8 + 12 * digit))
        #expect(Interval.searched(0, 0, within: 0) == 0...0)
        #expect(Interval.searched(4, 8, pixel: 2, within: 0) == (2 - 4 * digit)...(10 + 8 * digit))
        #expect(Interval.searched(0, 1, within: .infinity) == 0...(1 + digit))
        #expect(
            Interval.searched(-.infinity, .infinity, within: 1) == -Double.infinity...(.infinity)
        )
        #expect(Interval.searched(.infinity, .infinity, within: 0) == Double.infinity...(.infinity))
        #expect(Interval.searched(-.infinity, 0, within: 0) == -Double.infinity...0)
        #expect(Interval.searched(2, 1, within: 0) == nil)
        #expect(Interval.searched(.nan, 1, within: 0) == nil)
    }

    /// Far behind the first section, below a header that is taller than the viewport, and in any direction.
    @Test(arguments: ScrollDirection.allCases, [false, true])
    func aRectangleLooksAtItsAnswerAndALineOrTwoOnEitherSide(
        _ direction: ScrollDirection,
        _ isMirrored: Bool
    ) {
        var random = SeededNumbers(seed: 3)
        let mixed = (0..<600).map { _ in
            Size?(Size(width: Double(20 + random.next(below: 8)), height: 25))
        }
        for items in [mixed, Array(repeating: Size(width: 24, height: 25), count: 600)] {
            let host = ScriptedHost(width: 100, height: 100)
            (host.displayScale, host.isRightToLeft) = (2, isMirrored)
            host.sections = Array(
                repeating: ScriptedSection(items: items, line: 5, interitem: 2, header: 3000),
                count: 3
            )
            let layout = FlowLayout()
            layout.scrollDirection = direction
            _ = host.lay(layout)
            let extent = layout.collectionViewContentSize.along(direction)
            for step in 0..<30 {
                let start = extent * Double(step) / 30
                let origin = Point(along: start, across: 0, direction)
                let before = layout.work.visitedItems
                let rect = Rect(origin: origin, size: Size(width: 100, height: 100))
                let found = layout.layoutAttributesForElements(in: rect).filter {
                    $0.representedElementCategory == .cell
                }
                let visited = layout.work.visitedItems - before
                #expect(visited >= found.count && visited <= found.count + 16, "\(step)")
            }
            let middle = extent / 2
            let none = layout.work.visitedItems
            _ = layout.layoutAttributesForElements(
                in: Rect(
                    origin: Point(along: middle, across: 1e5, direction),
                    size: Size(width: 1, height: 1)
                )
            )
            #expect(layout.work.visitedItems - none <= 16)
        }
    }

    /// Whatever the metrics of the lines are, and whatever item is asked about.
    @Test(arguments: 0..<20)
    func onlyWhatExistsHasAFrame(_ seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let (host, state) = try prepared(&random)
        for index in host.sections.indices {
            let section = try #require(state.sections.element(at: index))
            let count = section.sizes.count
            for item in [-2, -1, count, count + 1, .min, .max] {
                #expect(section.frame(ofItem: item) == nil)
            }
            for item in 0..<count {
                #expect(section.frame(ofItem: item)?.size == host.sections[index].items[item])
            }
        }
    }
}
