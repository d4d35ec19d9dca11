extension PipelineEvent {
    /// The name of an event. New kinds may come, so a `switch` over them needs a default.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name, stable over releases.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        // A test reads the lines that begin with "Fields:".

        // MARK: Step 0: recording

        /// Step 0: a submission waits to come in, for the end of a batch or for room in the backlog.
        ///
        /// Fields: wait, which is what it waits for at first.
        public static let suspended = Kind(rawValue: "suspended")
        /// A submission waits no longer: it comes in, or is sent away. The duration is that of its wait.
        ///
        /// Fields: duration.
        public static let resumed = Kind(rawValue: "resumed")
        /// Step 0: a batch began; a single edit is one too.
        ///
        /// Fields: none.
        public static let recordingStarted = Kind(rawValue: "recordingStarted")
        /// Step 0 ended: the outermost end of a batch has come, or a close has ended it.
        ///
        /// Fields: duration.
        public static let recordingFinished = Kind(rawValue: "recordingFinished")

        // MARK: Steps 1 and 2: latching

        /// Step 2: a layout delegate was asked for its context; the duration is that of the answer.
        ///
        /// Fields: duration.
        public static let layoutContextAsked = Kind(rawValue: "layoutContextAsked")
        /// Step 1 ended: the change set was accepted; the duration is that of the latch.
        ///
        /// Fields: duration, backlog, editCount, elementCount; divergence, where something differs.
        public static let accepted = Kind(rawValue: "accepted")
        /// The submission was rejected.
        ///
        /// Fields: error; divergence, where something differs.
        public static let rejected = Kind(rawValue: "rejected")

        /// A check of the content (``PipelineConfiguration/contentCheck``) found that the data source has another
        /// model than the set left; told once, until a complete check finds nothing or everything is reloaded. That
        /// models cannot be compared, as the data source gives none, is told once (``Disagreement/reason``).
        ///
        /// Fields: disagreement.
        public static let disagreed = Kind(rawValue: "disagreed")

        // MARK: Step 3: measuring

        /// Step 3 began.
        ///
        /// Fields: elementCount.
        public static let measuringStarted = Kind(rawValue: "measuringStarted")
        /// A node provider or a measurement threw; on the worker.
        ///
        /// Fields: error, failedElement.
        public static let elementFailed = Kind(rawValue: "elementFailed")
        /// A layout delegate threw; on the worker.
        ///
        /// Fields: error.
        public static let layoutFailed = Kind(rawValue: "layoutFailed")
        /// Step 3 ended.
        ///
        /// Fields: duration, elementCount.
        public static let measuringFinished = Kind(rawValue: "measuringFinished")

        // MARK: Steps 4 and 5: showing

        /// Step 4 ended, and step 5 began: facilitators and the view are about to get the update.
        ///
        /// Fields: none.
        public static let handingOverStarted = Kind(rawValue: "handingOverStarted")
        /// The view has the update, and has returned or begins to deploy it; the duration is that of the
        /// hand-over.
        ///
        /// Fields: duration.
        public static let handedOver = Kind(rawValue: "handedOver")
        /// The view is ready: the visible map is about to be swapped.
        ///
        /// Fields: none.
        public static let deployingStarted = Kind(rawValue: "deployingStarted")
        /// The view is gone: this update, and every one after it, deploys to the visible map alone. Told once; an
        /// application that drops its view on purpose can ignore it.
        ///
        /// Fields: none.
        public static let viewGone = Kind(rawValue: "viewGone")
        /// The view refused an update; a reload follows, as ``ViewUpdate/deploy(_:file:line:)`` says.
        ///
        /// Fields: error.
        public static let viewRefused = Kind(rawValue: "viewRefused")
        /// Step 5 ended: the visible map is swapped and the view has applied the edits.
        ///
        /// Fields: duration, backlog.
        public static let deployed = Kind(rawValue: "deployed")
        /// The completions of a submission have run.
        ///
        /// Fields: none.
        public static let completed = Kind(rawValue: "completed")

        // MARK: The controller

        /// Something waits for longer than ``PipelineConfiguration/stallTimeout``; told once for each wait, up
        /// to half that time late. On the main lane, unless it is that which does not go on.
        ///
        /// Fields: stall.
        public static let stalled = Kind(rawValue: "stalled")
        /// A wait that was told of is over; the duration is that of the wait.
        ///
        /// Fields: duration, stall.
        public static let stallEnded = Kind(rawValue: "stallEnded")
        /// Closing began.
        ///
        /// Fields: backlog.
        public static let closing = Kind(rawValue: "closing")
        /// Closing ended; the last event.
        ///
        /// Fields: none.
        public static let closed = Kind(rawValue: "closed")
    }
}
