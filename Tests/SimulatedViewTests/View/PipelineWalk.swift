import PipelineTestSupport
import SimulatedView

/// A node that is notified when its item is selected or touched, and checks that the values
/// alternate. Its height depends on its text and the stretch of its list. It rejects every third
/// mark, so that its item then needs a new node.
final class SelectionNode: SelectableNode, ReconfigurableNode {
    private let state: Lock<(text: String, flags: [Bool], mistakes: [String])>
    private let stretch: Stretch

    init(_ text: String, _ stretch: Stretch) {
        state = Lock((text, [false, false], []))
        self.stretch = stretch
    }

    /// Whether the item is selected and whether it is touched.
    var flags: [Bool] { state.withLock { $0.flags } }

    var text: String { state.withLock { $0.text } }

    var mistakes: [String] { state.withLock { $0.mistakes } }

    static func height(_ text: String, _ stretch: Int) -> Double {
        let name = Int(Sheet.name(text).filter(\.isNumber)) ?? 0
        return Double(6 + (name * 5 + text.count { $0 == "'" } * 3 + stretch * 2) % 9)
    }

    func measure(in range: SizeRange) -> Size { measure(text, in: range) }

    func measure(_ model: String, in range: SizeRange) -> Size {
        Size(width: 40, height: Self.height(model, stretch.number.withLock { $0 }))
    }

    func accepts(_ model: String) -> Bool { model.count { $0 == "'" } % 3 != 0 }

    func update(to model: String) { state.withLock { $0.text = model } }

    private func record(_ index: Int, _ isSo: Bool) {
        state.withLock { state in
            if state.flags[index] == isSo {
                state.mistakes.append("\(state.text) was notified twice")
            }
            state.flags[index] = isSo
        }
    }

    func selectionDidChange(to isSelected: Bool) { record(0, isSelected) }

    func highlightDidChange(to isHighlighted: Bool) { record(1, isHighlighted) }
}

/// The additional height of a list's rows.
final class Stretch: Sendable {
    let number = Lock(0)
}

/// A sheet as a data source: the height of each header depends on the section's context, and every
/// other section has a footer.
final class SheetSource: CollectionDataSource {
    final class Context: SectionMetricsProviding {
        let name: String
        init(_ name: String) { self.name = name }
        var sectionMetrics: SectionMetrics { SectionMetrics(headerExtent: Self.extent(name)) }
        static func extent(_ name: String) -> Double { Double((Int(name) ?? 0) % 5) }
    }

    var sheet: Sheet
    let stretch = Stretch()
    /// All nodes that were ever created.
    let nodes = Journal<SelectionNode>()

    init(_ sheet: Sheet) { self.sheet = sheet }

    static func hasFooter(_ name: String) -> Bool { (Int(name) ?? 0) % 2 == 1 }

    private func provider(_ text: String, _ stretch: Stretch) -> NodeProvider {
        { [nodes] in
            let node = SelectionNode(text, stretch)
            nodes.append(node)
            return node
        }
    }

    func numberOfSections() -> Int { sheet.sections.count }

    func numberOfItems(inSection section: Int) -> Int { sheet.sections[section].rows.count }

    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider { provider(sheet[path], stretch) }

    func model(forItemAt path: ItemPath) -> (any Sendable)? { sheet[path] }

    func context(forSection section: Int) -> (any SectionContext)? {
        Context(sheet.sections[section].name)
    }

    func supplementaryKinds(inSection section: Int) -> [SupplementaryKind] {
        Self.hasFooter(sheet.sections[section].name) ? [.header, .footer] : [.header]
    }

    func supplementaryNodeProvider(ofKind kind: SupplementaryKind, at path: ItemPath)
        -> NodeProvider
    {
        let section = sheet.sections[path.section]
        return provider(kind == .header ? section.header : "F\(section.name)", Stretch())
    }
}

/// Passes updates on to a view whose turns run on a lane of the test. It can delay and lose
/// updates.
final class Courier: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let view: SimulatedCollectionView
    let lane = ManualLane()
    var isLate = false
    var losesNext = false
    private(set) var lost: [Int] = []
    private(set) var held: [ViewUpdate] = []
    /// Whether each received update is animated.
    private(set) var animations: [Int: Bool] = [:]

    init(_ view: SimulatedCollectionView) { self.view = view }

    func attach(to lane: any Lane) { view.attach(to: self.lane) }

    var elementSizeRange: SizeRange { view.elementSizeRange }

    var firstVisiblePath: ItemPath? { view.firstVisiblePath }

    func perform(_ update: ViewUpdate) {
        let number = update.submission.rawValue
        animations[number] = update.isAnimated
        if losesNext {
            losesNext = false
            lost.append(number)
        } else if isLate || !held.isEmpty {
            held.append(update)
        } else {
            view.perform(update)
        }
    }

    func deliver(_ count: Int) {
        for _ in 0..<min(count, held.count) { view.perform(held.removeFirst()) }
    }

    func updatesInFlightDidChange(_ areInFlight: Bool) {
        view.updatesInFlightDidChange(areInFlight)
    }

    func controllerDidClose() {
        held = []
        view.controllerDidClose()
    }
}

/// A cell that checks that `prepareForReuse` is called exactly once between two elements.
final class LedgerCell: CollectionViewCell {
    private(set) var mistakes: [String] = []
    private enum State { case empty, filled, forgotten }
    private var state = State.empty
    private weak var last: CollectionElement?

    override func prepareForReuse() {
        if state != .filled { mistakes.append("prepareForReuse in state \(state)") }
        state = .forgotten
    }

    override func contentDidChange() {
        if state == .filled, element !== last {
            mistakes.append("another element without prepareForReuse")
        }
        (state, last) = (.filled, element)
    }
}
