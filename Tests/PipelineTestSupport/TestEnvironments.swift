import CollectionElements
import CollectionPipeline
import Foundation
import Testing

/// An environment that forwards everything it does not implement to a base environment.
package protocol ForwardingEnvironment: PipelineEnvironment {
    var base: any PipelineEnvironment { get }
}

extension ForwardingEnvironment {
    package func makeLane(label: String) -> any Lane { base.makeLane(label: label) }

    package func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(parts: parts, joinOn: lane, body: body, join: join)
    }

    package var workerCount: Int { base.workerCount }

    package var isCurrentWorker: Bool { base.isCurrentWorker }

    package func schedule(
        after delay: Duration,
        on lane: any Lane,
        _ work: @escaping @Sendable () -> Void
    ) {
        base.schedule(after: delay, on: lane, work)
    }

    package var now: Duration { base.now }

    package func makeSignal() -> any PipelineSignal { base.makeSignal() }
}

/// An environment that records the lanes made and every read of the clock.
package struct RecordingEnvironment: ForwardingEnvironment {
    package let base: any PipelineEnvironment
    package let lanes = Journal<String>()
    package let clockReads = Journal<Void>()

    package init(_ base: any PipelineEnvironment) { self.base = base }

    package func makeLane(label: String) -> any Lane {
        lanes.append(label)
        return base.makeLane(label: label)
    }

    package var now: Duration {
        clockReads.append(())
        return base.now
    }
}

/// Random short sleeps drawn from one seed.
package final class Jitter: Sendable {
    private let generator: Lock<SeededGenerator>
    private let maximumMicroseconds: Int

    package init(seed: UInt64, maximumMicroseconds: Int = 200) {
        generator = Lock(SeededGenerator(seed: seed))
        self.maximumMicroseconds = max(1, maximumMicroseconds)
    }

    /// Sleeps in two of three cases. Sleeping rather than spinning makes threads overlap and keeps
    /// ThreadSanitizer's window of history open.
    package func sleep() {
        let microseconds = generator.withLock { generator in
            generator.next(below: 3) == 0 ? 0 : generator.next(below: maximumMicroseconds)
        }
        if microseconds > 0 { usleep(UInt32(microseconds)) }
    }
}

/// A lane that delays its work by a random time.
package final class JitteredLane: Lane {
    private let base: any Lane
    private let jitter: Jitter

    package init(_ base: any Lane, _ jitter: Jitter) {
        self.base = base
        self.jitter = jitter
    }

    package var label: String { base.label }

    package var isCurrent: Bool { base.isCurrent }

    package func enqueue(_ work: @escaping @Sendable () -> Void) {
        base.enqueue { [jitter] in
            jitter.sleep()
            work()
        }
    }
}

/// An environment that delays lanes' and workers' work by a random time.
package struct JitteredEnvironment: ForwardingEnvironment {
    package let base: any PipelineEnvironment
    private let jitter: Jitter

    package init(_ base: any PipelineEnvironment, _ jitter: Jitter) {
        self.base = base
        self.jitter = jitter
    }

    package func makeLane(label: String) -> any Lane {
        JitteredLane(base.makeLane(label: label), jitter)
    }

    package func fork(
        parts: Int,
        joinOn lane: any Lane,
        body: @escaping @Sendable (Int) -> Void,
        join: @escaping @Sendable () -> Void
    ) {
        base.fork(
            parts: parts,
            joinOn: lane,
            body: { [jitter] part in
                jitter.sleep()
                body(part)
            },
            join: join
        )
    }
}

// Dispatch replaces a thread that a blocked worker occupies only once a second. Tests that hold a
// worker at a gate therefore run one at a time, so that another thread stays free.

/// Runs a test while no other test that holds a worker runs.
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
    /// Marks a test that holds a worker for any length of time.
    package static var holdsWorker: Self { Self() }
}

/// Admits one task at a time, in order of arrival.
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
