import CollectionPublishing
import Foundation
import NIOCore
import Synchronization

/// The readers of one hub that are connections.
///
/// Each connection has a reader of its own. The reader pauses after each message and resumes when the message is
/// written, so a slow connection costs a version number and one message; later it receives one update with everything
/// that it missed. Messages become text in the task of the connection: neither the hub's lane, on which all readers are
/// notified, nor an event loop waits for that. A small event that readers at the same version receive is made once; a
/// large one is made for each of them in pieces, none of which is kept.
final class ListStreams: Sendable {
    let hub: UpdateHub
    /// The newest small events of the whole list.
    private let recent = Mutex<[(key: EventKey, bytes: ByteBuffer)]>([])
    /// The connections that move their windows, by the names that they were given.
    private let connections = Mutex<[String: (reader: HubReader, hasWindow: Bool)]>([:])

    /// Readers that ask for the same event ask within a few announcements.
    private static let recentLimit = 8

    init(hub: UpdateHub) { self.hub = hub }

    /// The number of connections that follow the list.
    var count: Int { connections.withLock { $0.count } }

    /// Adds a connection.
    ///
    /// - Parameter receive: receives a message. The reader pauses after it.
    /// - Returns: the name of the connection, which nobody can guess, and its reader, which must leave by
    ///   ``remove(_:)``.
    func add(
        _ request: StreamRequest,
        receive: @escaping @Sendable (HubMessage) -> Void
    ) throws(HubError) -> (name: String, reader: HubReader) {
        let take = { @Sendable (message: HubMessage) -> ReaderDemand in
            receive(message)
            return .pause
        }
        let reader: HubReader
        if let window = request.window {
            reader = try hub.addReader(window: window.published, receive: take)
        } else {
            reader = try hub.addReader(from: request.from, receive: take)
        }
        let name = UUID().uuidString
        connections.withLock { $0[name] = (reader, request.window != nil) }
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

    // MARK: Events

    /// Sends a message as a server-sent event.
    ///
    /// - Parameter isShared: whether the message is about the whole list, so that other readers receive it too.
    func send(_ message: HubMessage, isShared: Bool, to send: MessageText.Send) async throws {
        let key = isShared ? EventKey(message) : nil
        if let found = recent.withLock({ $0.last { $0.key == key }?.bytes }) {
            return try await send(found)
        }
        var text = MessageText()
        text.append("id: \(message.version)\ndata: ")
        try await text.append(message, sending: send)
        text.append("\n\n")
        let bytes = text.piece
        if let key, text.isWhole {
            recent.withLock { recent in
                if recent.count == Self.recentLimit { recent.removeFirst() }
                recent.append((key, bytes))
            }
        }
        try await send(bytes)
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
