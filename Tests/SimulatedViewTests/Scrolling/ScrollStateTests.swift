import PipelineTestSupport
import Testing

@testable import SimulatedView

/// A scroll state beside what its view remembers of it.
private struct ScrollStateRun: MachineRun {
    enum Input: CaseIterable {
        case dragBegins, tellDrag, dragEnds, dragEnded, move, stop, yield, yielded
    }

    private enum Content: Equatable { case resting, untold, dragging, lettingGo, moving, yielding }

    private var state = ScrollState()
    private var content = Content.resting
    private var numbers: [Int] = []
    private(set) var fault: String?

    private mutating func expect(_ isRight: Bool, _ what: String) {
        if !isRight { fault = "\(what) while \(content)" }
    }

    mutating func take(_ input: Input) -> Bool {
        let isDragging = [.untold, .dragging, .lettingGo].contains(content)
        let was = content
        switch input {
        case .dragBegins:
            if isDragging { return false }
            expect((state.dragBegan() != nil) == (was == .moving), "what moved")
            content = .untold
        case .tellDrag:
            expect(state.dragIsToBeTold() == (was == .untold), "told")
            if was == .untold { content = .dragging }
        case .dragEnds:
            expect(state.dragEnds() == (was == .dragging), "the finger lets go")
            if was == .dragging { content = .lettingGo }
        case .dragEnded:
            state.dragEnded()
            if isDragging { content = .resting }
        case .move:
            if !state.mayMove { return false }
            numbers.append(state.began(Self.motion))
            content = .moving
        case .stop, .yield:
            let yields = input == .yield
            expect((state.stopped(yields: yields) != nil) == (was == .moving), "what stops")
            if was == .moving { content = yields ? .yielding : .resting }
        case .yielded:
            state.yielded()
            if was == .yielding { content = .resting }
        }
        look()
        return true
    }

    private mutating func look() {
        expect(state.isDragging == [.untold, .dragging, .lettingGo].contains(content), "dragging")
        expect((state.motion != nil) == (content == .moving), "moving")
        expect(state.mayMove == (content == .resting), "free")
        let isNewest = numbers.indices.map { $0 == numbers.count - 1 && content == .moving }
        expect(numbers.map(state.isMoving) == isNewest, "the newest motion")
    }

    private static let motion = ScrollMotion(
        .animation,
        from: .zero,
        to: Point(x: 0, y: 1),
        at: .zero,
        lasting: .seconds(1)
    )
}

@Suite("What moves the content")
struct ScrollStateTests {
    @Test func everySequenceKeepsTheStateThatIsDocumented() {
        let result = walk(ScrollStateRun(), length: Effort.number(7, usually: 5))
        #expect(result.fault == nil && result.count > 5000)
    }

    @Test func anAnswerThatIsTooDeepIsOneWithinAsManyAsRoundsMayRun() {
        var state = ScrollState()
        for depth in 0..<15 {
            #expect(!state.isTooDeep, "\(depth)")
            state.tellingBegan()
        }
        #expect(state.isTooDeep)
        state.tellingEnded()
        #expect(!state.isTooDeep)
    }
}
