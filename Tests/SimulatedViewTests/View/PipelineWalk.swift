import PipelineTestSupport
import SimulatedView

/// Hears whether its item is selected and touched, each by turns. It is as high as its text and the stretch of its
/// list say, and does not take on every third mark, so that its item needs another node then.
final class HearingNode: SelectableNode, ReconfigurableNode {
    private let state: Lock<(text: String, look: [Bool], mistakes: [String])>
    private let stretch: Stretch

    init(_ text: String, _ stretch: Stretch) {
        state = Lock((text, [false, false], []))
        self.stretch = stretch
    }

    /// Whether it is selected, and whether it is touched.
    var look: [Bool] { state.withLock { $0.look } }

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

    private func hear(_ index: Int, _ isSo: Bool) {
        state.withLock { state in
            if state.look[index] == isSo { state.mistakes.append("\(state.text) hears it twice") }
            state.look[index] = isSo
        }
    }

    func selectionDidChange(to isSelected: Bool) { hear(0, isSelected) }

    func highlightDidChange(to isHighlighted: Bool) { hear(1, isHighlighted) }
}

/// By how much the rows of a list are higher than at first.
final class Stretch: Sendable {
    let number = Lock(0)
}

/// A sheet as a data source: sections have headers as high as their contexts say, and every other one a footer.
final class SheetSource: CollectionDataSource {
    final class Context: SectionMetricsProviding {
        let name: String
        init(_ name: String) { self.name = name }
        var sectionMetrics: SectionMetrics { SectionMetrics(headerExtent: Self.extent(name)) }
        static func extent(_ name: String) -> Double { Double((Int(name) ?? 0) % 5) }
    }

    var sheet: Sheet
    let stretch = Stretch()
    /// All that were ever made.
    let nodes = Journal<HearingNode>()

    init(_ sheet: Sheet) { self.sheet = sheet }

    static func hasFooter(_ name: String) -> Bool { (Int(name) ?? 0) % 2 == 1 }

    private func provider(_ text: String, _ stretch: Stretch) -> NodeProvider {
        { [nodes] in
            let node = HearingNode(text, stretch)
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

/// Passes updates on to a view whose turns run on a lane of the test. It can deliver updates late, and lose some.
final class Courier: CollectionView, @unchecked Sendable {
    // Unchecked: used on the main lane of its controller only.
    let view: SimulatedCollectionView
    let lane = ManualLane()
    var isLate = false
    var losesNext = false
    private(set) var lost: [Int] = []
    private(set) var held: [ViewUpdate] = []
    /// Whether each update that came is animated.
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

/// Shows an element, forgets it once before it shows another, and finds where that is not so.
final class LedgerCell: CollectionViewCell {
    private(set) var mistakes: [String] = []
    private enum State { case fresh, filled, forgotten }
    private var state = State.fresh
    private weak var last: CollectionElement?

    override func prepareForReuse() {
        if state != .filled { mistakes.append("prepareForReuse of what is \(state)") }
        state = .forgotten
    }

    override func contentDidChange() {
        if state == .filled, element !== last { mistakes.append("another element at once") }
        (state, last) = (.filled, element)
    }
}
