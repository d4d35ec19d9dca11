import PipelineTestSupport
import Testing

@testable import SimulatedView

extension LayoutAttributes {
    fileprivate var invisible: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    fileprivate func moved(_ shift: Point) -> LayoutAttributes {
        var attributes = self
        attributes.center.x += shift.x
        attributes.center.y += shift.y
        return attributes
    }
}

/// Where some views come from and go to; the others fade at their place.
private func elsewhere(_ place: LayoutPlace, _ y: Double) -> LayoutAttributes? {
    guard !place.path.item.isMultiple(of: 3) else { return nil }
    return LayoutAttributes(place, frame: Rect(x: -50, y: y, width: 40, height: 4))
}

@Suite("Transitions as a model")
struct TransitionModelTests {
    private func identity(_ text: String) -> String { String(text.prefix { $0 != "'" }) }

    // MARK: Changes of the bounds

    @Test(arguments: Array(1...5) as [UInt64])
    func ofAnAnimatedChangeOfBoundsTheyAreWhatWentThenWhatCameOrMovedByPlace(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench([texts(20), texts(20, "b")], height: 60)
        let (view, layout) = (bench.view, bench.layout)
        layout.headerHeight = 6
        bench.load()
        layout.appearing = { elsewhere($0, 7) }
        layout.disappearing = { elsewhere($0, 9) }
        var count = 0
        for step in 0..<40 {
            view.scroll(by: Double(random.next(below: 300) - 150))
            bench.settle()
            let before = view.visibleViews.compactMap(\.attributes)
            layout.rowHeight = Double(5 + random.next(below: 20))
            layout.invalidatesForBounds = random.isTrue(oneIn: 2)
            let distance = Double(random.next(below: 40) - 20)
            layout.target = { Point(x: 0, y: $0.y + distance) }
            let size = Size(width: view.size.width + 1, height: Double(30 + random.next(below: 60)))
            view.resize(to: size, animated: true)
            let after = view.visibleViews.compactMap(\.attributes)
            var expected: [ViewTransition] = []
            for start in before where !after.contains(where: { $0.place == start.place }) {
                expected.append(
                    ViewTransition(
                        oldPlace: start.place,
                        newPlace: nil,
                        start: start,
                        end: elsewhere(start.place, 9) ?? start.invisible
                    )
                )
            }
            for end in after {
                let start = before.first { $0.place == end.place }
                if start == end { continue }
                expected.append(
                    ViewTransition(
                        oldPlace: start?.place,
                        newPlace: end.place,
                        start: start ?? elsewhere(end.place, 7) ?? end.invisible,
                        end: end
                    )
                )
            }
            #expect(view.transitions == expected, "seed \(seed) step \(step)")
            count += expected.count
            bench.settle()
            bench.check("seed \(seed) step \(step)")
        }
        #expect(count > 100)
    }

    // MARK: Updates

    /// The state of the view around an update, by the identities of items.
    private struct Moment {
        var places: [String: LayoutPlace] = [:]
        var shown: [(identity: String, attributes: LayoutAttributes)] = []
        var offset: Point

        init(_ bench: Bench<SheetLayout>, _ identity: (String) -> String) {
            let view = bench.view
            offset = view.contentOffset
            for (section, items) in bench.source.sections.enumerated() {
                for (item, text) in items.enumerated() {
                    places[identity(text)] = .cell(ItemPath(section, item))
                }
            }
            let names = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
            shown = bench.layout.layoutAttributesForElements(in: view.bounds)
                .filter { $0.frame.intersects(view.bounds) }.sorted { $0.place < $1.place }
                .map { (names[$0.place] ?? "", $0) }
        }

        func attributes(of identity: String) -> LayoutAttributes? {
            shown.first { $0.identity == identity }?.attributes
        }
    }

    private func model(
        _ old: Moment,
        _ new: Moment,
        _ layout: SheetLayout
    ) -> [ViewTransition] {
        let shift = Point(x: new.offset.x - old.offset.x, y: new.offset.y - old.offset.y)
        var expected: [ViewTransition] = []
        for (identity, start) in old.shown where new.places[identity] == nil {
            expected.append(
                ViewTransition(
                    oldPlace: start.place,
                    newPlace: nil,
                    start: start.moved(shift),
                    end: (elsewhere(start.place, 9) ?? start.invisible).moved(shift)
                )
            )
        }
        for (identity, end) in new.shown {
            let oldPlace = old.places[identity]
            let answer = elsewhere(end.place, 7)
            var start = oldPlace == nil ? answer : answer?.moved(shift)
            if let known = old.attributes(of: identity) {
                start = known.moved(shift)
                var inPlace = known.moved(shift)
                inPlace.place = end.place
                if inPlace == end { continue }
            }
            expected.append(
                ViewTransition(
                    oldPlace: oldPlace,
                    newPlace: end.place,
                    start: start ?? end.invisible,
                    end: end
                )
            )
        }
        let left: [ViewTransition] = old.shown.compactMap { identity, start in
            guard new.attributes(of: identity) == nil, let place = new.places[identity],
                let end = layout.layoutAttributesForItem(at: place.path)
            else { return nil }
            return ViewTransition(
                oldPlace: start.place,
                newPlace: place,
                start: start.moved(shift),
                end: end
            )
        }
        return expected
            + left.sorted {
                ($0.newPlace?.path ?? .init(0, 0)) < ($1.newPlace?.path ?? .init(0, 0))
            }
    }

    /// Content scrolls both ways, and layout and delegate go elsewhere with every update.
    @Test(arguments: Array(1...8) as [UInt64])
    func ofAnAnimatedUpdateTheyAreWhatWentThenWhatIsInSightThenWhatMovedOutOfIt(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var last = 0
        func fresh() -> String {
            last += 1
            return "\(last)"
        }
        let bench = try Bench(
            (0..<3).map { _ in (0..<9).map { _ in fresh() } },
            size: Size(width: 100, height: 80)
        )
        bench.load()
        bench.layout.appearing = { elsewhere($0, 7) }
        bench.layout.disappearing = { elsewhere($0, 9) }
        var count = 0
        for step in 0..<25 {
            let x = Double(random.next(below: 200) - 100)
            bench.view.scroll(by: Point(x: x, y: Double(random.next(below: 200) - 90)))
            bench.settle()
            let target = Point(
                x: Double(random.next(below: 200)),
                y: Double(random.next(below: 60))
            )
            let goesElsewhere = random.isTrue(oneIn: 2)
            bench.watcher.target = { goesElsewhere ? target : $0 }
            let model = bench.source.sections
            let shape = HierarchyShape(model.map(\.count))
            let drawn = RandomUpdate(from: shape, &random, rate: 0.15)
            let valid = try drawn.changes.validated(from: shape, to: drawn.newShape)
            let new = valid.texts(after: model, fresh: fresh)
            let before = Moment(bench, identity)
            try bench.adapter.performBatchUpdates { changes in
                bench.source.sections = new
                for operation in drawn.changes.operations { changes.record(operation) }
            }
            let expected = self.model(before, Moment(bench, identity), bench.layout)
            #expect(bench.view.transitions == expected, "seed \(seed) step \(step)")
            count += expected.count
            bench.settle()
            bench.check("seed \(seed) step \(step)")
        }
        #expect(count > 100)
    }

    // MARK: Views of the layout's own

    @Test func theLayoutIsAskedOnceOfEachKindInTheOrderOfPlaces() throws {
        let kind = SupplementaryKind(rawValue: "backdrop")
        let bench = try Bench([["a"], ["b"], ["c"]], height: 60)
        bench.layout.headerHeight = 4
        bench.layout.decorationKind = kind
        bench.layout.register(Backdrop.self, forDecorationViewOfKind: kind)
        bench.load()
        try bench.update(animated: true) { source, changes in
            source.sections[2] = ["c", "d"]
            changes.insertItems(at: [ItemPath(2, 1)])
        }
        #expect(
            bench.log("layout indexPaths") == [
                "layout indexPathsToDelete header", "layout indexPathsToDelete decoration backdrop",
                "layout indexPathsToInsert header", "layout indexPathsToInsert decoration backdrop",
            ]
        )
        bench.check()
    }
}
