import CollectionPipeline

/// A lane that has each piece of work run by somebody who takes it down.
final class TracedLane: Lane {
    private let base: any Lane
    private let run: @Sendable (() -> Void) -> Void

    init(_ base: any Lane, _ run: @escaping @Sendable (() -> Void) -> Void) {
        self.base = base
        self.run = run
    }

    var label: String { base.label }

    var isCurrent: Bool { base.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) { base.enqueue { [run] in run(work) } }
}
