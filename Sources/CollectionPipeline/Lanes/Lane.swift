import CollectionElements

/// A serial executor of work: one piece of work at a time, in the order of enqueuing.
///
/// A controller's main lane is a lane; an event loop or an executor of the application can be
/// wrapped as one. An implementation guarantees:
///
/// 1. Work on one lane is mutually exclusive and runs in the order of enqueuing.
/// 2. `enqueue` never runs the work before it returns.
/// 3. Everything before the call to `enqueue` happens before the work, and the work happens before
///    the next work on the lane.
/// 4. All enqueued work runs eventually.
/// 5. `isCurrent` is true inside work of this lane, and false elsewhere.
public protocol Lane: AnyObject, Sendable {
    /// The name of the lane in messages and traces.
    var label: String { get }

    /// Whether the caller runs on this lane.
    var isCurrent: Bool { get }

    /// Runs `work` on this lane, later.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// The executor of the tasks that the library starts for objects on this lane, such as a view's
    /// fetches; `nil`, the default, for the global executor. A lane of a simulation has an
    /// executor, so that each part of such a task is a step. A lane that wraps another lane returns
    /// the other's executor, unless it must observe all work.
    var taskExecutor: (any TaskExecutor)? { get }
}

extension Lane {
    /// The value `nil`, for the global executor.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// Stops the process with the name of the lane if the caller does not run on it.
    ///
    /// - Parameters:
    ///   - what: The call that was made.
    ///   - alternative: The call to use from elsewhere, if there is one.
    package func requireCurrent(
        _ what: @autoclosure () -> String,
        instead alternative: @autoclosure () -> String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        require(
            isCurrent,
            "\(what()) must be called on the lane '\(label)', but was called elsewhere; "
                + (alternative().map { "\($0), or " } ?? "")
                + "go there with the lane's enqueue(_:)",
            file: file,
            line: line
        )
    }

    /// Runs `body` on this lane, later, and returns its result. May be called from any thread,
    /// including the lane itself.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await suspend { resume in
            enqueue { resume(Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }
}

/// A background lane that is created at its first use; most controllers never need it.
final class LazyLane: Sendable {
    private let environment: any PipelineEnvironment
    private let label: String
    private let made = Lock<(any Lane)?>(nil)

    init(_ environment: any PipelineEnvironment, label: String) {
        self.environment = environment
        self.label = label
    }

    var lane: any Lane {
        if let lane = made.withLock({ $0 }) { return lane }
        // The lane is created outside the lock. If two threads do so at the same time, one of the
        // lanes is dropped.
        let new = environment.makeLane(label: label)
        return made.withLock { lane in
            if let lane { return lane }
            lane = new
            return new
        }
    }
}

/// Stops the process if `condition` is false, for a call on the wrong lane, a wait that would
/// deadlock, or a call after a close.
///
/// Unlike `precondition`, whose message is dropped in optimized builds, this prints the message in
/// every build.
package func require(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    guard condition else { fatalError(message(), file: file, line: line) }
}

/// Releases large maps and states on a separate background lane, so that neither the main lane nor
/// the measuring of the next change set waits for it.
final class Reclaimer: MapReclaimer {
    private let lane: LazyLane
    private let elementEnvironment: ElementEnvironment?

    /// Creates a reclaimer.
    ///
    /// - Parameters:
    ///   - environment: The environment that creates its lane.
    ///   - label: The label of its lane.
    ///   - elementEnvironment: The common properties of the maps' elements, if the maps belong to a
    ///     controller.
    init(
        _ environment: any PipelineEnvironment,
        label: String,
        elementEnvironment: ElementEnvironment? = nil
    ) {
        lane = LazyLane(environment, label: label)
        self.elementEnvironment = elementEnvironment
    }

    var owner: (any ElementOwner)? { elementEnvironment?.owner }

    func reclaim(_ release: @escaping @Sendable () -> Void) { lane.lane.enqueue(release) }
}
