import CollectionPublishing
import Foundation
import Synchronization

/// The connections that follow a hub, by the names that they were given.
final class ListStreams: Sendable {
    let hub: UpdateHub
    private let connections = Mutex<[String: EventStream]>([:])

    init(hub: UpdateHub) { self.hub = hub }

    /// The number of connections that follow the list.
    var count: Int { connections.withLock { $0.count } }

    /// Adds a connection.
    ///
    /// - Returns: the name of the connection, which nobody can guess, and its events. It must leave by ``remove(_:)``.
    func add(_ request: StreamRequest) throws(HubError) -> (name: String, events: EventStream) {
        let events = try hub.events(
            lastEventID: request.lastEventID,
            window: request.window?.published
        )
        let name = UUID().uuidString
        connections.withLock { $0[name] = events }
        return (name, events)
    }

    func remove(_ name: String) {
        let removed = connections.withLock { $0.removeValue(forKey: name) }
        removed?.end()
    }

    /// Gives a connection other rows.
    func setWindow(_ window: RequestedWindow, of name: String) throws {
        guard let events = connections.withLock({ $0[name] }) else {
            throw RequestFault.notFound("connection")
        }
        do throws(HubError) {
            try events.setWindow(window.published)
        } catch {
            throw error.code == .notWindowed ? RequestFault.notWindowed : error
        }
    }
}
