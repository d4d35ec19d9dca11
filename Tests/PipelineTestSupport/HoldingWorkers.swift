import Testing

// Dispatch replaces a thread that a worker blocks only once a second, whoever waits for it. Tests that
// hold a worker at a gate therefore take turns: with one thread held, another is left for everybody.

/// Runs a test when no other that holds a worker runs.
package struct HoldingWorkers: TestTrait, TestScoping {
    private static let turnstile = Turnstile()

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turnstile.enter()
        do {
            try await function()
            await Self.turnstile.leave()
        } catch {
            await Self.turnstile.leave()
            throw error
        }
    }
}

extension Trait where Self == HoldingWorkers {
    /// The test holds a worker for as long as it likes.
    package static var holdsWorker: Self { Self() }
}

/// Lets one task through at a time, first come, first served.
private actor Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
