import CollectionElements

/// The messages of one reader as server-sent events: a sequence of byte chunks for the body of an
/// HTTP response.
///
/// ```swift
/// for try await chunk in try list.events(lastEventID: lastEventID) { try await write(chunk) }
/// ```
///
/// Each event has the version as its `id` and the JSON of a ``WireMessage`` as its `data`, in one
/// or more chunks of about 64 KB. The first chunk is available immediately, so that the response
/// headers are sent; it tells an `EventSource` to reconnect after one second. When the browser
/// reconnects, it sends the `id` of the last event that it received as `Last-Event-ID`, and
/// receives what it missed as one update.
///
/// The consumer controls the pace: between two calls to `next()` the reader is paused, and costs a
/// version number and one message. While the consumer waits, it receives a message at least every
/// ``HubConfiguration/heartbeat``, if the hub has one. A heartbeat is an event and not a comment,
/// because its version lets the reader check that it is up to date. If several readers of the whole
/// list receive the same small event at the same version, it is encoded only once.
///
/// The stream ends after the event `closed` of a list that closes, after ``end()``, and when the
/// waiting task is cancelled. The reader leaves when the stream and its iterators are released.
///
/// Threading: for one task at a time, like an `AsyncStream`.
public struct EventStream: AsyncSequence, Sendable {
    /// A chunk of bytes, never empty.
    public typealias Element = [UInt8]

    private let messages: HubMessages
    private let events: RecentEvents?

    init(_ messages: HubMessages, _ events: RecentEvents?) {
        self.messages = messages
        self.events = events
    }

    /// The header fields that the response needs: the content type, no caching, and no buffering by
    /// proxies.
    public static let headers: [(name: String, value: String)] = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
    ]

    /// Moves the window of the reader to another part of the list; see ``HubReader/setWindow(_:)``.
    /// It may be called from any thread.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        try messages.setWindow(window)
    }

    /// Ends the stream: a consumer that waits for a chunk receives `nil`, and the reader leaves. It
    /// may be called from any thread.
    ///
    /// Use this in a handler that learns from a callback that the connection has ended or the
    /// server is shutting down. The remaining chunks of an event that has been started are still
    /// delivered.
    public func end() { messages.mailbox.end() }

    /// Makes an iterator that continues where earlier iterators ended.
    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator(), events: events)
    }

    /// An iterator that waits for events and encodes them.
    public struct Iterator: AsyncIteratorProtocol {
        private let messages: HubMessages.Iterator
        private let events: RecentEvents?
        private var hasBegun = false
        private var writer: MessageWriter?

        fileprivate init(messages: HubMessages.Iterator, events: RecentEvents?) {
            self.messages = messages
            self.events = events
        }

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: An error if a payload is not UTF-8. The reader cannot continue after that.
        public mutating func next() async throws(WireError) -> [UInt8]? {
            try await next(isolation: nil)
        }

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: An error if a payload is not UTF-8. The reader cannot continue after that.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WireError) -> [UInt8]? {
            guard hasBegun else {
                hasBegun = true
                return Array(": connected\nretry: 1000\n\n".utf8)
            }
            while true {
                if let chunk = try writer?.next() { return chunk }
                guard let message = await messages.next(isolation: actor) else { return nil }
                guard let events else {
                    writer = try MessageWriter(message, isEvent: true)
                    continue
                }
                writer = nil
                if let chunk = try events.firstChunk(of: message, continuingWith: &writer) {
                    return chunk
                }
            }
        }
    }
}

extension UpdateHub {
    /// Returns the events of a new reader.
    ///
    /// - Parameters:
    ///   - lastEventID: The `Last-Event-ID` field of the request, unchecked; `nil` if the request
    ///     has none. If the text is not a version of this hub's history, the reader receives the
    ///     whole state.
    ///   - window: The part of the list that the reader sees; `nil` for all of it. The reader of a
    ///     window always receives everything in the window first.
    /// - Throws: An error if there are too many readers, or the window has negative rows or too
    ///   many.
    public func events(
        lastEventID: String? = nil,
        window: PublishedWindow? = nil
    ) throws(HubError) -> EventStream {
        guard let window else {
            let version = lastEventID.flatMap { PublishedVersion($0) }
            return EventStream(try messages(from: version), recentEvents)
        }
        return EventStream(try messages(window: window), nil)
    }
}

/// The newest small events of a whole list, which readers share.
final class RecentEvents: Sendable {
    private let events = Lock<[(key: Key, bytes: [UInt8])]>([])

    /// Readers that need the same event request it within a few announcements.
    private static let limit = 8

    /// A key for messages of one hub about the whole list: messages with equal keys have the same
    /// text.
    private struct Key: Equatable {
        enum Kind: Equatable {
            case reset(ResetReason)
            case update(from: Int, isDigested: Bool)
            case upToDate
        }

        let kind: Kind
        let version: PublishedVersion

        init?(_ message: HubMessage) {
            switch message {
            case .reset(_, let reason): kind = .reset(reason)
            case .update(let update):
                kind = .update(from: update.from.number, isDigested: update.digest != nil)
            case .upToDate: kind = .upToDate
            default: return nil
            }
            version = message.version
        }
    }

    /// Returns the first chunk of an event, and the writer of the rest if there is more.
    func firstChunk(
        of message: HubMessage,
        continuingWith rest: inout MessageWriter?
    ) throws(WireError) -> [UInt8]? {
        let key = Key(message)
        if let key, let found = events.withLock({ $0.last { $0.key == key }?.bytes }) {
            return found
        }
        var writer = try MessageWriter(message, isEvent: true)
        let chunk = try writer.next()
        if !writer.isAtEnd {
            rest = writer
        } else if let key, let chunk {
            events.withLock { events in
                if events.count == Self.limit { events.removeFirst() }
                events.append((key, chunk))
            }
        }
        return chunk
    }
}
