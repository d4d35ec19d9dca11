import PipelineTestSupport
import SimulatedView
import Testing

/// A view with a data source of views, a layout and a delegate, all in the test's thread.
///
/// By default a viewport of 100 × 30 over rows of 10, so that three are visible.
final class Bench<Layout: CollectionLayout> {
    let lane = ManualLane()
    let view: SimulatedCollectionView
    let source: RowSource
    let watcher = Watcher()
    let adapter: DataSourceAdapter

    init(
        _ sections: [[String]],
        _ layout: sending Layout,
        size: Size = Size(width: 100, height: 30),
        profile: ValidationProfile = .standard,
        clock: ManualClock? = nil
    ) throws {
        view = SimulatedCollectionView(
            size: size,
            layout: layout,
            logCapacity: 100_000,
            clock: clock
        )
        source = RowSource(sections)
        try view.register(TextCell.self, forCellWithReuseIdentifier: "row")
        for kind in [SupplementaryKind.header, .footer] {
            try view.register(
                TextHeader.self,
                forSupplementaryViewOfKind: kind,
                withReuseIdentifier: "header"
            )
        }
        view.delegate = watcher
        adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane, profile: profile)
    }

    var layout: Layout {
        guard let layout = view.collectionViewLayout as? Layout else {
            preconditionFailure("another layout")
        }
        return layout
    }

    // MARK: Doing

    /// Loads the view, and forgets how.
    func load() {
        lane.run()
        clear()
    }

    func clear() {
        view.clearEventLog()
        watcher.clear()
    }

    /// Lays the view out, with all turns that follow.
    func settle() {
        view.layoutIfNeeded()
        lane.run()
    }

    /// A batch that is shown at once, and all turns that follow.
    func update(
        animated isAnimated: Bool = false,
        _ updates: (RowSource, inout HierarchyChangeSet) throws -> Void
    ) throws {
        try adapter.performBatchUpdates(animated: isAnimated) { try updates(source, &$0) }
        lane.run()
    }

    // MARK: Looking

    /// What happened since the log was cleared, a line an event.
    var log: [String] { view.eventLog.map(\.description) }

    /// The lines that begin with one of these words.
    func log(_ words: String...) -> [String] {
        log.filter { line in words.contains { line.hasPrefix($0) } }
    }

    /// The visible rows, with the distance of each from the upper edge.
    var rows: [String] {
        view.visibleViews.filter { $0 is TextCell }.sorted { $0.frame.minY < $1.frame.minY }.map {
            let y = $0.frame.minY - view.bounds.minY
            return "\(y == y.rounded() ? "\(Int(y))" : "\(y)"): \(($0 as? TextCell)?.text ?? "")"
        }
    }

    func cell(_ section: Int, _ item: Int) -> TextCell? {
        view.cellForItem(at: ItemPath(section, item)) as? TextCell
    }

    /// Notes an issue where what is shown is not exactly what layout and model say, or where views came
    /// and went out of turn.
    func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        for mistake in mistakes {
            Issue.record("\(mistake) \(comment?.description ?? "")", sourceLocation: sourceLocation)
        }
    }

    /// What is wrong with what is shown.
    var mistakes: [String] {
        var found = watcher.contradictions + view.mistakes
        for cell in view.visibleCells {
            guard let cell = cell as? TextCell, let path = cell.attributes?.indexPath else {
                continue
            }
            let text = source.sections[path.section][path.item]
            if cell.text != text { found.append("\(path) shows \(cell.text) for \(text)") }
            // While a touch is down the others look deselected.
            if view.highlightedItem == nil,
                cell.isSelected != view.indexPathsForSelectedItems.contains(path)
            {
                found.append("\(path) looks \(cell.isSelected ? "" : "de")selected")
            }
        }
        if Set(watcher.displayed.keys) != Set(view.visibleViews.map(ObjectIdentifier.init)) {
            found.append("announced: \(watcher.displayed.values.sorted())")
        }
        return found
    }
}

extension SimulatedCollectionView {
    /// The messages of errors that are not of sizes that a layout was given.
    var ownErrors: [String] { errors.filter { $0.code != .layout }.map(\.message) }

    /// What is shown though the layout does not say so, or the other way round; an offset beyond the
    /// content's ends; and errors.
    var mistakes: [String] {
        var found = ownErrors
        let wanted = collectionViewLayout.layoutAttributesForElements(in: bounds).filter {
            !$0.isHidden && $0.frame.intersects(bounds) && !bounds.isEmpty
        }
        let shown = visibleViews.compactMap(\.attributes)
        let missing = Set(wanted).subtracting(shown)
        let surplus = Set(shown).subtracting(wanted)
        if !missing.isEmpty { found.append("missing: \(missing.map(\.place).sorted())") }
        if !surplus.isEmpty { found.append("surplus: \(surplus.map(\.place).sorted())") }
        let (inset, content) = (adjustedContentInset, contentSize)
        let low = Point(x: -inset.left, y: -inset.top)
        let high = Point(
            x: max(low.x, content.width + inset.right - bounds.size.width),
            y: max(low.y, content.height + inset.bottom - bounds.size.height)
        )
        let offset = bounds.origin
        if offset.x < low.x || offset.y < low.y || offset.x > high.x || offset.y > high.y {
            found.append("offset \(offset) is beyond \(low) to \(high)")
        }
        return found
    }
}

extension SimulatedCollectionView {
    /// Where look-ups by path, by view and by kind do not agree with what is visible.
    var lookUpMistakes: [String] {
        var found: [String] = []
        func expect(_ isSo: Bool, _ text: @autoclosure () -> String) {
            if !isSo { found.append(text()) }
        }
        let places = visibleViews.compactMap(\.attributes?.place)
        expect(places == places.sorted() && Set(places).count == places.count, "order \(places)")
        for (place, view) in zip(places, visibleViews) {
            expect(visibleView(at: place) === view && self.place(of: view) == place, "at \(place)")
        }
        let paths = places.filter { $0.category == .cell }.map(\.path)
        expect(indexPathsForVisibleItems == paths, "items \(paths)")
        expect(visibleCells.map { indexPath(for: $0) } == paths, "cells of \(paths)")
        let cells = paths.map { cellForItem(at: $0) }
        expect(zip(cells, visibleCells).allSatisfy { $0 === $1 }, "cells at \(paths)")
        for cell in visibleCells {
            let found = indexPathForItem(at: cell.frame.center).flatMap { cellForItem(at: $0) }
            let isThere = found?.frame.contains(cell.frame.center) == true
            let isInFront = (found?.attributes?.zIndex ?? 0) >= (cell.attributes?.zIndex ?? 0)
            expect(isThere && isInFront || cell.frame.isEmpty, "touched at \(cell.frame.center)")
        }
        for kind in [SupplementaryKind.header, .footer] {
            let paths = places.filter { $0.category == .supplementary(kind) }.map(\.path)
            let found = indexPathsForVisibleSupplementaryElements(ofKind: kind)
            expect(found == paths, "\(kind) at \(paths)")
            let views = visibleSupplementaryViews(ofKind: kind)
            let same = zip(paths, views).allSatisfy {
                supplementaryView(forElementKind: kind, at: $0) === $1
            }
            expect(same && views.count == paths.count, "\(kind) views at \(paths)")
        }
        let nowhere = ItemPath(section: -1, item: 70)
        expect(cellForItem(at: nowhere) == nil && place(of: TextCell()) == nil, "nowhere")
        return found
    }
}

extension Bench where Layout == RowLayout {
    convenience init(_ sections: [[String]], height: Double = 30) throws {
        try self.init(sections, RowLayout(), size: Size(width: 100, height: height))
    }
}

/// Texts named after their numbers.
func texts(_ count: Int, _ word: String = "") -> [String] { (0..<count).map { "\(word)\($0)" } }
