import CollectionElements

/// The messages of one reader, as a sequence.
///
/// Nothing is buffered: between two calls of `next()` the reader is paused at its version, and the next message is what
/// leads from there to now. So a consumer that writes to a slow connection slows down nobody, and costs no memory.
///
/// It ends after ``HubMessage/closed(_:)``, and where the task is cancelled; a message that was under way then is the
/// next one of who goes on. The reader leaves when the sequence and its iterators are released.
///
/// Threading: for one task at a time, like an `AsyncStream`; stops the process where two wait for a message.
public struct HubMessages: AsyncSequence, Sendable {
    let mailbox: HubMailbox

    init(_ mailbox: HubMailbox) { self.mailbox = mailbox }

    /// Goes on where the iterators before it ended.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Lets the reader of a window see another part of the list, see ``HubReader/setWindow(_:)``. From anywhere.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        try mailbox.reader.withLock { $0 }?.setWindow(window)
    }

    /// Waits for messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: HubMailbox

        /// The next message; nil at the end.
        public func next() async -> HubMessage? { await mailbox.next() }

        /// The next message; nil at the end.
        public func next(isolation actor: isolated (any Actor)?) async -> HubMessage? {
            await mailbox.next()
        }
    }
}

extension UpdateHub {
    /// The messages of a new reader, see ``addReader(from:policy:receive:)``.
    ///
    /// - Throws: where there are too many readers.
    public func messages(
        from version: PublishedVersion? = nil,
        policy: ReaderPolicy = .merged
    ) throws(HubError) -> HubMessages {
        let mailbox = HubMailbox()
        let reader = try addPausedReader(from: version, policy: policy, receive: mailbox.receiver)
        mailbox.reader.withLock { $0 = reader }
        return HubMessages(mailbox)
    }

    /// The messages of a new reader of a window, see ``addReader(window:receive:)``.
    ///
    /// - Throws: where the window has negative rows or too many, or there are too many readers.
    public func messages(window: PublishedWindow) throws(HubError) -> HubMessages {
        let mailbox = HubMailbox()
        let reader = try addPausedReader(window: window, receive: mailbox.receiver)
        mailbox.reader.withLock { $0 = reader }
        return HubMessages(mailbox)
    }
}

/// Where a hub leaves the one message that somebody has asked for.
final class HubMailbox: Sendable {
    private enum State {
        /// The reader is paused.
        case idle
        /// A message is under way, and somebody waits for it.
        case waiting(@Sendable (HubMessage?) -> Void)
        /// A message is under way, and nobody waits for it any more.
        case asked
        /// It has come, and nobody waited for it.
        case full(HubMessage)
        /// The last message was taken, or the sequence was ended.
        case ended
    }

    private let state = Lock(State.idle)
    /// Written once, before anybody waits.
    let reader = Lock<HubReader?>(nil)

    func next() async -> HubMessage? {
        await withTaskCancellationHandler {
            await suspend { wait($0) }
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ resume: @escaping @Sendable (HubMessage?) -> Void) {
        enum Found {
            case message(HubMessage?)
            case nothing
            case underWay
            case another
        }
        let found: Found = state.withLock { state in
            switch state {
            case .full(let message):
                state = message.isLast ? .ended : .idle
                return .message(message)
            case .ended: return .message(nil)
            case .waiting: return .another
            case .idle, .asked:
                // Asked under the lock: whoever is cancelled later is found waiting.
                if Task.isCancelled { return .message(nil) }
                // Asked once for each message, or there would be two in one place.
                defer { state = .waiting(resume) }
                if case .asked = state { return .underWay }
                return .nothing
            }
        }
        switch found {
        case .message(let message): resume(message)
        case .underWay: break
        case .nothing: reader.withLock { $0 }?.resume()
        case .another: require(false, "Messages of a hub are for one task at a time")
        }
    }

    /// What the hub tells its reader by.
    var receiver: @Sendable (HubMessage) -> ReaderDemand {
        { [weak self] message in
            self?.put(message)
            return .pause
        }
    }

    /// On the hub's lane.
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

    /// Ends the sequence, whatever is under way.
    func end() {
        let resume: (@Sendable (HubMessage?) -> Void)? = state.withLock { state in
            defer { state = .ended }
            guard case .waiting(let resume) = state else { return nil }
            return resume
        }
        reader.withLock { $0 }?.leave()
        resume?(nil)
    }

    private func cancel() {
        let resume: (@Sendable (HubMessage?) -> Void)? = state.withLock { state in
            guard case .waiting(let resume) = state else { return nil }
            state = .asked
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
