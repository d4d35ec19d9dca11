import TestSupport
import Testing

@testable import CollectionLayouts

/// Invalid values and other mistakes: the layout reports an error and continues.
@Suite("Errors of layouts")
struct LayoutErrorTests {
    private func sectionsWithInvalidValues() -> [ScriptedSection] {
        var second = ScriptedSection.uniform(1, 50, 50)
        (second.header, second.footer, second.line, second.interitem) = (-4, .infinity, -3, .nan)
        second.inset = EdgeInsets(top: .nan)
        let items = [Size(width: -1, height: 5), Size(width: 10, height: 20)]
        return [ScriptedSection(items: items), second]
    }

    /// Errors name the item or section with its index, and contain UIKit's texts.
    @Test(arguments: LayoutEngine.allCases)
    func anErrorNamesTheInvalidValueAndItsPlace(_ engine: LayoutEngine) {
        let host = ScriptedHost(sectionsWithInvalidValues())
        host.sections.append(ScriptedSection(items: [Size(width: .nan, height: .infinity)]))
        let layout = host.lay(engine.make())
        let found = layout.errors.map { LayoutModel.key($0) }
        let wide = "itemSize 2 - 0"
        let supplements = ["supplementarySize header 1 - 0", "supplementarySize footer 1 - 0"]
        let texts = layout.errors.map(\.message)
        func contains(_ text: String) -> Bool { texts.contains { $0.contains(text) } }
        switch engine {
        case .list:
            #expect(found == supplements + [wide])
            let text = "expected a height for the header at 1 - 0, found -4.0; it counts as zero"
            #expect(contains(text))
        case .flow:
            let distances = Array(repeating: "spacing in 1", count: 3)
            #expect(found == ["itemSize 0 - 0"] + distances + supplements + [wide])
            #expect(
                contains(
                    "Collection view delegate returned a negative size {-1.0, 5.0} from"
                        + " -collectionView:layout:sizeForItemAtIndexPath: for item 0 in section 0,"
                        + " which is not supported by flow layout."
                )
            )
            #expect(contains("Negative sizes of headers are not supported by flow layout."))
            #expect(contains("Infinite sizes of footers are not supported by flow layout."))
            #expect(contains("expected a valid interitem spacing for section 1, found nan"))
        case .composed:
            let distances = Array(repeating: "spacing in 1", count: 2)
            let expected =
                ["itemSize 0 - 0", "spacing in 1"] + supplements + distances + [wide, wide]
            #expect(found.sorted() == expected.sorted())
            #expect(
                contains(
                    "itemSize of item 0 in section 0: expected a finite size (negative sizes are"
                        + " not supported), found -1.0; it counts as 0"
                )
            )
            #expect(contains("supplementarySize of the footer of section 1: expected a finite"))
            #expect(contains("inset in section 1: expected a finite number, not negative, found"))
        }
        #expect(layout.frame(.header(1)) == nil && layout.frame(.footer(1)) == nil)
        #expect(layout.frames(ofSection: 2).map(\.size.height) == [0])
    }

    /// The layout keeps the oldest errors since everything was laid out; an update appends to them.
    @Test(arguments: LayoutEngine.allCases)
    func theFirstErrorsAreKeptAndAllAreCounted(_ engine: LayoutEngine) throws {
        let bad = Size(width: 5, height: -1)
        let host = ScriptedHost([ScriptedSection(items: Array(repeating: bad, count: 60))])
        let layout = host.lay(engine.make())
        #expect(layout.errorCount == 60 && layout.errors.count == 60)
        var sections = host.sections
        sections[0].items += Array(repeating: bad, count: 140)
        try layout.update(host, to: sections) {
            $0.insertItems(at: (60..<200).map { ItemPath(0, $0) })
        }
        let expected = (0..<64).map { LayoutPlace.cell(ItemPath(0, $0)) }
        #expect(layout.errorCount == 200 && layout.errors.map(\.place) == expected)
        layout.invalidateLayout()
        layout.prepare()
        #expect(
            layout.errorCount == 200 && layout.errors.count == 64,
            "an error is not counted twice"
        )
        // A reload of all data starts a new list.
        var changes = HierarchyChangeSet()
        changes.reloadData()
        let update = try changes.validated(from: [200], to: [1])
        host.sections = [.uniform(1, 9, 9)]
        layout.invalidate { $0.invalidatesDataSourceCounts = true }
        layout.prepare(applying: update)
        #expect(layout.errorCount == 0 && layout.errors.isEmpty)
        #expect(layout.initialLayoutAttributes(forAppearing: .cell(ItemPath(0, 0))) == nil)
    }

    @Test func aCustomLayoutReportsAndClearsErrors() {
        final class Own: CollectionLayout {
            override func prepare() {
                clearErrors()
                for number in 0..<70 { report(LayoutError(.itemSize, message: "\(number)")) }
            }
        }
        let layout = ScriptedHost().lay(Own())
        layout.prepare()
        #expect(layout.errorCount == 70)
        #expect(layout.errors.map(\.description) == (0..<64).map { "\($0)" })
    }

    @Test func preparingDuringAQueryDoesNothing() {
        for engine in [LayoutEngine.flow, .list] {
            let host = ScriptedHost([.uniform(2, 50, 50)])
            let layout = engine.make()
            host.onSize = { layout.prepare() }
            let height = host.lay(layout).collectionViewContentSize.height
            #expect(height == (engine == .flow ? 50 : 100) && host.queries.count == 3)
            let expected: [LayoutError.Code] = [.reentrantPrepare, .reentrantPrepare]
            #expect(layout.errors.map(\.code) == (engine == .flow ? expected : []))
        }
    }

    /// A property set during a query applies to the next pass.
    @Test func aPropertySetWhilePreparingAppliesToTheNextPass() {
        let host = ScriptedHost([ScriptedSection(items: [nil, nil], line: 0)], width: 50)
        for layout in [FlowLayout(), ListLayout()] as [CollectionLayout] {
            let isFirst = LiveCount()
            host.onSize = {
                guard isFirst.value == 0 else { return }
                isFirst.add(1)
                (layout as? FlowLayout)?.itemSize = Size(width: 50, height: 7)
                (layout as? ListLayout)?.sectionHeaderHeight = 7
            }
            let count = host.contexts.count
            _ = host.lay(layout)
            layout.prepare()
            let height = layout.collectionViewContentSize.height
            #expect(height == (layout is FlowLayout ? 14 : 95))
            #expect(host.contexts.count == count)
        }
    }

    // MARK: Counts

    @Test(arguments: LayoutEngine.allCases, [true, false])
    func mismatchedCountsLayOutEverything(_ engine: LayoutEngine, _ isSection: Bool) throws {
        // Another section comes first, so that the changed section does not have index 0.
        let host = ScriptedHost([.uniform(1, 50, 50), .uniform(2, 50, 50)])
        let layout = host.lay(engine.make())
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(1, 0)])
        let update = try changes.validated(from: [1, 2], to: [1, 3])
        // A composed layout uses the counts of the update.
        guard engine != .composed else { return }
        host.sections[1] = .uniform(isSection ? 3 : 9, 50, 50)
        if isSection { host.sections.append(.uniform(1, 5, 5)) }
        layout.invalidate { $0.invalidatesDataSourceCounts = true }
        layout.prepare(applying: update)
        let scratch = host.lay(engine.make())
        #expect(layout.everything == scratch.everything)
        guard engine == .flow else { return }
        let expected =
            isSection
            ? "expected 2 sections after the update, found 3"
            : "expected 3 items in section 1 after the update, found 9"
        #expect(layout.errors.map(\.code) == [.updateMismatch])
        #expect(layout.errors[0].message.hasPrefix(expected) && layout.errors[0].place == nil)
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errors.isEmpty, "the error does not stay")
    }

    /// A layout queries the count of an inserted section once and ignores other counts.
    @Test(arguments: LayoutEngine.allCases, [[3, 9], [9, 3], [0, 3]])
    func theCountThatMatchesTheUpdateIsLaidOut(_ engine: LayoutEngine, _ counts: [Int]) throws {
        let host = ScriptedHost([.uniform(2, 10, 10)])
        let layout = host.lay(engine.make())
        var changes = HierarchyChangeSet()
        changes.insertSections([1])
        let update = try changes.validated(from: [2], to: [2, 3])
        host.sections.append(.uniform(3, 10, 10))
        host.claimedItemCounts = [1: counts]
        layout.invalidate { $0.invalidatesDataSourceCounts = true }
        layout.prepare(applying: update)
        #expect(layout.frames(ofSection: 1).count == 3)
    }

    @Test func invalidCountsCountAsZero() {
        for count in [-1, Int.min, Int.max] {
            let host = ScriptedHost()
            let layout = host.lay(ComposedLayout())
            host.claimedSectionCount = count
            layout.invalidateLayout()
            layout.prepare()
            #expect(layout.errors.map(LayoutModel.key) == ["sectionCount"])
            host.claimedSectionCount = 3
            host.claimedItemCounts = [1: [count]]
            layout.invalidateLayout()
            layout.prepare()
            #expect(layout.errors.map(LayoutModel.key) == ["itemCount in 1"])
        }
        // Other layouts reject only negative counts.
        for engine in [LayoutEngine.flow, .list] {
            let host = ScriptedHost([.uniform(1, 9, 9)])
            host.claimedItemCounts = [0: [-7]]
            #expect(host.lay(engine.make()).frames() == [])
            host.claimedSectionCount = -1
            #expect(host.lay(engine.make()).collectionViewContentSize.height == 0)
        }
    }

    // MARK: Arbitrary values

    private static let values: [Double] = [
        0, -0.0, 1, 100, 320, -1, .nan, .infinity, -.infinity, 1e-300, 1e300,
        .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e17, -1e17,
    ]

    /// Uses arbitrary values in updates, as preferred sizes and at other bounds.
    @Test(arguments: LayoutEngine.allCases)
    func arbitraryValuesNeverTrap(_ engine: LayoutEngine) throws {
        for seed in 0..<UInt64(Effort.number(400, usually: 60)) {
            let draw = Draw(seed: seed)
            func value() -> Double { draw.chance(0.4) ? 10 : draw.one(of: Self.values) }
            func size() -> Size { Size(width: value(), height: value()) }
            func inset() -> EdgeInsets {
                EdgeInsets(top: value(), left: value(), bottom: value(), right: value())
            }
            func section(_ count: Int) -> ScriptedSection {
                let common = size()
                return ScriptedSection(
                    items: (0..<count).map { _ in draw.chance(0.5) ? common : size() },
                    inset: draw.chance(0.5) ? inset() : nil,
                    line: value(),
                    interitem: value(),
                    header: value(),
                    footer: value()
                )
            }
            let host = ScriptedHost((0..<3).map { _ in section(draw.below(8)) })
            if draw.chance(0.3) { host.bounds.size = size() }
            host.displayScale = value()
            host.isRightToLeft = draw.chance(0.3)
            if draw.chance(0.3) { host.adjustedContentInset = inset() }
            let layout = engine.make(draw.one(of: ScrollDirection.allCases))
            if let flow = layout as? FlowLayout {
                flow.estimatedItemSize = draw.chance(0.5) ? size() : .zero
                flow.sectionHeadersPinToVisibleBounds = draw.chance(0.5)
                flow.sectionFootersPinToVisibleBounds = draw.chance(0.5)
            }
            (layout as? ListLayout)?.estimatesHeights = draw.chance(0.5)
            if let composed = layout as? ComposedLayout {
                let columns = draw.one(of: [-1, 0, 3, Int.max, Int.min])
                let background = inset()
                composed.layoutProvider = { section, _ in
                    if section == 1 { return MasonrySectionLayout(columnCount: columns) }
                    return FlowSectionLayout().background(.background, insets: background)
                }
                composed.features = [StickyHeaders(pinsFooters: true)]
            }
            _ = host.lay(layout)
            for _ in 0..<6 {
                let rect = Rect(x: value(), y: value(), width: value(), height: value())
                _ = layout.layoutAttributesForElements(in: rect)
                if layout.shouldInvalidateLayout(forBoundsChange: rect) {
                    layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: rect))
                }
                host.bounds = rect
                var random = SeededNumbers(seed: seed)
                let drawn = RandomUpdate(from: host.shape, &random, rate: 0.3)
                try layout.update(host, to: drawn.newShape.itemCounts.map(section)) { changes in
                    for operation in drawn.changes.operations { changes.record(operation) }
                }
                host.bounds = Rect(x: 0, y: 0, width: 320, height: 480)
                layout.invalidateLayout()
                layout.prepare()
                for place in layout.everything.keys.sorted() {
                    layout.prefer(size(), to: place)
                    _ = layout.finalLayoutAttributes(forDisappearing: place)
                }
                // A composed layout always has finite attributes.
                let isNumber = layout.everything.values.allSatisfy {
                    $0.size.isValid && $0.center.x.isFinite && $0.center.y.isFinite
                }
                guard engine != .composed || isNumber else {
                    Issue.record("seed \(seed)")
                    return
                }
            }
        }
    }
}
