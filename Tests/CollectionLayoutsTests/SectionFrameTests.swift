import TestSupport
import Testing

@testable import CollectionLayouts

extension CollectionLayout {
    fileprivate func sectionFrame(_ section: Int) -> Rect? {
        switch self {
        case let flow as FlowLayout: flow.frame(ofSection: section)
        case let list as ListLayout: list.frame(ofSection: section)
        case let composed as ComposedLayout: composed.frame(ofSection: section)
        default: nil
        }
    }
}

@Suite("The frames of sections")
struct SectionFrameTests {
    @Test func aSectionOfAComposedLayoutIsWhereTheNaiveOneIsAfterEveryUpdate() throws {
        var random = SeededNumbers(seed: 7)
        for round in 0..<60 {
            let composition = RandomComposition(&random)
            let host = composition.host
            let layout = composition.makeLayout()
            layout.features = [StickyHeaders(pinsFooters: true)]
            layout.prepare()
            for step in 0..<8 {
                let draft = RandomUpdate(from: host.shape, &random, rate: 0.3)
                let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
                host.apply(update, &random)
                layout.prepare(applying: update)
                host.bounds.origin = Point(x: Double(random.next(below: 90)), y: 40)
                func aligned(_ value: Double) -> Double {
                    (value * host.displayScale).rounded() / host.displayScale
                }
                let expected = composition.naive().sectionFrames.map { frame in
                    Rect(
                        origin: Point(x: aligned(frame.minX), y: aligned(frame.minY)),
                        size: frame.size
                    )
                }
                let found = host.sections.indices.map(layout.frame(ofSection:))
                #expect(found == expected, "round \(round), step \(step)")
                for section in [-1, host.sections.count, .min, .max] {
                    #expect(layout.frame(ofSection: section) == nil)
                }
            }
        }
    }

    /// In every layout: what a section has lies within it, from its header to its footer, and sections lie one
    /// behind the other.
    @Test(arguments: LayoutEngine.allCases, ScrollDirection.allCases)
    func aSectionReachesFromItsHeaderToItsFooter(
        _ engine: LayoutEngine,
        _ direction: ScrollDirection
    ) throws {
        for isRightToLeft in [false, true] {
            let sections = (0..<5).map { number in
                ScriptedSection(
                    items: (0..<number * 3).map { Size(width: 20, height: Double(10 + $0)) },
                    inset: EdgeInsets(top: 3, left: 4, bottom: 5, right: 6),
                    header: 7,
                    footer: 9
                )
            }
            let host = ScriptedHost(sections)
            host.isRightToLeft = isRightToLeft
            let layout = host.lay(engine.make(direction))
            check(layout, host, engine == .list ? .vertical : direction)
            try layout.update(host, to: [sections[4], sections[2], sections[0], sections[3]]) {
                $0.deleteSections([1])
                $0.moveSection(4, toSection: 0)
                $0.moveSection(2, toSection: 1)
            }
            check(layout, host, engine == .list ? .vertical : direction)
        }
    }

    private func check(
        _ layout: CollectionLayout,
        _ host: ScriptedHost,
        _ direction: ScrollDirection
    ) {
        let isReversed = direction == .horizontal && host.isRightToLeft
        func interval(_ rect: Rect) -> [Double] {
            let ends =
                direction == .vertical ? [rect.minY, rect.maxY] : [rect.minX, rect.maxX]
            let extent = layout.collectionViewContentSize.along(direction)
            return isReversed ? ends.reversed().map { extent - $0 } : ends
        }
        var end = 0.0
        for section in host.sections.indices {
            guard let frame = layout.sectionFrame(section) else {
                Issue.record("no section \(section)")
                continue
            }
            #expect(
                frame.size.across(direction) == layout.collectionViewContentSize.across(direction)
            )
            #expect(interval(frame)[0] == end)
            end = interval(frame)[1]
            let header = layout.frame(.header(section)).map(interval)
            let footer = layout.frame(.footer(section)).map(interval)
            #expect(header?[0] == interval(frame)[0] && footer?[1] == end)
            for item in layout.frames(ofSection: section) {
                #expect(item.union(frame) == frame)
            }
        }
        #expect(end == layout.collectionViewContentSize.along(direction))
        for section in [-1, host.sections.count, .min, .max] {
            #expect(layout.sectionFrame(section) == nil)
        }
    }

    @Test(arguments: LayoutEngine.allCases)
    func beforePreparingAndWithoutASectionThereIsNoFrame(_ engine: LayoutEngine) {
        let host = ScriptedHost([.uniform(3, 10, 10)])
        let layout = engine.make()
        layout.attach(to: host)
        #expect(layout.sectionFrame(0) == nil)
        layout.prepare()
        #expect(layout.sectionFrame(0) != nil)
        host.sections = []
        let context = type(of: layout).invalidationContextClass.init()
        context.invalidatesEverything = true
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.sectionFrame(0) == nil)
    }
}
