import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The initial and final attributes of some views; the others fade in place.
private func distantAttributes(_ place: LayoutPlace, _ y: Double) -> LayoutAttributes? {
    guard !place.path.item.isMultiple(of: 3) else { return nil }
    return LayoutAttributes(place, frame: Rect(x: -50, y: y, width: 40, height: 4))
}

/// The animation options of an update's edits.
private struct Options {
    let changes: ValidatedChangeSet

    func isUnanimated(new place: LayoutPlace) -> Bool {
        let section = place.path.section
        let option =
            place.category == .cell
            ? changes.animation(ofNewItem: place.path)
            : changes.animation(ofReloaded: .header, inNewSection: section)
                ?? changes.animation(ofNewSection: section)
        return option == AnimationOption.none
    }

    func isUnanimated(old place: LayoutPlace) -> Bool {
        let section = place.path.section
        let reloaded = changes.newSection(for: section).flatMap {
            changes.animation(ofReloaded: .header, inNewSection: $0)
        }
        let option =
            place.category == .cell
            ? changes.animation(ofOldItem: place.path)
            : reloaded ?? changes.animation(ofOldSection: section)
        return option == AnimationOption.none
    }
}

/// The state of a view before or after an update, by the names of its contents.
private struct Moment {
    var places: [String: LayoutPlace] = [:]
    var shown: [(name: String, attributes: LayoutAttributes)] = []
    let offset: Point

    init(_ bench: Bench<SheetLayout>, _ sheet: Sheet) {
        let view = bench.view
        offset = view.contentOffset
        for (name, path) in sheet.places { places[name] = .cell(path) }
        for (index, section) in sheet.sections.enumerated() {
            places[section.header] = .header(index)
        }
        let names = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
        shown = bench.layout.layoutAttributesForElements(in: view.bounds)
            .filter { $0.frame.intersects(view.bounds) }.sorted { $0.place < $1.place }
            .map { (names[$0.place] ?? "", $0) }
    }

    func attributes(of name: String) -> LayoutAttributes? {
        shown.first { $0.name == name }?.attributes
    }
}

@Suite("Transitions", .endsHangs)
struct TransitionTests {
    @Test(arguments: 1...Effort.number(20, usually: 4) as ClosedRange<UInt64>)
    func animatedBoundsChangesHaveRemovalsThenTheRestByPlace(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try Bench([texts(20), texts(20, "b")], height: 60)
        let (view, layout) = (bench.view, bench.layout)
        layout.headerHeight = 6
        bench.load()
        layout.appearing = { distantAttributes($0, 7) }
        layout.disappearing = { distantAttributes($0, 9) }
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
                let end = distantAttributes(start.place, 9) ?? start.faded
                expected.append(
                    ViewTransition(oldPlace: start.place, newPlace: nil, start: start, end: end)
                )
            }
            for end in after {
                let start = before.first { $0.place == end.place }
                if start == end { continue }
                let from = start ?? distantAttributes(end.place, 7) ?? end.faded
                expected.append(
                    ViewTransition(
                        oldPlace: start?.place,
                        newPlace: end.place,
                        start: from,
                        end: end
                    )
                )
            }
            #expect(view.transitions == expected, "seed \(seed) step \(step)")
            bench.settle()
            bench.check("seed \(seed) step \(step)")
        }
    }

    private func model(
        _ old: Moment,
        _ new: Moment,
        _ options: Options,
        _ layout: SheetLayout
    ) -> [ViewTransition] {
        let shift = Point(x: new.offset.x - old.offset.x, y: new.offset.y - old.offset.y)
        var expected: [ViewTransition] = []
        for (name, start) in old.shown where new.places[name] == nil {
            if options.isUnanimated(old: start.place) { continue }
            expected.append(
                ViewTransition(
                    oldPlace: start.place,
                    newPlace: nil,
                    start: start.moved(by: shift),
                    end: (distantAttributes(start.place, 9) ?? start.faded).moved(by: shift)
                )
            )
        }
        for (name, end) in new.shown where !options.isUnanimated(new: end.place) {
            let isCell = end.place.category == .cell
            var oldPlace = isCell ? old.places[name] : nil
            let distant = distantAttributes(end.place, 7)
            // An item that was elsewhere in the content moves from there; a new item appears in
            // place.
            var start = oldPlace == nil ? distant : distant?.moved(by: shift)
            if let known = old.attributes(of: name) {
                (oldPlace, start) = (known.place, known.moved(by: shift))
                var inPlace = known.moved(by: shift)
                inPlace.place = end.place
                if inPlace == end { continue }
            }
            expected.append(
                ViewTransition(
                    oldPlace: oldPlace,
                    newPlace: end.place,
                    start: start ?? end.faded,
                    end: end
                )
            )
        }
        let left = old.shown.compactMap { name, start -> ViewTransition? in
            guard new.attributes(of: name) == nil, let place = new.places[name],
                !options.isUnanimated(new: place), let end = layout.layoutAttributes(for: place)
            else { return nil }
            return ViewTransition(
                oldPlace: start.place,
                newPlace: place,
                start: start.moved(by: shift),
                end: end
            )
        }
        return expected + left.sorted { $0.end.place < $1.end.place }
    }

    /// The views whose display ends, in the words of the log: those that end immediately, and all.
    private func ended(_ old: Moment, _ new: Moment, _ options: Options?) -> (
        Set<String>, Set<String>
    ) {
        var (immediate, all): (Set<String>, Set<String>) = ([], [])
        for (name, start) in old.shown where new.attributes(of: name) == nil {
            all.insert("didEndDisplaying \(start.place)")
            let isUnanimated =
                new.places[name].map { options?.isUnanimated(new: $0) }
                ?? options?.isUnanimated(old: start.place)
            if isUnanimated ?? true { immediate.insert("didEndDisplaying \(start.place)") }
        }
        return (immediate, all)
    }

    /// Content scrolls both ways, layout and delegate set a new offset in every update, every edit
    /// has an option, and some updates are not animated.
    @Test(arguments: 1...Effort.number(60, usually: 10) as ClosedRange<UInt64>)
    func updatesHaveRemovalsThenVisibleViewsThenDepartures(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var sheet = Sheet([9, 9, 9])
        func makeLayout() -> SheetLayout {
            let layout = SheetLayout()
            layout.headerHeight = 6
            layout.appearing = { distantAttributes($0, 7) }
            layout.disappearing = { distantAttributes($0, 9) }
            return layout
        }
        let bench = try Bench(sheet.texts, makeLayout(), size: Size(width: 100, height: 80))
        bench.load()
        for step in 0..<25 {
            let comment: Comment = "seed \(seed) step \(step)"
            // Scrolling does not change the transitions; a change without animation clears them.
            let last = bench.view.transitions
            let x = Double(random.next(below: 200) - 100)
            bench.view.scroll(by: Point(x: x, y: Double(random.next(below: 200) - 90)))
            bench.settle()
            #expect(bench.view.transitions == last, comment)
            let choice = random.next(below: 8)
            let height = bench.view.size.height == 80 ? 85.0 : 80
            switch choice {
            case 0: bench.view.resize(to: Size(width: 100, height: height))
            case 1: bench.view.setCollectionViewLayout(makeLayout())
            case 2:
                bench.adapter.reloadData()
                bench.settle()
            case 3: try bench.update { _, _ in }
            default: bench.view.resize(to: bench.view.size)
            }
            #expect(bench.view.transitions == (choice < 4 ? [] : last), comment)
            bench.settle()
            let target = Point(
                x: Double(random.next(below: 200)),
                y: Double(random.next(below: 60))
            )
            let setsTarget = random.isTrue(oneIn: 2)
            bench.watcher.target = { setsTarget ? target : $0 }
            let update = try SheetUpdate(of: sheet, &random, rate: 0.15)
            let before = Moment(bench, sheet)
            let isAnimated = !random.isTrue(oneIn: 5)
            bench.clear()
            try bench.adapter.performBatchUpdates(animated: isAnimated) { changes in
                bench.source.sections = update.after.texts
                for operation in update.operations { changes.record(operation) }
            }
            sheet = update.after
            let after = Moment(bench, sheet)
            let options = Options(changes: update.changes)
            let expected = isAnimated ? model(before, after, options, bench.layout) : []
            #expect(bench.view.transitions == expected, comment)
            let (immediate, all) = ended(before, after, isAnimated ? options : nil)
            #expect(Set(bench.log("didEnd")) == immediate, comment)
            bench.lane.run()
            #expect(Set(bench.log("didEnd")) == all, comment)
            bench.check(comment)
        }
    }
}
