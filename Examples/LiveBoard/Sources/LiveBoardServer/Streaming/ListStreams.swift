import CollectionPublishing
import Dispatch
import Foundation
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

    /// Makes the bytes of a message that others are told too, or finds them, and calls `body` with them on a queue of its own,
    /// in the order of the calls; with nil where a payload is no text, which none of ours is.
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
        queue.async { [self] in
            let frame = cache.frame(of: message, window)
            if isCompressed { _ = frame?.compressedChunk }
            body(frame)
        }
    }

    /// Makes the bytes of a message of a window that has moved, which nobody else has, and calls `body` with them on any thread. Who reads
    /// it is paused meanwhile, so nothing can overtake.
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

/// The newest messages as bytes.
private struct FrameCache {
    private enum Kind: Hashable {
        case reset(ResetReason)
        case update
        case upToDate
        case closed
    }

    private struct Key: Hashable {
        let kind: Kind
        let from: Int?
        let to: Int
        let isDigested: Bool
        let window: RequestedWindow?
    }

    private var frames: [Key: StreamFrame] = [:]
    private var order: [Key] = []
    private var bytes = 0
    /// How many are kept, and how many bytes of them: readers that ask for the same ask within some announcements.
    private static let limit = (frames: 32, bytes: 32 << 20)

    mutating func frame(of message: HubMessage, _ window: RequestedWindow?) -> StreamFrame? {
        let key = Self.key(of: message, window)
        if let key, let frame = frames[key] { return frame }
        guard let frame = StreamFrame(message) else { return nil }
        if let key { keep(frame, key) }
        return frame
    }

    private static func key(of message: HubMessage, _ window: RequestedWindow?) -> Key? {
        var (kind, from, isDigested) = (Kind.upToDate, Int?.none, true)
        switch message {
        case .reset(_, let reason): kind = .reset(reason)
        case .update(let update):
            kind = .update
            (from, isDigested) = (update.from.number, update.digest != nil)
        case .upToDate: break
        case .closed: kind = .closed
        @unknown default: return nil
        }
        let to = message.version.number
        return Key(kind: kind, from: from, to: to, isDigested: isDigested, window: window)
    }

    private mutating func keep(_ frame: StreamFrame, _ key: Key) {
        frames[key] = frame
        order.append(key)
        bytes += frame.event.readableBytes
        while order.count > Self.limit.frames || bytes > Self.limit.bytes && order.count > 1 {
            let oldest = frames.removeValue(forKey: order.removeFirst())
            bytes -= oldest?.event.readableBytes ?? 0
        }
    }
}
