import CollectionPublishing
import Dispatch
import NIOCore
import Synchronization

/// What the readers of one hub are sent: messages as bytes, each made once, and groups of connections that get the same.
///
/// Encoding runs on a queue of its own, so that it holds up neither the hub's lane, where all readers are told, nor an
/// event loop.
final class ListStreams: Sendable {
    private struct GroupKey: Hashable {
        let eventLoop: ObjectIdentifier
        let isCompressed: Bool
    }

    let hub: UpdateHub
    private let queue: DispatchQueue
    // The queue alone reads and writes this.
    private nonisolated(unsafe) var cache = FrameCache()
    private let groups = Mutex<[GroupKey: StreamGroup]>([:])

    init(name: String, hub: UpdateHub) {
        self.hub = hub
        queue = DispatchQueue(label: "\(name).encoding")
    }

    /// Makes the bytes of a message that others are told too, or finds them, and calls `body` with them on any thread;
    /// with nil where a payload is no text, which none of ours is. Whoever reads is paused meanwhile, so nothing overtakes.
    ///
    /// - Parameters:
    ///   - window: the rows that the reader has always seen: all who have see the same.
    ///   - isCompressed: whether they will be wanted compressed, so that it is done there too.
    func encode(
        _ message: HubMessage,
        of window: RequestedWindow? = nil,
        isCompressed: Bool,
        _ body: @escaping @Sendable (StreamFrame?) -> Void
    ) {
        let waiter = { @Sendable (frame: StreamFrame?) in
            if isCompressed { _ = frame?.compressedChunk }
            body(frame)
        }
        queue.async { [self] in
            guard let key = FrameKey(message, window) else { return waiter(StreamFrame(message)) }
            switch cache.ask(for: key, waiter) {
            case .found(let frame) where !message.isLarge: waiter(frame)
            case .found(let frame):
                // It may be yet to be compressed.
                DispatchQueue.global(qos: .userInitiated).async { waiter(frame) }
            case .underWay: break
            case .missing where !message.isLarge: made(StreamFrame(message), key)
            case .missing:
                // It takes a while, and others are to be told small ones meanwhile.
                DispatchQueue.global(qos: .userInitiated).async { [self] in
                    let frame = StreamFrame(message)
                    if isCompressed { _ = frame?.compressedChunk }
                    queue.async { [self] in made(frame, key) }
                }
            }
        }
    }

    /// On the queue.
    private func made(_ frame: StreamFrame?, _ key: FrameKey) {
        for waiter in cache.made(frame, key) { waiter(frame) }
    }

    /// Makes the bytes of a message of a window that has moved, which nobody else has, and calls `body` with them on any
    /// thread.
    func encodeAlone(
        _ message: HubMessage,
        isCompressed: Bool,
        _ body: @escaping @Sendable (StreamFrame?) -> Void
    ) {
        DispatchQueue.global(qos: .userInitiated).async {
            let frame = StreamFrame(message)
            if isCompressed { _ = frame?.compressedChunk }
            body(frame)
        }
    }

    /// The group of an event loop, which is made where there is none.
    func group(on eventLoop: any EventLoop, isCompressed: Bool) -> StreamGroup {
        let key = GroupKey(eventLoop: ObjectIdentifier(eventLoop), isCompressed: isCompressed)
        return groups.withLock { groups in
            if let group = groups[key] { return group }
            let group = StreamGroup(self, on: eventLoop, isCompressed: isCompressed)
            groups[key] = group
            return group
        }
    }
}

extension HubMessage {
    /// Whether it takes more than some milliseconds to write it down: some thousand rows.
    fileprivate var isLarge: Bool {
        let limit = 2000
        switch self {
        case .reset(let snapshot, _): return snapshot.state.numberOfItems > limit
        case .update(let update):
            let contents = update.contents
            let fresh = contents.freshSections.reduce(0) { $0 + $1.items.count }
            return fresh + contents.insertedItems.count + contents.changedItems.count > limit
        default: return false
        }
    }
}
