/// An event in a pipeline, for logs, metrics and traces.
///
/// The library itself logs nothing. Every event has a ``kind``, a ``pipeline`` and a time. The
/// events of a submission have its number and, except for stalls, its context. The documentation of
/// each kind lists its other fields; all fields not listed are `nil`. Fields may be added.
///
/// The events of one submission are sent in the order in which ``Kind`` lists them, each at most
/// once, except for ``Kind/elementFailed``. The last event of an accepted submission is
/// ``Kind/completed``, whatever its outcome. Only the work of a submission that a close has
/// cancelled may still end after that.
public struct PipelineEvent: Sendable {
    /// The kind of event.
    public let kind: Kind

    /// The name in the controller's configuration.
    public let pipeline: String

    /// The submission that the event belongs to.
    public let submission: SubmissionID?

    /// The caller's context. For a batch made of several calls, it is known only at the end.
    public let callerContext: (any Sendable)?

    /// The time of the event, in terms of ``PipelineEnvironment/now``; only differences are
    /// meaningful.
    public let timestamp: Duration

    /// The duration of the operation that ended with this event.
    public internal(set) var duration: Duration?

    /// The number of change sets that were accepted and not yet deployed.
    public internal(set) var backlog: Int?

    /// The number of edits in the change set; a reload or move counts as two.
    public internal(set) var editCount: Int?

    /// The number of elements to be measured.
    public internal(set) var elementCount: Int?

    /// The possible difference between the data source and the last accepted state, after a change
    /// set was accepted or rejected; `nil` if there is none.
    public internal(set) var divergence: Divergence?

    /// The condition that a submission waits for before it is admitted.
    public internal(set) var wait: PipelineWait?

    /// The difference between the models of the map and the data source.
    public internal(set) var contentMismatch: ContentMismatch?

    /// The wait that lasts, or lasted, too long.
    public internal(set) var stall: Stall?

    /// The reason for a rejection or failure.
    public internal(set) var error: (any Error)?

    /// The failed element, for ``Kind/elementFailed``.
    public internal(set) var failedElement: ElementFailure?
}

/// A receiver of all events in a pipeline.
///
/// It is called on the lane or worker where the event happened, in order on each lane. It must not
/// block and must not call the controller. A close completes after the last call has returned
/// (Quiet After Close). Without an observer, the pipeline does not read the clock or allocate for
/// events.
public protocol PipelineObserver: Sendable {
    /// Receives an event.
    func observe(_ event: PipelineEvent)
}

extension PipelineEvent {
    /// The name of an event. New kinds may be added, so a `switch` over them needs a default.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // A test reads the lines that begin with "Fields:".

        // MARK: Step 0: recording

        /// Step 0: a submission waits to be admitted, for the end of a batch or for capacity in the
        /// backlog.
        ///
        /// Fields: wait, the first condition that it waits for.
        public static let suspended = Kind(rawValue: "suspended")
        /// A submission no longer waits: it is admitted or rejected. The duration is that of its
        /// wait.
        ///
        /// Fields: duration.
        public static let resumed = Kind(rawValue: "resumed")
        /// Step 0: a batch began; a single edit is a batch too.
        ///
        /// Fields: none.
        public static let recordingStarted = Kind(rawValue: "recordingStarted")
        /// Step 0 ended: the outermost level of a batch ended, or a close ended the batch.
        ///
        /// Fields: duration.
        public static let recordingFinished = Kind(rawValue: "recordingFinished")

        // MARK: Steps 1 and 2: latching

        /// Step 2: the controller requested a context from the layout delegate. The duration is
        /// that of the call.
        ///
        /// Fields: duration.
        public static let layoutContextRequested = Kind(rawValue: "layoutContextRequested")
        /// Step 1 ended: the change set was accepted. The duration is that of the latch.
        ///
        /// Fields: duration, backlog, editCount, elementCount; divergence, if states differ.
        public static let accepted = Kind(rawValue: "accepted")
        /// The submission was rejected.
        ///
        /// Fields: error; divergence, if states differ.
        public static let rejected = Kind(rawValue: "rejected")

        /// A check of the content (``PipelineConfiguration/contentCheck``) found that a model of
        /// the data source differs from the model in the map after the change set. A difference is
        /// reported once, until a complete check finds nothing or everything is reloaded. Models
        /// that cannot be compared, because the data source returns none, are also reported once
        /// (``ContentMismatch/reason``).
        ///
        /// Fields: contentMismatch.
        public static let disagreed = Kind(rawValue: "disagreed")

        // MARK: Step 3: measuring

        /// Step 3 began.
        ///
        /// Fields: elementCount.
        public static let measuringStarted = Kind(rawValue: "measuringStarted")
        /// A node provider or a measurement threw an error. The event is sent on the worker.
        ///
        /// Fields: error, failedElement.
        public static let elementFailed = Kind(rawValue: "elementFailed")
        /// A layout delegate threw an error. The event is sent on the worker.
        ///
        /// Fields: error.
        public static let layoutFailed = Kind(rawValue: "layoutFailed")
        /// Step 3 ended.
        ///
        /// Fields: duration, elementCount.
        public static let measuringFinished = Kind(rawValue: "measuringFinished")

        // MARK: Steps 4 and 5: showing

        /// Step 4 ended and step 5 began: facilitators and the view are about to receive the
        /// update.
        ///
        /// Fields: none.
        public static let handingOverStarted = Kind(rawValue: "handingOverStarted")
        /// The view has received the update: its method has returned, or it begins to deploy the
        /// update within the call. The duration is that of the hand-over.
        ///
        /// Fields: duration.
        public static let handedOver = Kind(rawValue: "handedOver")
        /// The view is ready: the visible map is about to be swapped.
        ///
        /// Fields: none.
        public static let deployingStarted = Kind(rawValue: "deployingStarted")
        /// The view was deallocated: this update and all later ones deploy to the visible map
        /// alone. The event is sent once. An application that drops its view on purpose can ignore
        /// it.
        ///
        /// Fields: none.
        public static let viewGone = Kind(rawValue: "viewGone")
        /// The view refused an update; a reload follows, as ``ViewUpdate/deploy(_:file:line:)``
        /// describes.
        ///
        /// Fields: error.
        public static let viewRefused = Kind(rawValue: "viewRefused")
        /// Step 5 ended: the visible map is swapped, and the view has applied the edits.
        ///
        /// Fields: duration, backlog.
        public static let deployed = Kind(rawValue: "deployed")
        /// The completions of a submission have run.
        ///
        /// Fields: none.
        public static let completed = Kind(rawValue: "completed")

        // MARK: The controller

        /// A wait has lasted longer than ``PipelineConfiguration/stallTimeout``. The event is sent
        /// once for each wait, up to half that time late. It is sent on the main lane, unless the
        /// main lane itself has stalled.
        ///
        /// Fields: stall.
        public static let stalled = Kind(rawValue: "stalled")
        /// A reported wait has ended. The duration is that of the wait.
        ///
        /// Fields: duration, stall.
        public static let stallEnded = Kind(rawValue: "stallEnded")
        /// The controller has begun to close.
        ///
        /// Fields: backlog.
        public static let closing = Kind(rawValue: "closing")
        /// The controller has closed. This is the last event.
        ///
        /// Fields: none.
        public static let closed = Kind(rawValue: "closed")
    }
}

extension PipelineEvent: CustomStringConvertible {
    /// One line for a log, such as `feed #4 accepted: 2 edits, 1 element, backlog 1, took 312 µs`.
    public var description: String {
        var details = remarks
        if let editCount { details.append(counted(editCount, "edit")) }
        if let elementCount { details.append(counted(elementCount, "element")) }
        if let backlog { details.append("backlog \(backlog)") }
        if let divergence { details.append("diverged in \(divergence)") }
        if let duration { details.append("took \(duration.shortText)") }
        let who = submission.map { "\(pipeline) \($0)" } ?? pipeline
        let what = "\(who) \(kind.rawValue)"
        return details.isEmpty ? what : "\(what): \(details.joined(separator: ", "))"
    }

    /// The wait, stall, failure or error of the event, as parts of a line.
    package var remarks: [String] {
        var remarks: [String] = []
        if let wait { remarks.append("waits for \(wait)") }
        if let stall { remarks.append(kind == .stallEnded ? stall.endDescription : "\(stall)") }
        if kind == .viewGone { remarks.append("keep the view, unless it was dropped on purpose") }
        if let contentMismatch { remarks.append("\(contentMismatch)") }
        if let failedElement {
            remarks.append("\(failedElement)")
        } else if let error {
            remarks.append(Self.firstLine(of: error))
        }
        return remarks
    }

    /// Returns the fault in one line. Errors of the library have further lines that explain the
    /// fault.
    private static func firstLine(of error: any Error) -> String {
        if let error = error as? UpdateError { return error.summary }
        return String("\(error)".prefix { $0 != "\n" })
    }
}

extension Duration {
    /// The duration with at most three digits and a suitable unit, such as `5.7 µs`, `312 ms` or `2
    /// s`.
    package var shortText: String {
        let units: [(name: String, attoseconds: Int128)] = [
            ("s", 1_000_000_000_000_000_000), ("ms", 1_000_000_000_000_000),
            ("µs", 1_000_000_000_000),
        ]
        let length = attoseconds.magnitude
        let sign = attoseconds < 0 ? "-" : ""
        // A value that is rounded up to one of the next unit is given in that unit.
        let (name, unit) =
            units.first { length >= $0.attoseconds.magnitude / 10_000 * 9_995 }
            .map { ($0.name, $0.attoseconds.magnitude) } ?? ("ns", 1_000_000_000)
        let decimals = length < unit * 10 ? 2 : length < unit * 100 ? 1 : 0
        let scale: UInt128 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let rounded = (length * scale + unit / 2) / unit
        var text = "\(rounded / scale)"
        var fraction = String(String(rounded % scale + scale).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        if !fraction.isEmpty { text += ".\(fraction)" }
        return "\(sign)\(text) \(name)"
    }
}
