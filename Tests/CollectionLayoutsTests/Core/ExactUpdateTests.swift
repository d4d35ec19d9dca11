import TestSupport
import Testing

@testable import CollectionLayouts

/// Sizes that are no round numbers: sums of them depend on the order in which they are added, unless somebody
/// sees to that.
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

    @Test(arguments: LayoutEngine.allCases, 0..<Effort.number(8, usually: 3))
    func anUpdatedLayoutEqualsOneFromScratchToTheLastDigit(engine: LayoutEngine, seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let host = ScriptedHost()
        // Pixels would hide the last digits.
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
            let context = type(of: layout).invalidationContextClass.init()
            context.invalidatesDataSourceCounts = true
            layout.invalidateLayout(with: context)
            layout.prepare(applying: update)
            let scratch = host.lay(engine.make())
            #expect(
                layout.collectionViewContentSize == scratch.collectionViewContentSize,
                "step \(step)"
            )
            let (found, expected) = (
                LayoutAttributes.sorted(layout.layoutAttributesForElements(in: everywhere)),
                LayoutAttributes.sorted(scratch.layoutAttributesForElements(in: everywhere))
            )
            #expect(found.count == expected.count)
            let first = zip(found, expected).first { $0 != $1 }
            #expect(first == nil, "step \(step)")
            let byPath = expected.allSatisfy { layout.layoutAttributes(for: $0.place) == $0 }
            #expect(byPath, "step \(step)")
        }
    }
}

extension ExactUpdateTests {
    @Test(arguments: LayoutEngine.allCases)
    func aContentSizeWithItsAdjustmentIsTheNextContentSize(engine: LayoutEngine) {
        var random = SeededNumbers(seed: 1)
        let host = ScriptedHost((0..<3).map { _ in section(&random, []) })
        for index in host.sections.indices {
            host.sections[index].items = (0..<200).map { _ in size(&random) }
        }
        let layout = engine.make()
        (layout as? FlowLayout)?.estimatedItemSize = Size(width: 50, height: 50)
        (layout as? ListLayout)?.estimatesHeights = true
        _ = host.lay(layout)
        for _ in 0..<500 {
            let path = ItemPath(section: random.next(below: 3), item: random.next(below: 200))
            guard let original = layout.layoutAttributesForItem(at: path) else { continue }
            let known = layout.collectionViewContentSize.height
            guard let context = layout.prefer(size(&random), to: original) else { continue }
            #expect(
                known + context.contentSizeAdjustment.height
                    == layout.collectionViewContentSize.height
            )
        }
    }
}

@Suite("Sums that do not depend on an order")
struct ExactSumTests {
    @Test
    func anyOrderAndGroupingGivesTheSameSum() {
        for seed in 0..<Effort.number(200, usually: 60) {
            var random = SeededNumbers(seed: UInt64(seed))
            let numbers = (0..<(2 + random.next(below: 300))).map { _ in
                Double.random(in: 0.001...1e6, using: &random)
            }
            let sum = numbers.reduce(.zero) { $0 + ExactSum($1) }
            let backwards = numbers.shuffled(using: &random).reduce(.zero) { ExactSum($1) + $0 }
            #expect(sum.value == backwards.value)
            #expect(abs(sum.value - numbers.reduce(0, +)) < 1e-3)
            var parts = numbers.map { ExactSum($0) }
            while parts.count > 1 {
                let index = random.next(below: parts.count - 1)
                parts[index] = parts[index] + parts.remove(at: index + 1)
            }
            #expect(parts.map(\.value) == [sum.value])
        }
    }

    @Test
    func aSumIsRoundedOnce() {
        let tenths = (0..<10).reduce(ExactSum.zero) { sum, _ in sum + ExactSum(0.1) }
        #expect(tenths.value == 1)
        #expect((ExactSum(1e16) + ExactSum(1) + ExactSum(1)).value == 1e16 + 2)
    }

    @Test
    func whatIsTooLargeToAddStaysInfinite() {
        let sum = ExactSum(.greatestFiniteMagnitude) + ExactSum(.greatestFiniteMagnitude)
        #expect((sum + ExactSum(1)).value == .infinity)
        #expect((ExactSum(.infinity) + ExactSum(.infinity)).value == .infinity)
    }
}
