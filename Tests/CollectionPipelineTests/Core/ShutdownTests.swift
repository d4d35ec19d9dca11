import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// All sequences of events on the way to the end, up to a length.
@Suite("Shutdown")
struct ShutdownTests {
    private struct Run: MachineRun {
        enum Input: CaseIterable {
            case completionScheduled, completionRan, callbackScheduled, callbackRan
            case setAccepted, setCompleted, closeRequested, endAwaited, turnComes
        }

        var shutdown = Shutdown()
        var (completions, callbacks, accepted, turns) = (0, 0, 0, 0)
        var (requests, awaited, called) = (0, 0, 0)
        var mistake: String?
        /// The numbers of the close callbacks that ran.
        let calls = Journal<Int>()

        mutating func take(_ input: Input) -> Bool {
            defer { if shutdown.needsTurn(isDrained: accepted == 0) { turns += 1 } }
            switch input {
            case .completionScheduled, .callbackScheduled:
                // After the end nothing can be scheduled.
                guard !shutdown.isClosed else { return false }
                let isCompletion = input == .completionScheduled
                shutdown.scheduled(isCompletion ? .completions : .others)
                if isCompletion { completions += 1 } else { callbacks += 1 }
            case .completionRan:
                guard completions > 0 else { return false }
                completions -= 1
                shutdown.ran(.completions)
            case .callbackRan:
                guard callbacks > 0 else { return false }
                callbacks -= 1
                shutdown.ran(.others)
            case .setAccepted:
                guard shutdown.isOpen else { return false }
                accepted += 1
            case .setCompleted:
                guard accepted > 0 else { return false }
                accepted -= 1
                completions += 1
                shutdown.scheduled(.completions)
            case .closeRequested:
                let begins = shutdown.closeRequested() == .beginClose
                if begins != (requests == 0) { mistake = "begun twice" }
                requests += 1
            case .endAwaited:
                let (calls, number) = (calls, awaited)
                awaited += 1
                if shutdown.awaited({ calls.append(number) }) == .callNow {
                    if !shutdown.isClosed { mistake = "called before the end" }
                    called += 1
                }
            case .turnComes:
                guard turns > 0 else { return false }
                turns -= 1
                guard case .end(let callbacks) = shutdown.beginTurn() else { break }
                if !isQuiet { mistake = "ended before the last callback" }
                called += callbacks.count
            }
            return true
        }

        private var isQuiet: Bool { (completions, callbacks, accepted) == (0, 0, 0) }

        var fault: String? {
            if let mistake { return mistake }
            if turns > 1 { return "two turns" }
            if shutdown.isOpen != (requests == 0) { return "open" }
            if shutdown.hasCompleted != (completions == 0) { return "completions" }
            if shutdown.isClosed, called != awaited { return "not all were called" }
            if !shutdown.isClosed, called > 0 { return "called before the end" }
            // If only the end is left, its turn is scheduled.
            let isDue = requests > 0 && !shutdown.isClosed && isQuiet
            return isDue && turns == 0 ? "the shutdown never ends" : nil
        }
    }

    @Test func theEndComesOnceAfterEverythingElse() {
        let walked = walk(Run(), length: Effort.number(8, usually: 6))
        #expect(walked.fault == nil)
        #expect(walked.count > 5_000)
    }
}
