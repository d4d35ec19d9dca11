import PipelineTestSupport
import SimulatedView
import Testing

/// The selection as a plain list of texts, which are the items' identities, in the order of selecting.
private struct SelectionModel {
    var selected: [String] = []
    var allowsSelection = true
    var allowsMultiple = false {
        didSet { if !allowsMultiple { selected = selected.suffix(1) } }
    }

    mutating func select(_ text: String) {
        guard allowsSelection else { return }
        if !allowsMultiple { selected.removeAll { $0 != text } }
        if !selected.contains(text) { selected.append(text) }
    }

    mutating func deselect(_ text: String) { selected.removeAll { $0 == text } }

    mutating func tap(_ text: String) {
        guard allowsSelection else { return }
        if allowsMultiple, selected.contains(text) { return deselect(text) }
        select(text)
    }
}

@Suite("The selection as a model")
struct SelectionModelTests {
    private func somePath(_ source: RowSource, _ random: inout SeededGenerator) -> ItemPath? {
        let sections = source.sections.indices.filter { !source.sections[$0].isEmpty }
        guard let section = sections.randomElement(using: &random) else { return nil }
        return ItemPath(section, random.next(below: source.sections[section].count))
    }

    @Test(arguments: Array(1...12) as [UInt64])
    func selectedItemsAreThoseOfTheModelInTheOrderOfSelectingThroughEveryUpdate(
        _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var last = 0
        func fresh() -> String {
            last += 1
            return "\(last)"
        }
        let bench = try Bench((0..<3).map { _ in (0..<6).map { _ in fresh() } }, height: 60)
        bench.load()
        let (view, source) = (bench.view, bench.source)
        var model = SelectionModel()
        func text(_ path: ItemPath) -> String { source.sections[path.section][path.item] }
        for step in 0..<150 {
            let choice = random.next(below: 12)
            guard let path = somePath(source, &random) else { break }
            switch choice {
            case 0, 1:
                try view.selectItem(at: path)
                model.select(text(path))
            case 2:
                view.deselectItem(at: path)
                model.deselect(text(path))
            case 3, 4, 5:
                view.tapItem(at: path)
                model.tap(text(path))
            case 6:
                model.allowsMultiple.toggle()
                view.allowsMultipleSelection = model.allowsMultiple
            case 7 where random.isTrue(oneIn: 3):
                model.allowsSelection.toggle()
                view.allowsSelection = model.allowsSelection
            case 8 where random.isTrue(oneIn: 4):
                try view.selectItem(at: nil)
                model.selected = []
            case 9: view.scroll(by: Double(random.next(below: 120) - 60))
            case 10 where random.isTrue(oneIn: 6):
                bench.adapter.reloadData()
                model.selected = []
            default:
                let old = HierarchyShape(source.sections.map(\.count))
                let drawn = RandomUpdate(from: old, &random, rate: 0.1)
                let valid = try drawn.changes.validated(from: old, to: drawn.newShape)
                let before = source.sections
                // Reconfigured items keep their texts here.
                let new = valid.texts(after: before, fresh: fresh).map { section in
                    section.map { String($0.prefix { $0 != "'" }) }
                }
                try bench.adapter.performBatchUpdates(animated: random.isTrue(oneIn: 2)) {
                    changes in
                    source.sections = new
                    for operation in drawn.changes.operations { changes.record(operation) }
                }
                let kept = Set(new.joined())
                model.selected.removeAll { !kept.contains($0) }
            }
            bench.settle()
            #expect(
                view.indexPathsForSelectedItems.map(text) == model.selected,
                "step \(step) \(choice)"
            )
            bench.check("step \(step) \(choice)")
        }
    }
}
