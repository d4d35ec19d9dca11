import CollectionElements
import CollectionPipeline
import Foundation

/// Random short sleeps from one seed.
package final class Jitter: Sendable {
    private let generator: Lock<SeededGenerator>
    private let maximumMicroseconds: Int

    package init(seed: UInt64, maximumMicroseconds: Int = 200) {
        generator = Lock(SeededGenerator(seed: seed))
        self.maximumMicroseconds = max(1, maximumMicroseconds)
    }

    /// Sleeps in two of three cases: sleeping, not spinning, is what makes threads overlap, and
    /// keeps ThreadSanitizer's window of history open.
    package func sleep() {
        let microseconds = generator.withLock { generator in
            generator.next(below: 3) == 0 ? 0 : generator.next(below: maximumMicroseconds)
        }
        if microseconds > 0 { usleep(UInt32(microseconds)) }
    }
}

/// A lane whose work is late by a random moment.
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

/// An environment in which everything is late by a random moment.
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
