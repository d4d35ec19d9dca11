import CollectionElements

/// The messages of one reader as server-sent events: a sequence of byte chunks for the body of an HTTP response.
///
/// ```swift
/// for try await chunk in try list.events(lastEventID: lastEventID) { try await write(chunk) }
/// ```
///
/// Each event has the version as its `id` and the JSON of a ``WireMessage`` as its `data`, in one or more chunks of some
/// 64 KB. The first chunk comes immediately, so that response headers are sent. The browser sends the `id` of the last
/// event that it has received as `Last-Event-ID` when it reconnects, and receives what it missed as one update.
///
/// Backpressure is the consumer's: between two calls of `next()` the reader is paused, and costs a version number and one
/// message. While the consumer waits, it receives a message at least every ``HubConfiguration/heartbeat``, if the hub has
/// one. Small events that readers of the whole list receive at the same version are written once for all of them.
///
/// The stream ends after the event `closed` of a list that closes, by ``end()``, and when the task that waits is
/// cancelled. The reader leaves when the stream and its iterators are released.
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

    /// The fields that the response needs: the type, no caching, and no buffering by proxies.
    public static let headers: [(name: String, value: String)] = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
    ]

    /// Gives the reader of a window another part of the list, see ``HubReader/setWindow(_:)``. From any thread.
    public func setWindow(_ window: PublishedWindow) throws(HubError) {
        try messages.setWindow(window)
    }

    /// Ends the stream: whoever waits for a chunk receives `nil`, and the reader leaves. From any thread.
    ///
    /// For a handler that learns of the end of the connection, or of the server, in a callback. Chunks of an event that
    /// was begun still come.
    public func end() { messages.mailbox.end() }

    /// Makes an iterator, which continues where the iterators before it ended.
    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator(), events: events)
    }

    /// Waits for events and writes them.
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
        /// - Throws: if a payload is not UTF-8. The reader cannot continue then.
        public mutating func next() async throws(WireError) -> [UInt8]? {
            try await next(isolation: nil)
        }

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: if a payload is not UTF-8. The reader cannot continue then.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WireError) -> [UInt8]? {
            guard hasBegun else {
                hasBegun = true
                return Array(": connected\n\n".utf8)
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
    ///   - lastEventID: the `Last-Event-ID` field of the request, unchecked; `nil` if there is none. A text
    ///     that is no version of this hub's history counts as none, and the reader receives everything.
    ///   - window: the part of the list that the reader sees; `nil` for all of it. Readers of a window always receive
    ///     everything in it first.
    /// - Throws: if there are too many readers, or the window has negative rows or too many.
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

/// The newest small events of a whole list, for the readers that receive the same ones.
final class RecentEvents: Sendable {
    private let events = Lock<[(key: Key, bytes: [UInt8])]>([])

    /// Readers that ask for the same event ask within a few announcements.
    private static let limit = 8

    /// Two messages of one hub about the whole list with the same key say the same.
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

    /// Returns the first chunk of an event, and what writes the rest if there is more.
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
