import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// What carries a task's cancellation, against its promise: the handler is called once if there was one in
/// place when it was cancelled, or at once where that came first, and never after it was forgotten.
@Suite("Carrying a cancellation")
struct CancellationBoxTests {
    private enum Step: CaseIterable { case cancel, onCancel, forget }

    @Test func whateverTheOrderAHandlerIsCalledOnceAtMost() {
        func walk(_ steps: [Step]) {
            if steps.count < 5 {
                for step in Step.allCases { walk(steps + [step]) }
            }
            let box = CancellationBox()
            let called = Journal<Int>()
            var expected: [Int] = []
            var (isCancelled, waiting) = (false, Int?.none)
            for (number, step) in steps.enumerated() {
                switch step {
                case .cancel:
                    box.cancel()
                    isCancelled = true
                    if let waiting { expected.append(waiting) }
                    waiting = nil
                case .onCancel:
                    box.onCancel { called.append(number) }
                    if isCancelled { expected.append(number) } else { waiting = number }
                case .forget:
                    box.forget()
                    waiting = nil
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
        for forgets in [true, false] {
            let box = CancellationBox()
            weak var held: Thing?
            do {
                let thing = Thing()
                held = thing
                box.onCancel { withExtendedLifetime(thing) {} }
            }
            #expect(held != nil)
            if forgets { box.forget() } else { box.cancel() }
            #expect(held == nil)
        }
    }
}
