import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What is prepared, against a list of it.
@Suite("What is prepared ahead")
struct PrefetchStateTests {
    /// The cells by age, the oldest first.
    private struct Model {
        var kept: [(path: ItemPath, cell: CollectionViewCell)] = []

        mutating func prepare(_ cell: CollectionViewCell, _ path: ItemPath, _ limit: Int)
            -> CollectionViewCell?
        {
            if let index = kept.firstIndex(where: { $0.path == path }) {
                defer { kept[index].cell = cell }
                return kept[index].cell
            }
            kept.append((path, cell))
            return kept.count > limit ? kept.removeFirst().cell : nil
        }
    }

    @Test(arguments: 0..<Effort.number(50, usually: 15))
    func aFullStoreGivesUpTheOldest(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (state, model) = (PrefetchState(), Model())
        for _ in 0..<200 {
            let path = ItemPath(0, random.next(below: 20))
            switch random.next(below: 8) {
            case 0:
                let index = model.kept.firstIndex { $0.path == path }
                let expected = index.map { model.kept.remove(at: $0).cell }
                #expect(state.takePrepared(path)?.cell === expected)
            case 1:
                // Every item behind this one moves up, and this one goes.
                func newPath(_ old: ItemPath) -> ItemPath? {
                    if old == path { return nil }
                    return old < path ? old : ItemPath(0, old.item - 1)
                }
                let gone = state.rebase(newPath)
                let expected = model.kept.filter { newPath($0.path) == nil }
                #expect(
                    gone.map(ObjectIdentifier.init) == expected.map { ObjectIdentifier($0.cell) }
                )
                model.kept = model.kept.compactMap { kept in
                    newPath(kept.path).map { ($0, kept.cell) }
                }
            default:
                let cell = CollectionViewCell()
                let limit = 1 + random.next(below: 10)
                let given = state.prepare(cell, at: path, limit: limit)
                #expect(given === model.prepare(cell, path, limit), "seed \(seed)")
            }
            #expect(state.preparedPaths == model.kept.map(\.path).sorted())
        }
        let left = state.removeAll()
        #expect(left.map(ObjectIdentifier.init) == model.kept.map { ObjectIdentifier($0.cell) })
    }

    @Test func cellsOfWhatIsGoneAreGivenBackTheOldestFirst() {
        var state = PrefetchState()
        let cells = (0..<3).map { _ in CollectionViewCell() }
        for (number, cell) in cells.enumerated() {
            #expect(state.prepare(cell, at: ItemPath(0, 2 - number), limit: 9) == nil)
        }
        let gone = state.rebase { _ in nil }
        #expect(gone.elementsEqual(cells) { $0 === $1 })
    }
}
