import CollectionLayouts
import TestSupport
import Testing

/// Where an option has something come from or go to, in its own widths and heights.
private struct Absence: CustomStringConvertible {
    let option: AnimationOption
    let x: Double
    let y: Double
    let alpha: Double

    var description: String { "\(option.rawValue)" }

    static let all = [
        Absence(option: .none, x: 0, y: 0, alpha: 1),
        Absence(option: .automatic, x: 0, y: 0, alpha: 0),
        Absence(option: .fade, x: 0, y: 0, alpha: 0),
        Absence(option: .leading, x: -1, y: 0, alpha: 1),
        Absence(option: .trailing, x: 1, y: 0, alpha: 1),
        Absence(option: .top, x: 0, y: -1, alpha: 1),
        Absence(option: .bottom, x: 0, y: 1, alpha: 1),
        Absence(option: AnimationOption(rawValue: 42), x: 0, y: 0, alpha: 0),
    ]

    func applied(to attributes: LayoutAttributes) -> LayoutAttributes {
        var absent = attributes
        absent.center.x += x * attributes.size.width
        absent.center.y += y * attributes.size.height
        absent.alpha *= alpha
        return absent
    }
}

/// The bundled layouts, one with decorations.
private enum Arrangement: CaseIterable {
    case flow, list, composed, pager

    func make() -> CollectionLayout {
        switch self {
        case .flow: FlowLayout()
        case .list: ListLayout()
        case .composed:
            ComposedLayout(defaultLayout: FlowSectionLayout().background(.background))
        case .pager: PagerLayout()
        }
    }
}

/// A change of two sections of three rows with headers, and what it names.
private struct Change: Sendable {
    let name: String
    let counts: [Int]
    let record: @Sendable (inout HierarchyChangeSet, AnimationOption) -> Void
    var coming: [LayoutPlace] = []
    var going: [LayoutPlace] = []
    /// What moves, by where it is now.
    var moving: [LayoutPlace: LayoutPlace] = [:]

    static func whole(_ section: Int, _ count: Int = 3) -> [LayoutPlace] {
        [.header(section), .footer(section), .background(section)]
            + (0..<count).map { .cell(ItemPath(section, $0)) }
    }

    static let all = [
        Change(
            name: "insert",
            counts: [4, 3],
            record: { $0.insertItems(at: [ItemPath(0, 1)], animation: $1) },
            coming: [.cell(ItemPath(0, 1))]
        ),
        Change(
            name: "delete",
            counts: [3, 2],
            record: { $0.deleteItems(at: [ItemPath(1, 1)], animation: $1) },
            going: [.cell(ItemPath(1, 1))]
        ),
        Change(
            name: "reload",
            counts: [3, 3],
            record: { $0.reloadItems(at: [ItemPath(0, 2)], animation: $1) },
            coming: [.cell(ItemPath(0, 2))],
            going: [.cell(ItemPath(0, 2))]
        ),
        Change(
            name: "move",
            counts: [2, 4],
            record: { $0.moveItem(at: ItemPath(0, 1), to: ItemPath(1, 0), animation: $1) },
            moving: [.cell(ItemPath(1, 0)): .cell(ItemPath(0, 1))]
        ),
        Change(
            name: "insert section",
            counts: [3, 3, 3],
            record: { $0.insertSections([1], animation: $1) },
            coming: whole(1)
        ),
        Change(
            name: "delete section",
            counts: [3],
            record: { $0.deleteSections([0], animation: $1) },
            going: whole(0)
        ),
        Change(
            name: "reload section",
            counts: [3, 2],
            record: { $0.reloadSections([1], animation: $1) },
            coming: whole(1, 2),
            going: whole(1)
        ),
        Change(
            name: "move section",
            counts: [3, 3],
            record: { $0.moveSection(0, toSection: 1, animation: $1) },
            moving: [
                .header(1): .header(0), .background(1): .background(0),
                .cell(ItemPath(1, 2)): .cell(ItemPath(0, 2)),
            ]
        ),
        Change(
            name: "reload header",
            counts: [3, 3],
            record: {
                $0.reloadSupplementaries(ofKind: .header, in: [1], animation: $1)
            },
            coming: [.header(1)],
            going: [.header(1)],
            moving: [.header(0): .header(0), .footer(1): .footer(1)]
        ),
    ]
}

/// What comes, goes or is replaced is placed by its edit's option, in every layout.
@Suite("Animation options in layouts")
struct AnimationPlaceTests {
    private func section(_ count: Int) -> ScriptedSection {
        var section = ScriptedSection.uniform(count, 100, 10)
        (section.header, section.footer) = (6, 4)
        return section
    }

    private func expect(
        _ change: Change,
        _ absence: Absence,
        in layout: CollectionLayout,
        isRightToLeft: Bool,
        _ comment: Comment
    ) throws {
        let host = ScriptedHost([section(3), section(3)])
        host.isRightToLeft = isRightToLeft
        _ = host.lay(layout)
        var before: [LayoutPlace: LayoutAttributes] = [:]
        for place in Change.whole(0) + Change.whole(1) {
            before[place] = layout.layoutAttributes(for: place)
        }
        // It keeps nothing of its own, and so remembers what is shown.
        if layout is PagerLayout { host.bounds.size.width = 5_000 }
        try layout.update(host, to: change.counts.map(section)) {
            change.record(&$0, absence.option)
        }
        for place in change.coming {
            let expected = layout.layoutAttributes(for: place).map(absence.applied)
            #expect(layout.initialLayoutAttributes(forAppearing: place) == expected, comment)
        }
        for place in change.going {
            let expected = before[place].map(absence.applied)
            #expect(layout.finalLayoutAttributes(forDisappearing: place) == expected, comment)
        }
        for (now, then) in change.moving {
            var start = before[then]
            start?.place = now
            #expect(layout.initialLayoutAttributes(forAppearing: now) == start, comment)
            var end = layout.layoutAttributes(for: now)
            end?.place = then
            #expect(layout.finalLayoutAttributes(forDisappearing: then) == end, comment)
        }
    }

    @Test(arguments: Arrangement.allCases)
    private func everyOptionPlacesWhatEveryEditNames(_ arrangement: Arrangement) throws {
        for change in Change.all {
            for absence in Absence.all {
                try expect(
                    change,
                    absence,
                    in: arrangement.make(),
                    isRightToLeft: false,
                    "\(change.name) \(absence)"
                )
            }
        }
    }

    /// Headers and backgrounds are there to be placed, so that the table above is about them too.
    @Test func theLayoutsOfTheTableHaveWhatItNames() {
        let counts: [(Arrangement, Int)] = [(.flow, 5), (.list, 5), (.composed, 6), (.pager, 3)]
        for (arrangement, count) in counts {
            let host = ScriptedHost([section(3), section(3)])
            let layout = host.lay(arrangement.make())
            let found = Change.whole(1).compactMap { layout.layoutAttributes(for: $0) }
            #expect(found.count == count)
        }
    }

    @Test(arguments: Arrangement.allCases)
    private func fromRightToLeftTheLeadingEdgeIsTheRightOne(_ arrangement: Arrangement) throws {
        for change in Change.all {
            for (option, x) in [(.leading, 1), (.trailing, -1)] as [(AnimationOption, Double)] {
                let absence = Absence(option: option, x: x, y: 0, alpha: 1)
                let layout = arrangement.make()
                try expect(change, absence, in: layout, isRightToLeft: true, "\(change.name)")
            }
        }
    }

    /// One edit's option says nothing of another's, nor of what makes room.
    @Test(arguments: LayoutEngine.allCases)
    func everyEditOfAnUpdateHasItsOwn(engine: LayoutEngine) throws {
        let host = ScriptedHost([section(4), section(2)])
        let layout = host.lay(engine.make())
        let before = (0..<4).map { layout.layoutAttributesForItem(at: ItemPath(0, $0)) }
        try layout.update(host, to: [section(3), section(3), section(2)]) { changes in
            changes.deleteItems(at: [ItemPath(0, 0)], animation: .leading)
            changes.deleteItems(at: [ItemPath(0, 1)], animation: .top)
            changes.insertItems(at: [ItemPath(0, 2)], animation: .trailing)
            changes.insertSections([1], animation: .bottom)
        }
        let (left, up, right) = (Absence.all[3], Absence.all[5], Absence.all[4])
        func going(_ item: Int) -> LayoutAttributes? {
            layout.finalLayoutAttributes(forDisappearing: .cell(ItemPath(0, item)))
        }
        #expect(going(0) == before[0].map(left.applied))
        #expect(going(1) == before[1].map(up.applied))
        #expect(going(2)?.frame == layout.layoutAttributesForItem(at: ItemPath(0, 0))?.frame)
        let came = LayoutPlace.cell(ItemPath(0, 2))
        let start = layout.initialLayoutAttributes(forAppearing: came)
        #expect(start == layout.layoutAttributes(for: came).map(right.applied))
        let header = layout.initialLayoutAttributes(forAppearing: .header(1))
        #expect(header == layout.layoutAttributes(for: .header(1)).map(Absence.all[6].applied))
        let stayed = layout.initialLayoutAttributes(forAppearing: .cell(ItemPath(0, 0)))
        #expect(stayed?.frame == before[2]?.frame && stayed?.alpha == 1)
    }

    /// A number of an application's own, in a layout of its own.
    @Test func aSubclassGivesItsNumbersAMeaning() throws {
        final class Zooming: ListLayout {
            var asked: [Int] = []

            override func absentLayoutAttributes(
                for attributes: LayoutAttributes,
                animation: AnimationOption
            ) -> LayoutAttributes {
                asked.append(animation.rawValue)
                guard animation.rawValue == 100 else {
                    return super.absentLayoutAttributes(for: attributes, animation: animation)
                }
                var small = attributes
                small.transform = AffineTransform(a: 0.5, b: 0, c: 0, d: 0.5, tx: 0, ty: 0)
                return small
            }
        }
        let host = ScriptedHost([section(2)])
        let layout = host.lay(Zooming())
        try layout.update(host, to: [section(3)]) { changes in
            changes.insertItems(at: [ItemPath(0, 0)], animation: AnimationOption(rawValue: 100))
            changes.insertItems(at: [ItemPath(0, 1)], animation: .leading)
            changes.deleteItems(at: [ItemPath(0, 1)], animation: AnimationOption(rawValue: 100))
        }
        func coming(_ item: Int) -> LayoutAttributes? {
            layout.initialLayoutAttributes(forAppearing: .cell(ItemPath(0, item)))
        }
        #expect(coming(0)?.frame.size == Size(width: 160, height: 5) && coming(0)?.alpha == 1)
        #expect(coming(1)?.frame.minX == -320)
        let going = layout.finalLayoutAttributes(forDisappearing: .cell(ItemPath(0, 1)))
        #expect(going?.frame.size == Size(width: 160, height: 5))
        #expect(Set(layout.asked) == [100, 3])
    }
}
