import TestSupport
import Testing

@testable import CollectionLayouts

/// Sizes that are none, and other mistakes: an error value, and a layout all the same.
@Suite struct FlowLayoutMistakeTests {
    @Test func sizesThatAreNoneCountAsZero() {
        let bad = [
            Size(width: -1, height: 5), Size(width: .nan, height: 5),
            Size(width: 5, height: .infinity),
        ]
        let host = ScriptedHost([ScriptedSection(items: bad + [Size(width: 10, height: 20)])])
        let layout = host.lay(FlowLayout())
        #expect(layout.errors.map(\.code) == [.itemSize, .itemSize, .itemSize])
        #expect(layout.errors[1].place == .cell(ItemPath(section: 0, item: 1)))
        #expect(
            layout.errors[0].message.hasPrefix(
                "Collection view delegate returned a negative size {-1.0, 5.0} from"
                    + " -collectionView:layout:sizeForItemAtIndexPath: for item 0 in section 0,"
                    + " which is not supported by flow layout."
            )
        )
        #expect(layout.frame(ofItem: ItemPath(section: 0, item: 2))?.size == .zero)
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 20))
    }

    @Test func metricsThatAreNoneCountAsZero() {
        var section = ScriptedSection.uniform(2, 200, 50)
        section.header = -4
        section.footer = .infinity
        section.line = -3
        section.interitem = .nan
        section.inset = EdgeInsets(top: .nan)
        let layout = ScriptedHost([section]).lay(FlowLayout())
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 100))
        #expect(
            layout.errors.map(\.code) == [
                .spacing, .spacing, .spacing, .supplementarySize, .supplementarySize,
            ]
        )
        #expect(
            layout.errors[3].message.contains(
                "Negative sizes of headers are not supported by flow layout. Invalid size:"
            )
        )
    }

    /// The sign of what is no number differs from machine to machine.
    @Test(arguments: [Double.nan, -Double.nan, .infinity])
    func whatIsNoNumberIsNotNegative(_ extent: Double) {
        var section = ScriptedSection.uniform(1, 50, 50)
        section.header = extent
        let layout = ScriptedHost([section]).lay(FlowLayout())
        #expect(layout.errors.count == 1)
        #expect(layout.errors[0].message.hasPrefix("Infinite sizes of headers"))
    }

    @Test func aMillionMistakesAreCountedAndSomeKept() {
        let bad = Array(repeating: Size?(Size(width: -1, height: 1)), count: 1000)
        let layout = ScriptedHost([ScriptedSection(items: bad)]).lay(FlowLayout())
        #expect(layout.errorCount == 1000 && layout.errors.count == 64)
    }

    @Test func anotherLayoutsContextInvalidatesEverything() {
        let host = ScriptedHost([.uniform(1, 50, 50)])
        let layout = host.lay(FlowLayout())
        layout.invalidateLayout(with: LayoutInvalidationContext())
        #expect(layout.errors.map(\.code) == [.invalidationContext])
        host.sections = [.uniform(1, 50, 70)]
        layout.prepare()
        #expect(layout.collectionViewContentSize.height == 70)
    }

    @Test func preparingWithinAQuestionDoesNothing() {
        let host = ScriptedHost([.uniform(2, 50, 50)])
        let layout = FlowLayout()
        host.metrics?.onSize = { layout.prepare() }
        #expect(host.lay(layout).collectionViewContentSize.height == 50)
        #expect(layout.errors.map(\.code) == [.reentrantPrepare, .reentrantPrepare])
    }

    @Test func aViewWithOtherCountsThanTheUpdateIsLaidOutAgain() throws {
        let host = ScriptedHost([.uniform(2, 50, 50)])
        let layout = host.lay(FlowLayout())
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(section: 0, item: 0)])
        let update = try changes.validated(from: [2], to: [3])
        host.sections = [.uniform(14, 50, 50)]
        let context = FlowLayoutInvalidationContext()
        context.invalidatesDataSourceCounts = true
        layout.invalidateLayout(with: context)
        layout.prepare(applying: update)
        #expect(layout.collectionViewContentSize.height == 170)
    }

    @Test(arguments: 0..<Effort.number(200, usually: 60))
    func nothingTraps(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let values: [Double] = [
            0, -0.0, 1, 100, 320, -1, .nan, .infinity, -.infinity, 1e-300, 1e300,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e17, -1e17,
        ]
        func value() -> Double { values[random.next(below: values.count)] }
        func inset() -> EdgeInsets {
            EdgeInsets(top: value(), left: value(), bottom: value(), right: value())
        }
        let host = ScriptedHost(width: value(), height: value())
        if random.chance(0.7) { host.bounds.size = Size(width: 320, height: 480) }
        host.displayScale = value()
        host.isRightToLeft = random.chance(0.3)
        if random.chance(0.3) { host.adjustedContentInset = inset() }
        for _ in 0..<3 {
            let size = Size(width: value(), height: value())
            var section = ScriptedSection()
            for _ in 0..<random.next(below: 8) {
                let other = Size(width: value(), height: value())
                section.items.append(random.chance(0.5) ? size : other)
            }
            if random.chance(0.5) { section.inset = inset() }
            (section.line, section.interitem) = (value(), value())
            (section.header, section.footer) = (value(), value())
            host.sections.append(section)
        }
        let layout = FlowLayout()
        if random.chance(0.5) { layout.scrollDirection = .horizontal }
        if random.chance(0.3) { layout.estimatedItemSize = Size(width: value(), height: value()) }
        layout.sectionHeadersPinToVisibleBounds = random.chance(0.5)
        layout.sectionFootersPinToVisibleBounds = random.chance(0.5)
        _ = host.lay(layout)
        for _ in 0..<10 {
            let rect = Rect(x: value(), y: value(), width: value(), height: value())
            _ = layout.layoutAttributesForElements(in: rect)
            if layout.shouldInvalidateLayout(forBoundsChange: rect) {
                layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: rect))
            }
            host.bounds = rect
            layout.prepare()
            _ = layout.everything(in: host)
        }
    }
}
