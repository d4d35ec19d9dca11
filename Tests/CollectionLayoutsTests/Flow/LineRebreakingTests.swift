import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// Lines after an edit, compared with all lines broken one by one: the same, and no more of them broken than
/// the edit can have changed.
@Suite("Lines that are broken again")
struct LineRebreakingTests {
    private struct Line: Equatable {
        var start: Int
        var count: Int
        var extent: Double
        var fill: Double

        var end: Int { start + count }
    }

    private let available = 10.0

    private func rules(_ interitem: Double, _ room: Double) -> FlowRules {
        FlowRules(
            environment: FlowEnvironment(ofSectionAlong: .vertical, dimension: room),
            metrics: FlowResolvedMetrics(interitemSpacing: interitem)
        )
    }

    private func section(
        _ sizes: [Size],
        _ rules: FlowRules,
        _ former: FlowSection? = nil,
        _ spans: [ItemSpan] = []
    ) -> FlowSection {
        let items = ItemSizes(sizes.map { ItemSize(size: $0) })
        return FlowSection(items, rules: rules, former: former, spans: spans)
    }

    private func naive(_ sizes: [Size], _ interitem: Double, _ room: Double) -> [Line] {
        var lines: [Line] = []
        var remaining = 0.0
        for (item, size) in sizes.enumerated() {
            if item == 0 || size.width > remaining {
                lines.append(Line(start: item, count: 0, extent: 0, fill: 0))
                remaining = room
            }
            let last = lines.count - 1
            lines[last].count += 1
            lines[last].extent = max(lines[last].extent, size.height)
            lines[last].fill += size.width
            remaining -= size.width + interitem
        }
        return lines
    }

    private func lines(_ section: FlowSection) -> [Line]? {
        guard case .broken(let lines) = section.lines else { return nil }
        var found: [Line] = []
        var cursor = lines.makeIterator()
        while let line = cursor.next() {
            let start = found.last?.end ?? 0
            found.append(
                Line(start: start, count: line.count, extent: line.extent, fill: line.fill)
            )
        }
        return found
    }

    private func size(_ random: inout SeededNumbers) -> Size {
        Size(
            width: random.chance(0.05) ? 12 : Double(random.next(below: 6) + 1),
            height: Double(random.next(below: 4))
        )
    }

    /// Some items that go and some that come, and what is left.
    private func edit(_ sizes: [Size], _ random: inout SeededNumbers)
        -> (sizes: [Size], removed: [Int], inserted: [Int])
    {
        let rate = [0.05, 0.2, 0.6][random.next(below: 3)]
        var (kept, removed): ([Size], [Int]) = ([], [])
        for (item, size) in sizes.enumerated() {
            if random.chance(rate) { removed.append(item) } else { kept.append(size) }
        }
        var (result, inserted): ([Size], [Int]) = ([], [])
        for size in kept.map(Optional.some) + [nil] {
            while random.chance(rate) {
                inserted.append(result.count)
                result.append(self.size(&random))
            }
            if let size { result.append(size) }
        }
        return (result, removed, inserted)
    }

    /// A line is as before if neither it nor the item behind it was touched: then it begins where it began.
    /// Where an edit begins with the first item, the first line is broken in any case.
    private func expectedRebroken(
        _ old: [Line],
        _ new: [Line],
        _ removed: [Int],
        _ inserted: [Int],
        _ spans: [ItemSpan]
    ) -> [Line] {
        let (removed, inserted) = (Set(removed), Set(inserted))
        let oldCount = old.last?.end ?? 0
        let kept = (0..<oldCount).filter { !removed.contains($0) }
        let survivors = (0..<(new.last?.end ?? 0)).filter { !inserted.contains($0) }
        let oldItems = Dictionary(uniqueKeysWithValues: zip(survivors, kept))
        return new.filter { line in
            guard let start = oldItems[line.start],
                let before = old.first(where: { $0.start == start })
            else { return true }
            if line.start == 0, spans.first?.old.lowerBound == 0 { return true }
            return !spans.allSatisfy {
                before.end < $0.old.lowerBound || before.start >= $0.old.upperBound
            }
        }
    }

    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func linesAreThoseOfBreakingAllAndOnlyThoseAtTheEditsAreBroken(_ batch: Int) {
        for seed in (batch * 150)..<(batch * 150 + 150) {
            var random = SeededNumbers(seed: UInt64(seed))
            let interitem = Double(random.next(below: 2))
            let isUniform = random.chance(0.2)
            let one = size(&random)
            var sizes = (0..<random.next(below: 30)).map { _ in
                isUniform ? one : size(&random)
            }
            var former = section(sizes, rules(interitem, available))
            // From equal items on, and with lines that come from an edit themselves.
            for step in 0..<3 {
                let old = naive(sizes, interitem, available)
                let edit = edit(sizes, &random)
                let spans = ItemSpan.spans(removed: edit.removed, inserted: edit.inserted)
                let new = naive(edit.sizes, interitem, available)
                let next = section(edit.sizes, rules(interitem, available), former, spans)
                let rebroken =
                    former.sizes.isEmpty
                    ? new : expectedRebroken(old, new, edit.removed, edit.inserted, spans)
                let note = "seed \(seed), step \(step)"
                if let found = lines(next) {
                    #expect(found == new, "\(note)")
                    #expect(next.brokenLineCount == rebroken.count, "\(note)")
                    let isLarger = rebroken.contains { edit.sizes[$0.start].width > available }
                    #expect(next.hasOversizeItem == isLarger, "\(note)")
                } else {
                    #expect(edit.sizes.allSatisfy { $0 == edit.sizes[0] }, "\(note)")
                    #expect(next.brokenLineCount == 0, "\(note)")
                }
                (sizes, former) = (edit.sizes, next)
            }
        }
    }

    /// Under another room or spacing no line is known to hold.
    @Test func underOtherRulesAllLinesAreBroken() {
        var random = SeededNumbers(seed: 9)
        for (interitem, room) in [(0.0, 10.0), (1, 10), (0, 9)] {
            for (other, otherRoom) in [(0.0, 10.0), (1, 10), (0, 9)] {
                for _ in 0..<20 {
                    let sizes = (0..<20).map { _ in size(&random) }
                    let former = section(sizes, rules(interitem, room))
                    let next = section(sizes, rules(other, otherRoom), former, [])
                    let expected = naive(sizes, other, otherRoom)
                    #expect(lines(next) == expected)
                    let isSame = interitem == other && room == otherRoom
                    #expect(next.brokenLineCount == (isSame ? 0 : expected.count))
                }
            }
        }
    }

    /// Equal items have lines that nobody breaks until one of them differs.
    @Test(arguments: [1, 2, 3, 4, 7, 300])
    func anItemThatDiffersAmongEqualOnesBreaksTheLinesBesideIt(_ count: Int) {
        let equal = Array(repeating: Size(width: 3, height: 2), count: count)
        let grid = section(equal, rules(0, available))
        #expect(grid.brokenLineCount == 0 && lines(grid) == nil)
        for item in Set([0, 1, 2, 3, count / 2, count - 2, count - 1]) where equal.indices ~= item {
            var sizes = equal
            sizes[item].height = 5
            let next = section(sizes, rules(0, available), grid, ItemSpan.spans(changed: [item]))
            guard count > 1 else { continue }
            #expect(lines(next) == naive(sizes, 0, available))
            // Its own, and the one before where that one is looked at for what may fit now.
            let expected = item > 0 && item.isMultiple(of: 3) ? 2 : 1
            #expect(next.brokenLineCount == expected, "\(item) of \(count)")
        }
    }
}

@Suite("What an update of a flow section asks for")
struct FlowSectionUpdateTests {
    /// The sizes of what came; and of everything where the spans do not lead to as many items as there are.
    @Test func anUpdateAsksForTheSizesOfWhatCameAlone() {
        func input(_ sizes: [Size], _ asked: @escaping (Int) -> Void) -> SectionInput {
            SectionInput(acrossExtent: 100, itemCount: sizes.count) { item in
                asked(item)
                return sizes[item]
            }
        }
        let old = (0..<6).map { Size(width: 20, height: Double(10 + $0)) }
        let new = Array(old[..<2]) + [Size(width: 30, height: 99)] + Array(old[3...])
        var asked: [Int] = []
        let layout = FlowSectionLayout()
        let before = layout.prepare(input(old) { asked.append($0) })
        #expect(asked == Array(0..<6))
        asked = []
        let scratch = layout.prepare(input(new) { _ in })
        let spans = ItemSpan.spans(changed: [2])
        let updated = layout.update(before, replacing: spans, input(new) { asked.append($0) })
        #expect(asked == [2])
        asked = []
        // One that went, but there are as many as before.
        let wrong = [ItemSpan(old: 2..<3, new: 2..<2)]
        let mended = layout.update(before, replacing: wrong, input(new) { asked.append($0) })
        #expect(asked == Array(0..<6))
        for arrangement in [updated, mended] {
            #expect(arrangement.itemCount == 6 && arrangement.extent == scratch.extent)
            for item in 0..<6 {
                #expect(arrangement.frame(ofItem: item) == scratch.frame(ofItem: item))
            }
        }
    }

    @Test func anItemOfWhichNothingIsKnownIsFiftyByFifty() {
        let size = Size(width: 50, height: 50)
        #expect(FlowSectionLayout().itemSize == size && FlowLayout().itemSize == size)
        let input = SectionInput(acrossExtent: 200, itemCount: 2) { _ in nil }
        let arrangement = FlowSectionLayout().prepare(input)
        #expect(arrangement.frame(ofItem: 1)?.size == size)
    }

    @Test func anItemThatIsLargerThanItsLineIsReported() {
        for (width, isLarger) in [(100.0, false), (100.5, true)] {
            let size = Size(width: width, height: 10)
            let input = SectionInput(section: 3, acrossExtent: 100, itemCount: 1) { _ in size }
            _ = FlowSectionLayout().prepare(input)
            #expect(input.errors.errors.map(\.code) == (isLarger ? [.itemExceedsLine] : []))
            #expect(input.errors.errors.allSatisfy { $0.message.hasSuffix("(section 3)") })
        }
    }

    /// Of no height, at the edge of the rectangle that begins there.
    @Test func itemsWithoutAnExtentAreFoundInTheRectangleThatTheyLieIn() {
        let sizes = [Size(width: 20, height: 0), Size(width: 30, height: 0)]
        for count in 1...2 {
            let input = SectionInput(acrossExtent: 100, itemCount: count) { sizes[$0] }
            let arrangement = FlowSectionLayout().prepare(input)
            #expect(arrangement.extent == 0)
            let items = Array(0..<count)
            #expect(arrangement.items(in: Rect(x: 0, y: 0, width: 100, height: 5)) == items)
            #expect(arrangement.items(in: Rect(x: 0, y: -5, width: 100, height: 9)) == items)
            #expect(arrangement.items(in: Rect(x: 0, y: -5, width: 100, height: 5)) == [])
            #expect(arrangement.items(in: Rect(x: 0, y: 1, width: 100, height: 5)) == [])
        }
    }
}
