import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The touch and what is selected, each against a plain list of what happened.
@Suite("What is touched and what is selected")
struct TouchStateTests {
    private static let paths = (0..<4).map { ItemPath(0, $0) }

    /// Where items are after the first of them, or the last, went; and where nothing did.
    private static let mappings: [@Sendable (ItemPath) -> ItemPath?] = [
        { $0 }, { $0.item == 0 ? nil : ItemPath(0, $0.item - 1) },
        { $0.item == 3 ? nil : $0 }, { _ in nil }, { ItemPath(1, $0.item) },
    ]

    /// Every sequence of five things that may happen to a touch.
    @Test func aTouchIsOnItsItemUntilItMovesOffEndsOrTheItemGoes() {
        for number in 0..<3125 {
            var state = TouchState()
            var (path, isInside): (ItemPath?, Bool) = (nil, false)
            var rest = number
            for step in 0..<5 {
                switch rest % 5 {
                case 0:
                    state.begin(at: Self.paths[step % 4])
                    (path, isInside) = (Self.paths[step % 4], true)
                case 1, 2:
                    state.move(inside: rest % 5 == 1)
                    isInside = path != nil && rest % 5 == 1
                case 3:
                    state.cancel()
                    (path, isInside) = (nil, false)
                default:
                    state.rebase(Self.mappings[step])
                    path = path.flatMap(Self.mappings[step])
                    isInside = isInside && path != nil
                }
                rest /= 5
                #expect(state.path == path && state.isInside == isInside, "\(number)")
                #expect(state.highlighted == (isInside ? path : nil), "\(number)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func selectedItemsAreInTheOrderInWhichTheyWereSelectedEachOnce(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var selected = SelectedItems()
        var model: [ItemPath] = []
        for step in 0..<100 {
            let path = Self.paths[random.next(below: 4)]
            switch random.next(below: 12) {
            case 0:
                let count = random.next(below: 4)
                let kept = min(count, model.count)
                #expect(selected.keepLast(count) == Array(model[..<(model.count - kept)]))
                model = Array(model[(model.count - kept)...])
            case 1:
                selected.removeAll()
                model = []
            case 2:
                let newPath = Self.mappings[random.next(below: 5)]
                selected.rebase(newPath)
                model = model.compactMap(newPath)
            case 3...5:
                selected.remove(path)
                model = model.filter { $0 != path }
            default:
                selected.insert(path)
                if !model.contains(path) { model.append(path) }
            }
            #expect(selected.paths == model, "seed \(seed) step \(step)")
            for path in Self.paths + [ItemPath(1, 0), ItemPath(1, 3)] {
                #expect(
                    selected.contains(path) == model.contains(path),
                    "seed \(seed) step \(step)"
                )
            }
        }
    }
}
