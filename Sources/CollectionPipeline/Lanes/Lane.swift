import CollectionElements

/// A serial place to run: one piece of work at a time, in the order of enqueuing.
///
/// The main lane of a controller is one; an event loop or an executor of the application's own can be
/// wrapped as one. An implementation promises:
///
/// 1. work on one lane is mutually exclusive and runs in the order of enqueuing;
/// 2. `enqueue` never runs the work before it returns;
/// 3. what happened before enqueuing happened before the work, and the work happens before the next
///    work on the lane;
/// 4. all that is enqueued runs eventually;
/// 5. `isCurrent` is true inside work of this lane, and false elsewhere.
public protocol Lane: AnyObject, Sendable {
    /// A name for messages and pictures.
    var label: String { get }

    /// Whether the caller runs on this lane.
    var isCurrent: Bool { get }

    /// Runs `work` on this lane, later.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// The executor of the tasks that the library starts for what lives on this lane, such as a view's fetches; `nil`,
    /// the default, for the global executor. A lane of a simulation has one, so that each piece of such a task is a
    /// step. A lane that wraps another returns the other's, unless it must know of all work.
    var taskExecutor: (any TaskExecutor)? { get }
}

extension Lane {
    /// `nil`: the global executor.
    public var taskExecutor: (any TaskExecutor)? { nil }

    /// Stops the process, naming the lane, where the caller is not on it.
    ///
    /// - Parameters:
    ///   - what: what was called.
    ///   - alternative: what to use elsewhere, where there is something.
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
}

extension Lane {
    /// Runs `body` on this lane, later, and returns its result; from anywhere, also from the lane itself.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await suspend { resume in
            enqueue { resume(Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }
}

/// A background lane that is made when it is needed first; most controllers never need it.
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
        // Made outside the lock; where two threads come at once, one of the lanes is dropped.
        let new = environment.makeLane(label: label)
        return made.withLock { lane in
            if let lane { return lane }
            lane = new
            return new
        }
    }
}
