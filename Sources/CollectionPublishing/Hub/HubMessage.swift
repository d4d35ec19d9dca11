import CollectionElements

/// A message to a reader of a hub.
///
/// A reader that applies the messages in order has the hub's state at every version (No Gap No
/// Double, Converges). The first message is `reset`, or an update from the version that the reader
/// resumes from. Every update starts from the version that the previous message led to.
@nonexhaustive
public enum HubMessage: Sendable {
    /// Replaces the reader's state with a snapshot.
    case reset(PublishedSnapshot, ResetReason)

    /// Changes the reader's state.
    case update(PublishedUpdate)

    /// Confirms that the reader has the current version. It is sent when a reader has received all
    /// missed updates, even if there were none, and with every heartbeat.
    case upToDate(PublishedVersion, digest: StateDigest)

    /// Ends the messages: the controller has closed, and this version is the last.
    case closed(PublishedVersion)

    /// The version that a reader has after applying the message.
    public var version: PublishedVersion {
        switch self {
        case .reset(let snapshot, _): snapshot.version
        case .update(let update): update.to
        case .upToDate(let version, _), .closed(let version): version
        }
    }
}

extension HubMessage: CustomStringConvertible {
    /// One line for a log: the kind, versions and counts, such as `reset, joined: 1 section with 3
    /// items at 00c0ffee00c0ffee.12`.
    public var description: String {
        switch self {
        case .reset(let snapshot, let reason): "reset, \(reason.rawValue): \(snapshot)"
        case .update(let update): update.description
        case .upToDate(let version, _): "up to date at \(version)"
        case .closed(let version): "closed at \(version)"
        }
    }
}

/// The reason why a reader receives the whole state instead of the updates that it missed.
@nonexhaustive
public enum ResetReason: String, Hashable, Sendable, CaseIterable {
    /// The reader had no state.
    case joined
    /// The reader has a version of another history, for example that of the server before a
    /// restart, or of a discarded part of this history.
    case otherHistory
    /// The reader resumes from a version of this history that the hub has not announced.
    case unknownVersion
    /// The hub no longer keeps the reader's version, because the reader was away for too long or
    /// too many readers were paused at older versions.
    case forgotten
}

/// The messages of one reader, as a sequence.
///
/// Nothing is buffered: between two calls to `next()` the reader is paused at its version, and the
/// next message leads from there to the current version. A consumer that writes to a slow
/// connection therefore delays no other reader and needs no memory.
///
/// The sequence ends after ``HubMessage/closed(_:)``, and when the task is cancelled. If a message
/// was in transit at that time, a later iterator returns it first. The reader leaves when the
/// sequence and its iterators are released.
///
/// Threading: for one task at a time, like an `AsyncStream`. If two tasks wait for a message, the
/// process stops.
public struct HubMessages: AsyncSequence, Sendable {
    let mailbox: HubMailbox

    init(_ mailbox: HubMailbox) { self.mailbox = mailbox }

    /// Makes an iterator that continues where earlier iterators ended.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Moves the window of the reader to another part of the list; see ``HubReader/setWindow(_:)``.
    /// It may be called from any thread.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        try mailbox.reader.withLock { $0 }?.setWindow(window)
    }

    /// An iterator that waits for messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: HubMailbox

        /// Returns the next message; `nil` at the end.
        public func next() async -> HubMessage? { await mailbox.next() }

        /// Returns the next message; `nil` at the end.
        public func next(isolation actor: isolated (any Actor)?) async -> HubMessage? {
            await mailbox.next()
        }
    }
}

extension UpdateHub {
    /// Returns the messages of a new reader; see ``addReader(from:policy:receive:)``.
    ///
    /// - Throws: An error if there are too many readers.
    public func messages(
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .coalesced
    ) throws(HubError) -> HubMessages {
        let mailbox = HubMailbox()
        let reader = try addPausedReader(from: version, policy: policy, receive: mailbox.receiver)
        mailbox.reader.withLock { $0 = reader }
        return HubMessages(mailbox)
    }

    /// Returns the messages of a new reader of a window; see ``addReader(window:receive:)``.
    ///
    /// - Throws: An error if the window has negative rows or too many, or there are too many
    ///   readers.
    public func messages(window: PublishedWindow) throws(HubError) -> HubMessages {
        let mailbox = HubMailbox()
        let reader = try addPausedReader(window: window, receive: mailbox.receiver)
        mailbox.reader.withLock { $0 = reader }
        return HubMessages(mailbox)
    }
}

/// A mailbox for the one message that the consumer of a ``HubMessages`` has requested from the hub.
final class HubMailbox: Sendable {
    private enum State {
        /// The reader is paused.
        case idle
        /// A message was requested, and a consumer waits for it.
        case waiting(@Sendable (HubMessage?) -> Void)
        /// A message was requested, but the consumer that waited for it was cancelled.
        case requested
        /// A message has arrived, and no consumer was waiting for it.
        case full(HubMessage)
        /// The last message was delivered, or the sequence was ended.
        case ended
    }

    private let state = Lock(State.idle)
    /// Written once, before the first consumer waits.
    let reader = Lock<HubReader?>(nil)

    func next() async -> HubMessage? {
        await withTaskCancellationHandler {
            await suspend { wait($0) }
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ resume: @escaping @Sendable (HubMessage?) -> Void) {
        enum Action {
            case deliver(HubMessage?)
            case requestMessage
            case keepWaiting
            case rejectSecondTask
        }
        let action: Action = state.withLock { state in
            switch state {
            case .full(let message):
                state = message.isLast ? .ended : .idle
                return .deliver(message)
            case .ended: return .deliver(nil)
            case .waiting: return .rejectSecondTask
            case .idle, .requested:
                // Checked under the lock, so that a later cancellation finds the consumer in
                // `waiting`.
                if Task.isCancelled { return .deliver(nil) }
                // A message is requested only once, because the mailbox has no room for a second
                // one.
                defer { state = .waiting(resume) }
                if case .requested = state { return .keepWaiting }
                return .requestMessage
            }
        }
        switch action {
        case .deliver(let message): resume(message)
        case .keepWaiting: break
        case .requestMessage: reader.withLock { $0 }?.resume()
        case .rejectSecondTask:
            require(false, "Only one task at a time may wait for the messages of a reader")
        }
    }

    /// The callback that the hub calls with the messages.
    var receiver: @Sendable (HubMessage) -> ReaderDemand {
        { [weak self] message in
            self?.put(message)
            return .pause
        }
    }

    /// Runs on the hub's lane.
    private func put(_ message: HubMessage) {
        let resume: (@Sendable (HubMessage?) -> Void)? = state.withLock { state in
            if case .ended = state { return nil }
            guard case .waiting(let resume) = state else {
                state = .full(message)
                return nil
            }
            state = message.isLast ? .ended : .idle
            return resume
        }
        resume?(message)
    }

    /// Ends the sequence, even if a message is in transit.
    func end() {
        let resume: (@Sendable (HubMessage?) -> Void)? = state.withLock { state in
            guard case .waiting(let resume) = exchange(&state, with: .ended) else { return nil }
            return resume
        }
        reader.withLock { $0 }?.leave()
        resume?(nil)
    }

    private func cancel() {
        let resume: (@Sendable (HubMessage?) -> Void)? = state.withLock { state in
            guard case .waiting(let resume) = state else { return nil }
            state = .requested
            return resume
        }
        resume?(nil)
    }
}

extension HubMessage {
    fileprivate var isLast: Bool {
        if case .closed = self { true } else { false }
    }
}
