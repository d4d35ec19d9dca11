import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineSimulation
@testable import PipelineTesting
@testable import SimulatedView

/// A watched view of 40 by 12 whose pipeline has loaded, for tests that forge its state.
///
/// With two sections of 20 items in a list, a header of 2 and six items of 1, 2, 3, 1, 2 and 3 are
/// visible.
final class WatchedStage: @unchecked Sendable {  // one thread
    private struct NoFates: FaultInjector {
        func happens(_ fault: FaultPoint) -> Bool { false }
        func pause() {}
    }

    /// The main lane. While nothing runs, the test is on it too, so that it can read the view.
    private final class MainLane: Lane {
        let label = "main"
        private let lane: any Lane
        private let isIdle = Lock(true)

        init(_ lane: any Lane) { self.lane = lane }

        var isCurrent: Bool { isIdle.withLock { $0 } || lane.isCurrent }

        func enqueue(_ work: @escaping @Sendable () -> Void) { lane.enqueue(work) }

        func run(_ simulation: Simulation) {
            isIdle.withLock { $0 = false }
            simulation.run()
            isIdle.withLock { $0 = true }
        }
    }

    private let simulation = Simulation(seed: 1, strategy: .inOrder)
    let nodes: WatchedNodes
    private let lane: MainLane
    let view: WatchedView
    private let notes: Journal<String>
    private let controller: DataController<ReferenceModel>
    var shown: SimulatedCollectionView { view.shown }

    init(
        _ layout: ViewPlan.Layout = .list,
        items: Int = 20,
        isMeasured: Bool = true,
        hasRanges: Bool = false
    ) {
        var random = SeededGenerator(seed: 1)
        var plan = ViewPlan(&random)
        (plan.layout, plan.sizesItself, plan.isPrefetching) = (layout, false, false)
        (plan.hasRanges, plan.hasFetcher, plan.isInverted) = (hasRanges, false, nil)
        (plan.width, plan.height) = (40, 12)
        let (notes, nodes) = (Journal<String>(), WatchedNodes(fates: NoFates()))
        (self.notes, self.nodes) = (notes, nodes)
        view = WatchedView(plan, fates: NoFates(), cells: LifeCount()) { text in
            notes.append("Simulated View: \(text)")
        }
        lane = MainLane(simulation.makeLane(label: "main"))
        nonisolated(unsafe) let model = ReferenceModel(nodes: nodes, sections: 2, items: items)
        controller = DataController(
            dataSource: model,
            view: view,
            lane: lane,
            environment: simulation.environment,
            layoutDelegate: isMeasured ? nil : IdleLayout()
        )
        view.visibleMap = { [weak controller] in controller?.visibleMap }
        view.reportRanges = { notes.append("Each State Once: \($0)") }
        view.nodesInRange = { nodes.numberInRange }
        lane.enqueue { [controller] in
            _ = try? controller.assumeIsolated().reloadData(completion: nil)
        }
        lane.run(simulation)
    }

    /// A layout that measures nothing.
    private final class IdleLayout: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> Int { 0 }
        func layout(_ map: ElementMap, in context: Int, measurer: LayoutMeasurer) -> Int { 0 }
    }

    /// Calls a closure on the main lane and runs everything that follows.
    func onMain(_ body: @escaping (WatchedStage) -> Void) {
        nonisolated(unsafe) let body = body
        lane.enqueue { [self] in body(self) }
        lane.run(simulation)
    }

    /// Returns the reports on the view at rest right after a forgery.
    func found(_ forge: @escaping Forger<WatchedStage>.Forgery) throws -> [String] {
        var result: Result<Void, any Error> = .success(())
        onMain { stage in
            stage.notes.removeAll()
            result = Result { try forge(stage) }
            stage.view.check(isAtRest: true)
        }
        try result.get()
        return notes.values
    }

    /// Returns the node of a shown item.
    func node(_ item: Int) throws -> WatchedNode {
        let element = try #require(shown.map.element(at: ItemPath(0, item)))
        return try #require(element.nodeIfAllocated as? WatchedNode)
    }

    /// Returns the visible cell of an item in the first section.
    func cell(_ item: Int) throws -> CollectionViewCell {
        let shown = shown.display.shown[.cell(ItemPath(0, item))]
        return try #require(shown?.view as? CollectionViewCell)
    }

    /// Gives the view a layout whose results differ from its own layout.
    func inconsistent(_ change: (InconsistentList) -> Void) -> WatchedStage {
        let layout = InconsistentList()
        change(layout)
        nonisolated(unsafe) let given = layout
        onMain { $0.shown.setCollectionViewLayout(given, animated: false) }
        return self
    }
}

/// A list whose results differ from its own layout.
final class InconsistentList: ListLayout {
    /// Changes the attributes of single items.
    var one: (LayoutAttributes) -> LayoutAttributes? = { $0 }

    override func layoutAttributesForItem(at path: ItemPath) -> LayoutAttributes? {
        super.layoutAttributesForItem(at: path).flatMap(one)
    }
}

@Suite("Every check of a watched view can fail", .endsHangs) struct ForgedViewTests {
    private static func makeForger(_ guarantee: String) -> Forger<WatchedStage> {
        Forger(breaking: guarantee, { WatchedStage() }) { stage, forge in try stage.found(forge) }
    }

    @Test(arguments: ViewPlan.Layout.allCases)
    func withoutAForgeryNothingIsReported(_ layout: ViewPlan.Layout) throws {
        for hasRanges in [false, true] {
            let stage = WatchedStage(layout, items: 3, hasRanges: hasRanges)
            stage.onMain { $0.view.perform(.scroll(25)) }
            #expect(try stage.found { _ in } == [])
        }
    }

    @Test func places() {
        let forger = Self.makeForger("Simulated View")
        forger.forge("the view shows generation 1, but 7 is visible") { stage in
            stage.view.visibleMap = { .empty(generation: 7) }
        }
        forger.forge("2 changes of layouts never completed") { $0.view.numberOfSwitches = 2 }
        forger.forge("the view met an error") { $0.shown.report(ViewError(.noView, "text")) }
        forger.forge("the layout met an error") { stage in
            (stage.shown.collectionViewLayout as? ListLayout)?.sectionFooterHeight = -1
            stage.shown.layoutIfNeeded()
        }
        forger.forge("the view refused an update") { $0.view.didReject(nil) }
        forger.forge("the view is busy at rest") { $0.shown.beginBusy() }
        let missing = WatchedStage().inconsistent { list in
            list.one = { $0.indexPath == ItemPath(1, 10) ? nil : $0 }
        }
        forger.forge("the layout has no place for item 1 - 10", in: missing) { _ in }
        let high = WatchedStage().inconsistent { list in
            list.one = { attributes in
                var attributes = attributes
                if attributes.place == .cell(ItemPath(1, 10)) { attributes.size.height = 9 }
                return attributes
            }
        }
        forger.forge("high, but it was measured as 2.0", in: high) { _ in }
        forger.forge("not shown: [0 - 1]") { stage in
            _ = stage.shown.display.shown.remove(.cell(ItemPath(0, 1)))
        }
        forger.forge("shown out of place: [0 - 1]") { try $0.cell(1).attributes?.alpha = 0.5 }
        forger.forge("displayed at rest") { stage in
            _ = stage.shown.display.shown.remove(.cell(ItemPath(0, 1)))
        }
        forger.forge("a view without extent shows something") { stage in
            stage.shown.viewport.bounds.size.height = 0
        }
        forger.forge("is beyond") { $0.shown.viewport.bounds.origin.y = -1 }
        forger.forge("nothing is hit in the middle of 0 - 1") { stage in
            stage.shown.display.shown[.cell(ItemPath(0, 1))]?.attributes.alpha = 0
        }
        forger.forge("0 - 2 is hit in the middle of 0 - 1") { stage in
            let other = try #require(stage.cell(1).attributes)
            stage.shown.display.shown[.cell(ItemPath(0, 2))]?.attributes.frame = other.frame
            stage.shown.display.shown[.cell(ItemPath(0, 2))]?.attributes.zIndex = 9
        }
        forger.forge("is seen at") { try $0.cell(1).attributes?.center = Point(x: 0, y: .infinity) }
        #expect(forger.faults == [])
    }

    @Test func contents() throws {
        let forger = Self.makeForger("Simulated View")
        forger.forge("a visible view has no place") { try $0.cell(1).attributes = nil }
        forger.forge("the view at 0 - 1 shows an older revision") { stage in
            try stage.cell(1).content = stage.cell(0).content
        }
        forger.forge("the view at 0 - 1 shows another element") { stage in
            try stage.cell(1).element = stage.cell(0).element
        }
        forger.forge("the node at 0 - 1 shows") { try $0.node(1).update(to: ModelItem(id: 99)) }
        forger.forge("the header of section 0 is that of") { stage in
            let header = stage.shown.display.shown[.header(0)]?.view.element
            let node = try #require(header?.nodeIfAllocated as? WatchedNode)
            node.update(to: ModelItem(id: -2))
        }
        let unmeasured = WatchedStage(isMeasured: false)
        forger.forge("is near at rest, and was never measured", in: unmeasured) { _ in }
        forger.forge("the cell of 0 - 1 looks selected") { try $0.cell(1).isSelected = true }
        forger.forge(
            "measured for other sizes than the view offers",
            in: WatchedStage(items: 2)
        ) { $0.shown.viewport.bounds.size.width = 30 }
        for part in ["the content is", "item 0 - 5 is laid out at", "section 1 is laid out"] {
            let stage = WatchedStage(.flow)
            stage.onMain { stage in
                (stage.shown.collectionViewLayout as? FlowLayout)?.minimumLineSpacing = 3
            }
            forger.forge(part, in: stage) { $0.view.preparesLayout = true }
        }
        #expect(forger.faults == [])
    }

    @Test func rangesAndSelection() {
        let forger = Self.makeForger("Each State Once")
        func ranged() -> WatchedStage { WatchedStage(hasRanges: true) }
        forger.forge("the node at 0 - 1 was told preload, display", in: ranged()) {
            try $0.node(1).didExitVisibleState()
        }
        forger.forge("the node at 0 - 1 was told nil", in: ranged()) { stage in
            try stage.node(1).viewed.withLock { $0.rect = nil }
        }
        forger.forge("nodes think that they are in range", in: ranged()) { $0.nodes.noteInRange(1) }
        forger.forge("0 - 6 is in preload, display", in: ranged()) { stage in
            for type in RangeType.allCases {
                stage.shown.rangeController?.setTuningParameters(.zero, for: type, in: .minimum)
            }
        }
        let far = ranged()
        far.onMain { $0.view.perform(.scroll(600)) }
        forger.forge("left all ranges, and was not released", in: far) { stage in
            stage.view.releasesNodes = true
        }
        forger.forge("the node at 0 - 1 was told that it is selected") { stage in
            try stage.node(1).viewed.withLock { $0.isSelected = true }
        }
        forger.forge("the node at 0 - 9 was told that it is not selected") { stage in
            stage.shown.selection.items.insert(ItemPath(0, 9))
        }
        #expect(forger.faults == [])
    }

    @Test func displaying() {
        final class Scene {
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            let cell = CollectionViewCell()
            var found: [String] = []
            private(set) lazy var watcher = ViewWatcher(lives: LifeCount()) { [unowned self] in
                found.append("Simulated View: \($0)")
            }

            func show(_ item: Int) {
                let place = LayoutPlace.cell(ItemPath(0, item))
                cell.attributes = LayoutAttributes(place, frame: .zero)
                watcher.collectionView(view, willDisplay: cell, at: place)
            }
        }
        let forger = Forger(breaking: "Simulated View", { Scene() }) { scene, forge in
            try forge(scene)
            scene.watcher.checkAtRest()
            return scene.found
        }
        let place = LayoutPlace.cell(ItemPath(0, 1))
        forger.forge("willDisplay 0 - 1 came for a view that is displayed") {
            scene in
            scene.show(0)
            scene.show(1)
        }
        forger.forge("willDisplay 0 - 1 came for a view that is not in place") { scene in
            scene.watcher.collectionView(scene.view, willDisplay: scene.cell, at: place)
        }
        forger.forge("didEndDisplaying 0 - 1 came without willDisplay") { scene in
            scene.watcher.collectionView(scene.view, didEndDisplaying: scene.cell, at: place)
        }
        forger.forge("didEndDragging came while the content was resting") { scene in
            scene.watcher.collectionViewDidEndDragging(scene.view, willDecelerate: false)
        }
        forger.forge("the content is said to be dragging at rest") { scene in
            scene.watcher.collectionViewWillBeginDragging(scene.view)
        }
        forger.forge("2 animations began, but 0 ended") { $0.watcher.animationsBegan(2) }
        #expect(forger.faults == [])
    }
}
