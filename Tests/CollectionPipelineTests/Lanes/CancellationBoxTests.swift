import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What carries a task's cancellation, against its promise: the handler is called once if there was one in
/// place when it was cancelled, or at once where that came first, and never after it was forgotten or let in.
@Suite("Carrying a cancellation")
struct CancellationBoxTests {
    private enum Step: CaseIterable { case cancel, onCancel, forget, comeIn }

    @Test func whateverTheOrderAHandlerIsCalledOnceAtMost() {
        func walk(_ steps: [Step]) {
            if steps.count < 5 {
                for step in Step.allCases { walk(steps + [step]) }
            }
            let box = CancellationBox()
            let called = Journal<Int>()
            var expected: [Int] = []
            var (isCancelled, isIn, waiting) = (false, false, Int?.none)
            for (number, step) in steps.enumerated() {
                switch step {
                case .cancel:
                    box.cancel()
                    isCancelled = true
                    if let waiting { expected.append(waiting) }
                    waiting = nil
                case .onCancel:
                    box.onCancel { called.append(number) }
                    guard !isIn else { break }
                    if isCancelled { expected.append(number) } else { waiting = number }
                case .forget:
                    box.forget()
                    waiting = nil
                case .comeIn:
                    box.comeIn()
                    (isIn, waiting) = (true, nil)
                }
                if called.values != expected || box.isCancelled != isCancelled {
                    Issue.record("\(steps.prefix(number + 1)): \(called.values)")
                    return
                }
            }
        }
        walk([])
    }

    @Test func whatAHandlerHoldsIsReleasedOnceItIsOver() {
        final class Thing: Sendable {}
        for end in [CancellationBox.forget, CancellationBox.cancel, CancellationBox.comeIn] {
            let box = CancellationBox()
            weak var held: Thing?
            do {
                let thing = Thing()
                held = thing
                box.onCancel { withExtendedLifetime(thing) {} }
            }
            #expect(held != nil)
            end(box)()
            #expect(held == nil)
        }
    }
}
