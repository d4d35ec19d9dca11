import CollectionPublishing
import Dispatch
import Foundation
import NIOCore
import Synchronization

/// One message of a hub as a server-sent event.
struct StreamEvent: Sendable {
    /// Whether no event comes after it.
    let isLast: Bool
    /// The text of the event. It shares its storage, so writing it to many connections copies nothing.
    let bytes: ByteBuffer

    static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }()

    init(_ message: HubMessage) throws {
        let json = try Self.encoder.encode(try WireMessage(message))
        if case .closed = message { isLast = true } else { isLast = false }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(json.count + 64)
        bytes.writeString("id: \(message.version)\ndata: ")
        bytes.writeBytes(json)
        bytes.writeString("\n\n")
        self.bytes = bytes
    }
}

/// The readers of one hub that are connections.
///
/// Each connection has a reader of its own. The reader pauses after each message and resumes when the message is
/// written, so a slow connection costs a version number and one event; later it receives one update with everything
/// that it missed. Messages become bytes on a serial queue: neither the hub's lane, on which all readers are
/// notified, nor an event loop waits for the encoder. Readers that are at the same version receive the same message,
/// which is encoded once.
final class ListStreams: Sendable {
    let hub: UpdateHub
    private let queue: DispatchQueue
    /// The newest events of the whole list. Only the queue reads and writes them.
    private nonisolated(unsafe) var recent: [(key: EventKey, event: StreamEvent)] = []
    /// The connections that move their windows, by the names that they were given.
    private let connections = Mutex<[String: (reader: HubReader, hasWindow: Bool)]>([:])

    /// Readers that ask for the same event ask within a few announcements.
    private static let recentLimit = 8

    init(name: String, hub: UpdateHub) {
        self.hub = hub
        queue = DispatchQueue(label: "\(name).encoding")
    }

    /// The number of connections that follow the list.
    var count: Int { connections.withLock { $0.count } }

    /// Adds a connection.
    ///
    /// - Parameter receive: receives an event, or `nil` if no event can be made. The reader pauses meanwhile.
    /// - Returns: the name of the connection, which nobody can guess, and its reader, which must leave by
    ///   ``remove(_:)``.
    func add(
        _ request: StreamRequest,
        receive: @escaping @Sendable (StreamEvent?) -> Void
    ) throws(HubError) -> (name: String, reader: HubReader) {
        let isShared = request.window == nil
        let take = { @Sendable [self] (message: HubMessage) -> ReaderDemand in
            queue.async { [self] in receive(event(for: message, isShared: isShared)) }
            return .pause
        }
        let reader: HubReader
        if let window = request.window {
            reader = try hub.addReader(window: window.published, receive: take)
        } else {
            reader = try hub.addReader(from: request.from, receive: take)
        }
        let name = UUID().uuidString
        connections.withLock { $0[name] = (reader, !isShared) }
        return (name, reader)
    }

    func remove(_ name: String) {
        let removed = connections.withLock { $0.removeValue(forKey: name) }
        removed?.reader.leave()
    }

    /// Gives a connection other rows.
    func setWindow(_ window: RequestedWindow, of name: String) throws {
        guard let (reader, hasWindow) = connections.withLock({ $0[name] }) else {
            throw RequestFault.notFound("connection")
        }
        guard hasWindow else { throw RequestFault.notWindowed }
        try reader.setWindow(window.published)
    }

    private func event(for message: HubMessage, isShared: Bool) -> StreamEvent? {
        guard isShared, let key = EventKey(message) else { return try? StreamEvent(message) }
        if let found = recent.last(where: { $0.key == key }) { return found.event }
        guard let event = try? StreamEvent(message) else { return nil }
        if recent.count == Self.recentLimit { recent.removeFirst() }
        recent.append((key, event))
        return event
    }
}

/// The identity of a message about a whole list: two messages with the same key say the same.
private struct EventKey: Equatable {
    private enum Kind: Equatable {
        case reset(ResetReason)
        case update(from: Int, isDigested: Bool)
        case upToDate
    }

    private let kind: Kind
    private let version: PublishedVersion

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
