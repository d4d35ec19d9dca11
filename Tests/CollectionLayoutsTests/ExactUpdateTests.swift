import TestSupport
import Testing

@testable import CollectionLayouts

/// With sizes of any fraction, a plain sum would depend on the order of its terms. Layouts must
/// not depend on it.
@Suite("Updates with sizes of any fraction")
struct ExactUpdateTests {
    private func size(_ random: inout SeededNumbers) -> Size {
        Size(
            width: Double.random(in: 1...200, using: &random),
            height: Double.random(in: 1...90, using: &random)
        )
    }

    private func section(_ random: inout SeededNumbers, _ items: [Size?]) -> ScriptedSection {
        ScriptedSection(
            items: items,
            inset: EdgeInsets(top: Double.random(in: 0...9, using: &random), left: 1 / 3),
            line: Double.random(in: 0...9, using: &random),
            interitem: 1 / 7,
            header: Double.random(in: 1...9, using: &random)
        )
    }

    @Test(arguments: LayoutEngine.allCases, 0..<Effort.number(8, usually: 2))
    func anUpdatedLayoutEqualsOneFromScratchToTheLastDigit(engine: LayoutEngine, seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let host = ScriptedHost()
        // Rounding to pixels would hide the last digits.
        host.displayScale = 1e13
        host.sections = (0..<4).map { _ in
            section(&random, (0..<random.next(below: 400)).map { _ in size(&random) })
        }
        let layout = host.lay(engine.make())
        for step in 0..<12 {
            let draft = RandomUpdate(from: host.shape, &random, rate: 0.03)
            let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
            let items = try update.apply(to: host.sections.map(\.items)) { _ -> Size? in
                size(&random)
            }
            host.sections = items.indices.map { index in
                let isKept = update.sectionInsertion(at: index)?.role != .reload
                guard isKept, let oldSection = update.oldSection(for: index) else {
                    return section(&random, items[index])
                }
                var kept = host.sections[oldSection]
                kept.items = items[index]
                return kept
            }
            layout.invalidate { $0.invalidatesDataSourceCounts = true }
            layout.prepare(applying: update)
            let scratch = host.lay(engine.make())
            let isEqual =
                layout.collectionViewContentSize == scratch.collectionViewContentSize
                && layout.everything == scratch.everything
            guard isEqual else {
                Issue.record("step \(step)")
                return
            }
        }
    }

    /// A caller that adds the adjustment to the old content size gets the new one.
    @Test(arguments: LayoutEngine.allCases)
    func theContentSizePlusItsAdjustmentIsTheNextSize(engine: LayoutEngine) {
        var random = SeededNumbers(seed: 1)
        let host = ScriptedHost((0..<3).map { _ in section(&random, []) })
        for index in host.sections.indices {
            host.sections[index].items = (0..<200).map { _ in size(&random) }
        }
        let layout = engine.make()
        (layout as? FlowLayout)?.estimatedItemSize = Size(width: 50, height: 50)
        (layout as? ListLayout)?.estimatesHeights = true
        _ = host.lay(layout)
        var mistakes = 0
        for _ in 0..<300 {
            let path = ItemPath(section: random.next(below: 3), item: random.next(below: 200))
            let known = layout.collectionViewContentSize.height
            guard let context = layout.prefer(size(&random), to: .cell(path)) else { continue }
            let sum = known + context.contentSizeAdjustment.height
            if sum != layout.collectionViewContentSize.height { mistakes += 1 }
        }
        #expect(mistakes == 0)
    }

    @Test func anExactSumDoesNotDependOnOrderOrGrouping() {
        for seed in 0..<Effort.number(200, usually: 40) {
            var random = SeededNumbers(seed: UInt64(seed))
            let numbers = (0..<(2 + random.next(below: 300))).map { _ in
                Double.random(in: 0.001...1e6, using: &random)
            }
            let sum = numbers.reduce(.zero) { $0 + ExactSum($1) }
            let backwards = numbers.shuffled(using: &random).reduce(.zero) { ExactSum($1) + $0 }
            var parts = numbers.map { ExactSum($0) }
            while parts.count > 1 {
                let index = random.next(below: parts.count - 1)
                parts[index] = parts[index] + parts.remove(at: index + 1)
            }
            #expect([backwards.value, parts[0].value] == [sum.value, sum.value], "seed \(seed)")
        }
        let tenths = (0..<10).reduce(ExactSum.zero) { sum, _ in sum + ExactSum(0.1) }
        let large = ExactSum(1e16) + ExactSum(1) + ExactSum(1)
        let endless = ExactSum(.greatestFiniteMagnitude) + ExactSum(.greatestFiniteMagnitude)
        #expect(
            [tenths.value, large.value, (endless + ExactSum(1)).value] == [1, 1e16 + 2, .infinity]
        )
    }
}
