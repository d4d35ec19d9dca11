import TestSupport
import Testing

@testable import CollectionLayouts

/// As tall as the section's context says, with nothing in it.
private struct ContextLayout: SectionLayout {
    final class Height: SectionContext {
        let value: Double
        init(_ value: Double) { self.value = value }
    }

    private struct Arrangement: SectionArrangement {
        let extent: Double
        var headerFrame: Rect? { nil }
        var footerFrame: Rect? { nil }
        var itemCount: Int { 0 }
        func frame(ofItem item: Int) -> Rect? { nil }
    }

    func prepare(_ input: SectionInput) -> any SectionArrangement {
        Arrangement(extent: (input.context as? Height)?.value ?? 1)
    }
}

@Suite("Section layouts and the contexts of their sections")
struct SectionLayoutContextTests {
    /// It stays with its section wherever that moves, and is asked for with those that come.
    @Test func aSectionLayoutIsGivenTheContextOfItsSection() throws {
        for seed in 0..<40 {
            var random = SeededNumbers(seed: UInt64(seed))
            func section(_ count: Int) -> ScriptedSection {
                var section = ScriptedSection.uniform(count, 1, 1)
                let height = Double(1 + random.next(below: 9))
                if random.chance(0.8) { section.context = ContextLayout.Height(height) }
                return section
            }
            let host = ScriptedHost((0..<6).map { section($0) })
            let layout = host.lay(ComposedLayout(defaultLayout: ContextLayout()))
            for step in 0..<10 {
                let drawn = RandomUpdate(from: host.shape, &random, rate: 0.3)
                let update = try drawn.changes.validated(from: host.shape, to: drawn.newShape)
                let old = host.sections
                let sections = drawn.newShape.itemCounts.enumerated().map { index, count in
                    var fresh = section(count)
                    let role = update.sectionInsertions.first { $0.section == index }?.role
                    if role != .reload, let origin = update.oldSection(for: index) {
                        fresh.context = old[origin].context
                    }
                    return fresh
                }
                try layout.update(host, to: sections) { changes in
                    for operation in drawn.changes.operations { changes.record(operation) }
                }
                let extents = sections.indices.map { layout.frame(ofSection: $0)?.size.height }
                let heights = sections.map { ($0.context as? ContextLayout.Height)?.value ?? 1 }
                #expect(extents == heights, "seed \(seed), step \(step)")
            }
        }
    }

    @Test func anInputThatIsMadeByHandReadsItsContextToo() {
        let context = MetricsContext(
            SectionMetrics(itemSize: Size(width: 3, height: 4), lineSpacing: 5, headerExtent: 6)
        )
        let input = SectionInput(
            acrossExtent: 10,
            itemCount: 2,
            context: context,
            metrics: SectionMetrics(lineSpacing: 7)
        ) { $0 == 0 ? Size(width: 1, height: 2) : nil }
        #expect(input.context === context)
        #expect(input.metrics.lineSpacing == 7 && input.headerExtent == 6)
        #expect(input.footerExtent == nil)
        #expect((0..<2).map(input.size) == [Size(width: 1, height: 2), Size(width: 3, height: 4)])
    }
}
