import CollectionPublishing
import Dispatch

/// The states of a list as values, read from what is published of it, as long as anybody wants them.
///
/// They are made on a queue of their own; of several that come meanwhile only the last is made.
final class PublishedStates: Sendable {
    private let hub: UpdateHub
    private let queue = DispatchQueue(label: "published.states")
    // The queue alone reads and writes these.
    private nonisolated(unsafe) var followers: [ObjectIdentifier: @Sendable (ListState) -> Void] =
        [:]
    private nonisolated(unsafe) var reader: HubReader?
    private nonisolated(unsafe) var replica = CollectionReplica()
    private nonisolated(unsafe) var last: ListState?
    /// Tells messages of this reader from those of one before.
    private nonisolated(unsafe) var readerNumber = 0

    init(_ hub: UpdateHub) { self.hub = hub }

    func follow(as identity: AnyObject, _ follower: @escaping @Sendable (ListState) -> Void) {
        let key = ObjectIdentifier(identity)
        queue.async { [self] in
            followers[key] = follower
            if let last { follower(last) }
            if reader == nil { join() }
        }
    }

    func unfollow(_ identity: AnyObject) {
        let key = ObjectIdentifier(identity)
        queue.async { [self] in
            followers[key] = nil
            if followers.isEmpty { leave() }
        }
    }

    func close() {
        queue.async { [self] in
            followers = [:]
            leave()
        }
    }

    private func join() {
        readerNumber += 1
        let number = readerNumber
        // There is room for it, unless for no other reader either.
        reader = try? hub.addReader { [weak self] message in
            self?.queue.async { [weak self] in self?.take(message, of: number) }
            return .pause
        }
    }

    private func leave() {
        reader?.leave()
        (reader, last, replica) = (nil, nil, CollectionReplica())
        readerNumber += 1
    }

    private func take(_ message: HubMessage, of number: Int) {
        guard number == readerNumber else { return }
        do {
            try replica.apply(message)
        } catch {
            leave()
            return join()
        }
        switch message {
        case .reset, .update:
            let state = ListState(replica.state)
            last = state
            for follower in followers.values { follower(state) }
        default: break
        }
        reader?.resume()
    }
}
