import CollectionPipeline
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

    // MARK: Actions

    /// Loads the view and clears the log.
    func load() {
        lane.run()
        clear()
    }

    func clear() {
        view.clearEventLog()
        watcher.clear()
    }

    /// Lays out the view and runs all turns that follow.
    func settle() {
        view.layoutIfNeeded()
        lane.run()
    }

    /// Performs an update, by default without animation, and runs all turns that follow.
    func update(
        animated isAnimated: Bool = false,
        _ updates: (RowSource, inout HierarchyChangeSet) throws -> Void
    ) throws {
        try adapter.performBatchUpdates(animated: isAnimated) { try updates(source, &$0) }
        lane.run()
    }

    // MARK: State

    /// The events since the log was cleared, one line per event.
    var log: [String] { view.eventLog.map(\.description) }

    /// The lines that begin with one of these words.
    func log(_ words: String...) -> [String] {
        log.filter { line in words.contains { line.hasPrefix($0) } }
    }

    /// The visible rows, each with its distance from the upper edge of the viewport.
    var rows: [String] {
        view.visibleViews.filter { $0 is TextCell }.sorted { $0.frame.minY < $1.frame.minY }.map {
            let y = $0.frame.minY - view.bounds.minY
            return "\(y == y.rounded() ? "\(Int(y))" : "\(y)"): \(($0 as? TextCell)?.text ?? "")"
        }
    }

    func cell(_ section: Int, _ item: Int) -> TextCell? {
        view.cellForItem(at: ItemPath(section, item)) as? TextCell
    }

    /// Records an issue if the visible views differ from the layout or the model, or if the
    /// delegate was notified of views in a wrong order.
    func check(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        for mistake in mistakes {
            Issue.record("\(mistake) \(comment?.description ?? "")", sourceLocation: sourceLocation)
        }
    }

    /// The differences between the visible views and what they should show.
    var mistakes: [String] {
        var found = watcher.contradictions + view.mistakes
        for cell in view.visibleCells {
            guard let cell = cell as? TextCell, let path = cell.attributes?.indexPath else {
                continue
            }
            let text = source.sections[path.section][path.item]
            if cell.text != text { found.append("\(path) shows \(cell.text) for \(text)") }
            // While a touch is active, the other items appear deselected.
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
    /// The messages of all errors except those about sizes in a layout.
    var ownErrors: [String] { errors.filter { $0.code != .layout }.map(\.message) }

    /// The differences between the visible views and the layout, an offset outside the content, and
    /// errors.
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
        // A view without extent keeps its offset until it has an extent again.
        if bounds.isEmpty { return found }
        let (inset, content) = (adjustedContentInset, contentSize)
        let low = Point(x: -inset.left, y: -inset.top)
        let high = Point(
            x: max(low.x, content.width + inset.right - bounds.size.width),
            y: max(low.y, content.height + inset.bottom - bounds.size.height)
        )
        let offset = bounds.origin
        if offset.x < low.x || offset.y < low.y || offset.x > high.x || offset.y > high.y {
            found.append("offset \(offset) is outside \(low) to \(high)")
        }
        return found
    }
}

extension SimulatedCollectionView {
    /// The lookups by path, by view and by kind that disagree with the visible views.
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

/// Texts that consist of an optional word and their index.
func texts(_ count: Int, _ word: String = "") -> [String] { (0..<count).map { "\(word)\($0)" } }

/// A view and the controller that feeds it, all on the test's thread.
class PipelineBench<Source: CollectionDataSource> {
    let simulation: Simulation
    let view: SimulatedCollectionView
    let controller: DataController<Source>

    init(
        _ simulation: Simulation,
        _ view: SimulatedCollectionView,
        _ controller: DataController<Source>
    ) {
        (self.simulation, self.view, self.controller) = (simulation, view, controller)
    }

    /// Calls a closure on the main lane and runs everything that follows.
    @discardableResult
    func onMain<Result>(_ body: @escaping (SimulatedCollectionView) -> Result) -> Result {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result?
        controller.lane.enqueue { [view] in result = body(view) }
        simulation.run()
        guard let result else {
            preconditionFailure("Expected the main lane to run the closure, but it did not")
        }
        return result
    }

    /// Submits an update without running the simulation.
    func submit(
        isAnimated: Bool = true,
        _ body: @escaping @Sendable (Source, inout BatchRecorder) -> Void
    ) {
        controller.enqueueBatchUpdates(animated: isAnimated) { source, changes in
            body(source, &changes)
        } completion: { _ in
        }
    }

    func update(_ body: @escaping @Sendable (Source, inout BatchRecorder) -> Void) {
        submit(body)
        simulation.run()
    }
}

/// A clock that advances only by the frames of its test. Scheduled work runs synchronously with the
/// frame and on no lane, so that nothing can run before it.
final class ManualClock: ForwardingEnvironment, @unchecked Sendable {
    // Unchecked: belongs to the one thread of the test that made it.
    private var numberOfFrames = 0
    private var waiting: [@Sendable () -> Void] = []

    /// The number of scheduled blocks that wait for a frame.
    var numberOfWaiting: Int { waiting.count }

    /// Computed from the number of frames, so that 60 frames are exactly one second.
    var now: Duration { .seconds(numberOfFrames) / 60 }

    let base: any PipelineEnvironment = DispatchEnvironment()

    func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) { waiting.append(work) }

    /// Advances by a number of frames and runs the scheduled work.
    ///
    /// - Parameter late: The number of frames that each frame is late by; the missed frames are
    ///   skipped.
    func frames(_ count: Int = 1, late: Int = 0) {
        for _ in 0..<count {
            numberOfFrames += 1 + late
            let due = waiting
            waiting = []
            for work in due { work() }
        }
    }
}
