import CollectionPublishing
import NIOCore

/// Which message of a hub it is: two with one key say the same.
struct FrameKey: Hashable {
    private enum Kind: Hashable {
        case reset(ResetReason)
        case update
        case upToDate
        case closed
    }

    private let kind: Kind
    private let from: Int?
    private let to: Int
    private let isDigested: Bool
    private let window: RequestedWindow?

    /// Nil for a message of a kind that is not known.
    init?(_ message: HubMessage, _ window: RequestedWindow?) {
        switch message {
        case .reset(_, let reason): (kind, from, isDigested) = (.reset(reason), nil, true)
        case .update(let update):
            (kind, from, isDigested) = (.update, update.from.number, update.digest != nil)
        case .upToDate: (kind, from, isDigested) = (.upToDate, nil, true)
        case .closed: (kind, from, isDigested) = (.closed, nil, false)
        @unknown default: return nil
        }
        to = message.version.number
        self.window = window
    }
}

/// The newest messages as bytes, and who waits for those that are being made: however many ask, each is made once.
///
/// A value; who has it makes what is missing.
struct FrameCache {
    typealias Waiter = @Sendable (StreamFrame?) -> Void

    enum Answer {
        case found(StreamFrame)
        /// Somebody makes it; the waiter is told.
        case underWay
        /// The caller is to make it, and is told with the others.
        case missing
    }

    /// How many are kept, and how many bytes of them: readers that ask for the same ask within some announcements.
    private static let limit = (frames: 32, bytes: 32 << 20)

    private var frames: [FrameKey: StreamFrame] = [:]
    private var order: [FrameKey] = []
    private var bytes = 0
    private var waiting: [FrameKey: [Waiter]] = [:]

    mutating func ask(for key: FrameKey, _ waiter: @escaping Waiter) -> Answer {
        if let frame = frames[key] { return .found(frame) }
        let isUnderWay = waiting[key] != nil
        waiting[key, default: []].append(waiter)
        return isUnderWay ? .underWay : .missing
    }

    /// It was made, or could not be.
    ///
    /// - Returns: who is to be told.
    mutating func made(_ frame: StreamFrame?, _ key: FrameKey) -> [Waiter] {
        if let frame { keep(frame, key) }
        return waiting.removeValue(forKey: key) ?? []
    }

    private mutating func keep(_ frame: StreamFrame, _ key: FrameKey) {
        frames[key] = frame
        order.append(key)
        bytes += frame.event.readableBytes
        while order.count > Self.limit.frames || bytes > Self.limit.bytes && order.count > 1 {
            let oldest = frames.removeValue(forKey: order.removeFirst())
            bytes -= oldest?.event.readableBytes ?? 0
        }
    }
}
