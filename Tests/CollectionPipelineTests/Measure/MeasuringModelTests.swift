import CollectionElements
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionPipeline

/// Final sizes compared with a model: views change their size range, nodes grow, fail or reject
/// models, and traits, reconfigurations and edits overlap.
@Suite("Measuring against a model")
struct MeasuringModelTests {
    /// The measuring policy, and the handling of sets beyond the backlog limit.
    struct Plan: Sendable, CustomTestStringConvertible {
        let measuring: PipelineConfiguration.MeasuringPolicy
        let backlog: PipelineConfiguration.BacklogPolicy
        /// Whether a layout delegate measures and chooses the size ranges.
        var delegates = false
        var testDescription: String { "\(measuring), \(backlog), \(delegates)" }
    }

    @Test(arguments: [
        Plan(measuring: .everything, backlog: .suspend),
        Plan(measuring: .everything, backlog: .coalesce),
        Plan(measuring: .progressive(initialCount: 2), backlog: .suspend),
        Plan(measuring: .progressive(initialCount: 1), backlog: .coalesce),
        Plan(measuring: .onDemand(initialCount: 2), backlog: .reject),
        Plan(measuring: .onDemand(initialCount: 1), backlog: .coalesce),
        Plan(measuring: .everything, backlog: .suspend, delegates: true),
        Plan(measuring: .everything, backlog: .coalesce, delegates: true),
    ])
    func everyElementFinallyHasItsSize(_ plan: Plan) {
        for seed in 1...UInt64(Effort.number(1_500, usually: 40)) {
            let run = MeasuringRun(seed: seed, plan)
            run.run(steps: 40)
            guard let fault = run.fault else { continue }
            Issue.record("\(plan.testDescription), seed \(seed): \(fault)\n\(run.trace)")
            return
        }
    }
}

/// A controller with unique texts, widths and traits, so that a repeated measurement with equal
/// arguments was unnecessary.
private final class MeasuringRun: PipelineObserver, @unchecked Sendable {  // used by one thread
    private typealias List = DataController<TextDataSource>.Isolated

    /// Measures everything with the width at the time of the layout context.
    private final class Columns: LayoutDelegate {
        let width = Lock(10.0)

        func layoutContext(for map: ElementMap) -> Double { width.withLock { $0 } }

        func isOutdated(_ context: Double) -> Bool { context != width.withLock { $0 } }

        func sizeRanges(for map: ElementMap) -> ((ElementPlace) -> SizeRange)? {
            let width = width.withLock { $0 }
            return { _ in .width(width) }
        }

        func layout(_ map: ElementMap, in width: Double, measurer: LayoutMeasurer) -> Int {
            for item in map.items {
                _ = try? measurer.size(ofItemAt: item.path, in: .width(width))
            }
            for section in 0..<map.numberOfSections {
                let path = ItemPath(section, 0)
                _ = try? measurer.size(ofSupplementary: .header, at: path, in: .width(width))
            }
            return map.generation
        }
    }

    private static let limit = 4
    private let stage: ManualStage
    private let view = KeepingView()
    private let nodes: NodeBook
    private let controller: DataController<TextDataSource>
    private let plan: MeasuringModelTests.Plan
    private var random: SeededGenerator
    private var (texts, width, scale): (Int, Int, Int) = (0, 10, 1)
    /// The extra height of each text: one more with each growth of its node.
    private var versions: [String: Int] = [:]
    /// The number of attempts for each text that fails at first, and the number of its reported
    /// failures.
    private var (attempts, reported): ([String: Int], [String: Int]) = ([:], [:])
    /// The element of each text, and the number of requests to measure each element again. A
    /// request may be served after its element has a newer text.
    private var elements: [String: CollectionElement] = [:]
    private var requests: [ObjectIdentifier: Int] = [:]
    private let columns = Columns()
    private var removed: Set<String> = []
    /// An item in section 0 of the model that is not recorded.
    private var lie: String?
    private var (submitted, completed, failed): (Int, Int, Int) = (0, 0, 0)
    private(set) var fault: String?
    private(set) var trace: [String] = []

    init(seed: UInt64, _ plan: MeasuringModelTests.Plan) {
        (stage, random, self.plan) = (ManualStage(seed: seed), SeededGenerator(seed: seed), plan)
        nodes = NodeBook()
        var configuration = PipelineConfiguration.unwatched
        configuration.measuringPolicy = plan.measuring
        (configuration.backlogPolicy, configuration.backlogLimit) = (plan.backlog, Self.limit)
        let late = LateObserver()
        controller = DataController(
            dataSource: TextDataSource([], nodes: nodes),
            view: view,
            configuration: configuration,
            lane: stage.main,
            environment: stage,
            layoutDelegate: plan.delegates ? columns : nil,
            observer: late
        )
        late.observer = self
        view.onPerform = { [unowned self] in receive($0) }
        nodes.onAccept { !$0.hasSuffix("!") }
        nodes.onMake { [unowned self] text in try attempt(text, isMade: true) }
        nodes.onMeasure { [unowned self] text, range in
            try attempt(text, isMade: false)
            return size(of: text, in: range)
        }
    }

    /// Made before the run that it forwards events to.
    private final class LateObserver: PipelineObserver, @unchecked Sendable {  // used by one thread
        weak var observer: MeasuringRun?
        func observe(_ event: PipelineEvent) { observer?.observe(event) }
    }

    private func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds, fault == nil { fault = text() }
    }

    // MARK: Expectations

    private func size(of text: String, in range: SizeRange) -> Size {
        var size = TextNode.size(of: text, in: range)
        size.height += Double(versions[text, default: 0])
        return size
    }

    private static func ownRange(of text: String) -> SizeRange? {
        text.hasPrefix("o") ? .width(7) : nil
    }

    private func range(of text: String) -> SizeRange {
        (plan.delegates ? nil : Self.ownRange(of: text)) ?? .width(Double(width))
    }

    private func attempt(_ text: String, isMade: Bool) throws {
        check(!removed.contains(text), "\(text) was prepared after its removal")
        guard text.hasPrefix(isMade ? "m" : "f") else { return }
        attempts[text, default: 0] += 1
        if attempts[text] == 1 { throw TestFailure(text) }
    }

    func observe(_ event: PipelineEvent) {
        guard let failure = event.failedElement else { return }
        let text = failure.content.model as? String ?? headerText(of: failure.element)
        reported[text, default: 0] += 1
        check(failure.submission == event.submission, "\(text) failed in the wrong set")
        check(failure.error as? TestFailure == TestFailure(text), "\(text) has the wrong error")
        let map = controller.pendingMap
        let isThere = map.path(of: failure.element) == nil || failure.dataSourcePath != nil
        check(isThere, "\(text) has no path")
    }

    private func headerText(of element: CollectionElement) -> String {
        (element.nodeIfAllocated as? TextNode)?.text ?? headers[ObjectIdentifier(element)] ?? "?"
    }

    /// The texts of headers, which have no model.
    private var headers: [ObjectIdentifier: String] = [:]

    private func receive(_ update: ViewUpdate) {
        guard !update.changeSet.isReloadData else { return }
        let reconfigured = Set(update.changeSet.reconfigurations.map(\.newPath))
        let reported = Set(update.remeasured)
        let items = update.remeasured.prefix { $0.kind == nil }.map(\.path)
        let others = update.remeasured.dropFirst(items.count)
        check(items == Set(items).sorted(), "\(items) are reported in the wrong order")
        check(
            others.allSatisfy { $0.kind != nil }
                && others.map(\.path.section) == others.map(\.path.section).sorted(),
            "\(others) are reported in the wrong order"
        )
        for place in update.remeasured {
            check(update.newMap.content(at: place) != nil, "\(place) is reported but missing")
        }
        for item in update.newMap.items {
            guard let old = update.oldMap.path(of: item.element),
                let before = update.oldMap.content(at: old)
            else { continue }
            let hasOther = before != item.content && !reconfigured.contains(item.path)
            let isReported = reported.contains(ElementPlace(path: item.path))
            check(!hasOther || isReported, "\(item.path) was measured again but not reported")
        }
    }

    // MARK: The run

    func run(steps: Int) {
        call { list in
            list.dataSource.sizeRange = Self.ownRange
            list.dataSource.sections = [section(3), section(2), section(0)]
            submit { try list.reloadData(completion: $0) }
        }
        if random.chance(0.7) { finish() }
        for _ in 0..<steps where fault == nil {
            step(random.next(below: 22))
            if random.chance(0.4) { stage.rest() }
        }
        if lie != nil { account() }
        controller.visibleMap.setNeedsRelayout()
        finish()
        // Postponed elements are measured when they are requested.
        if case .onDemand = plan.measuring {
            for item in controller.visibleMap.items { item.element.setNeedsMeasuring() }
            finish()
        }
        if fault == nil { checkSizes() }
        check(submitted == completed, "\(completed) of \(submitted) completed")
        controller.close {}
        stage.finish()
    }

    private func step(_ number: Int) {
        for item in controller.pendingMap.items {
            if let text = item.content.model as? String { elements[text] = item.element }
        }
        switch number {
        case 0...3: call { edit($0) }
        case 4: resize()
        case 5, 6: ask { self.growth(of: $0, $1) }
        case 7:
            ask { element, _ in element.setNeedsMeasuring() }
        case 8, 9: call { relayout($0) }
        case 10:
            call { list in
                scale += 1
                list.environmentDidChange(Traits(textScale: Double(scale)))
                // Changing the traits requires a relayout.
                submit { try list.relayoutAllNodes(completion: $0) }
            }
        case 11: lie == nil ? tellALie() : account()
        case 12, 13: stage.work()
        case 14: _ = stage.main.turn()
        case 15...17: show(fails: false)
        case 18: show(fails: true)
        case 19: if !view.waiting.isEmpty { view.waiting.removeLast() }
        default: stage.rest()
        }
    }

    private func call(_ body: (List) -> Void) {
        stage.main.perform { body(controller.assumeIsolated()) }
    }

    private func submit(_ body: (@escaping UpdateCompletion) throws -> Void) {
        submitted += 1
        try? body { [self] result in
            completed += 1
            failed += result.failedElements.count
        }
    }

    private func show(fails: Bool) {
        guard !view.waiting.isEmpty else { return }
        stage.main.perform {
            let update = view.waiting.removeFirst()
            let isShown = update.deploy { _ in if fails { throw TestFailure() } }
            if isShown { update.finish() }
            checkTraits()
        }
    }

    /// Checks that all visible nodes have the current traits, including those in no pending map.
    private func checkTraits() {
        let traits = scale == 1 ? Traits() : Traits(textScale: Double(scale))
        for item in controller.visibleMap.items {
            guard let node = item.element.nodeIfAllocated as? TextNode else { continue }
            check(node.traits == traits, "\(node.text) is visible with outdated traits")
        }
    }

    private func finish() {
        for _ in 0..<100 {
            stage.finish()
            while !view.waiting.isEmpty { show(fails: false) }
            stage.finish()
            if view.waiting.isEmpty { return }
        }
        check(false, "the run does not end")
    }

    private func resize() {
        width += 1
        if plan.delegates {
            columns.width.withLock { $0 = Double(width) }
        } else {
            view.elementSizeRange = .width(Double(width))
        }
        view.firstVisiblePath = ItemPath(random.next(below: 3), random.next(below: 3))
        trace.append("width \(width)")
        if random.chance(0.7) { controller.visibleMap.setNeedsRelayout() }
    }

    /// Calls `body` for random elements of the pending or visible map.
    private func ask(_ body: (CollectionElement, String) -> Void) {
        let map = random.chance(0.5) ? controller.pendingMap : controller.visibleMap
        for item in map.items where random.chance(0.3) {
            if let text = item.content.model as? String { body(item.element, text) }
        }
        for section in 0..<map.numberOfSections where random.chance(0.3) {
            map.supplementary(ofKind: .header, at: ItemPath(section, 0))?.setNeedsLayout()
        }
    }

    private func growth(of element: CollectionElement, _ text: String) {
        trace.append("\(text) grows")
        versions[text, default: 0] += 1
        requests[ObjectIdentifier(element), default: 0] += 1
        element.setNeedsLayout()
    }

    private func relayout(_ list: List) {
        guard lie == nil else { return }
        let items = controller.pendingMap.items.filter { _ in random.chance(0.3) }
        for item in items { requests[ObjectIdentifier(item.element), default: 0] += 1 }
        trace.append("relayout \(items.map(\.path))")
        submit { try list.relayoutItems(at: items.map(\.path), completion: $0) }
    }

    /// Puts the model ahead of the map, so that an empty batch is rejected.
    private func tellALie() {
        call { list in
            guard list.backlog < Self.limit || plan.backlog == .coalesce else { return }
            lie = text()
            trace.append("lie")
            list.dataSource.sections[0].items.append(lie ?? "")
            submit { try list.performBatchUpdates(completion: $0) }
            check(controller.divergence?.countsSince != nil, "a lie is accepted")
        }
    }

    private func account() {
        call { list in
            let count = controller.pendingMap.numberOfItems(inSection: 0) ?? 0
            let path = ItemPath(0, count)
            trace.append("account")
            lie = nil
            #expect(throws: Never.self) { try list.insertItems(at: [path]) }
        }
    }

    // MARK: Edits

    private func text() -> String {
        texts += 1
        let letters = ["", "", "", "o", "m", "f", "!", "m!", "f!"]
        let letter = letters[random.next(below: letters.count)]
        return letter.hasSuffix("!")
            ? "\(letter.dropLast())\(texts)!" : "\(letter)\(texts) long enough"
    }

    private func section(_ count: Int) -> TextDataSource.Section {
        .init((0..<count).map { _ in text() }, headers: ["h\(texts)"])
    }

    private func edit(_ list: List) {
        let source = list.dataSource
        guard lie == nil, plan.backlog == .coalesce || list.backlog < Self.limit else { return }
        let before = controller.pendingMap.items.map { ($0.element, $0.content.model as? String) }
        submit { done in
            try list.performBatchUpdates({ change(source, &$1) }, completion: done)
        }
        let map = controller.pendingMap
        for (element, text) in before where map.path(of: element) == nil {
            if let text { removed.insert(text) }
        }
    }

    private func change(_ source: TextDataSource, _ changes: inout BatchRecorder) {
        let count = source.sections.count
        let section = random.next(below: count)
        let items = source.sections[section].items.count
        let other = random.next(below: count)
        trace.append("edit in \(section)")
        switch random.next(below: 8) {
        case 0, 1:
            for position in [0, items + 1] {
                source.sections[section].items.insert(text(), at: position)
                changes.insertItems(at: [ItemPath(section, position)])
            }
        case 2 where items > 0:
            source.sections[section].items.removeFirst()
            changes.deleteItems(at: [ItemPath(section, 0)])
        case 3 where items > 0 && other != section:
            let moved = source.sections[section].items.removeLast()
            source.sections[other].items.insert(moved, at: 0)
            changes.moveItem(at: ItemPath(section, items - 1), to: ItemPath(other, 0))
        case 4:
            for item in 0..<items where random.chance(0.5) {
                source.sections[section].items[item] = text()
                changes.reconfigureItems(at: [ItemPath(section, item)])
            }
        case 5 where count < 5:
            source.sections.insert(self.section(2), at: section)
            changes.insertSections([section])
        case 6 where count > 2 && other < section && items > 0:
            let moved = source.sections.remove(at: section).items[0]
            source.sections[other].items.append(moved)
            let end = source.sections[other].items.count - 1
            changes.deleteSections([section])
            changes.moveItem(at: ItemPath(section, 0), to: ItemPath(other, end))
        default:
            source.sections[section] = self.section(1)
            changes.reloadSections([section])
        }
    }

    // MARK: Final checks

    private func checkSizes() {
        let map = controller.visibleMap
        check(map.isIdentical(to: controller.pendingMap), "the visible map is not the newest")
        let model = stage.main.perform { controller.assumeIsolated().dataSource.sections }
        check(map.texts == model.map(\.items), "\(map.texts) is visible instead of the model")
        for item in map.items {
            guard let text = item.content.model as? String else { continue }
            let range = range(of: text)
            let node = item.element.nodeIfAllocated as? TextNode
            switch item.content.state {
            case .measured(let measured):
                check(measured == range, "\(text) was measured with the wrong size range")
                let size = item.content.size
                check(size == self.size(of: text, in: range), "\(text) has the size \(size as Any)")
                check(node?.text == text, "\(text) is displayed by \(node?.text ?? "no node")")
            case .failed:
                check(attempts[text] == 1, "\(text) failed and was not retried")
            default: check(false, "\(text) is \(item.content.state)")
            }
        }
        checkTraits()
        let measurements = Dictionary(grouping: nodes.measurements.values) { $0 }
        // If a delegate measures, it is unknown what the sets before a relayout measured.
        for (measurement, all) in measurements
        where !measurement.text.hasPrefix("h") && !plan.delegates {
            let (text, count) = (measurement.text, all.count)
            let requested = elements[text].flatMap { requests[ObjectIdentifier($0)] } ?? 0
            let most = 1 + requested + (attempts[text] ?? 0)
            check(count <= most, "\(text) was measured \(count) times, not \(most)")
        }
        for (text, count) in attempts {
            check(
                reported[text, default: 0] <= 1,
                "\(text) failed once but was reported \(count) times"
            )
        }
        check(failed <= reported.values.reduce(0, +), "\(failed) failures in results")
    }
}
