import CollectionPublishing
import NIOCore

/// The connections of one event loop that follow a whole list and are at the same version.
///
/// It is one reader of the hub for all of them: a message comes to the event loop once, and is written to each by turns.
/// Its reader is paused meanwhile, so that a loop that is not fast enough is given fewer and larger updates (No queue
/// grows anywhere). Who cannot take a message leaves the group and has a reader of its own, paused at its version, until
/// it has caught up; who joins, or comes back, has one too until it is where the group is.
///
/// Where the group is compressed there is one stream of deflated blocks for all. Blocks refer back to 32 KiB of the text
/// before, which who joins does not have. So the stream is begun anew for those who join, all of them at once and no more
/// often than `joinInterval`, and they begin with what was compressed by itself. *Rejected:* giving each the last 32 KiB
/// that the others had, as text that it ignores. It would have to be the very same text, line ends included, so no comment
/// could hold it: a reader would be told updates again that it has, which a replica takes for a fault, and rightly.
// Confined to its event loop.
final class StreamGroup: @unchecked Sendable {
    /// Held by connections while they belong to it, which the streams outlive.
    private unowned let streams: ListStreams
    private let eventLoop: any EventLoop
    let isCompressed: Bool

    private var reader: HubReader?
    /// Tells messages of this reader from those of one before.
    private var readerNumber = 0
    /// Where everybody in the group is; nil until the reader has said.
    private var version: PublishedVersion?
    private var members: [StreamConnection] = []
    /// Those that are ahead of the group, or may not join before the stream begins anew.
    private var waiting: [StreamConnection] = []

    private let deflate: DeflateStream?
    private var lastJoin = NIODeadline.uptimeNanoseconds(0)

    /// How often a compressed stream is begun anew at most. With ten updates a second it costs each of the others the
    /// references of one in ten.
    static let joinInterval = TimeAmount.seconds(1)

    init(_ streams: ListStreams, on eventLoop: any EventLoop, isCompressed: Bool) {
        self.streams = streams
        self.eventLoop = eventLoop
        self.isCompressed = isCompressed
        deflate = isCompressed ? DeflateStream() : nil
    }

    var count: Int { members.count }

    // MARK: Coming and going

    /// A connection has been written everything up to its version, and could take more.
    func offer(_ connection: StreamConnection) {
        if reader == nil { begin() }
        place(connection, mayJoin: mayJoin)
    }

    func remove(_ connection: StreamConnection) {
        switch connection.place {
        case .member(let index):
            let last = members.removeLast()
            if last !== connection {
                members[index] = last
                last.place = .member(index)
            }
        case .waiting: waiting.removeAll { $0 === connection }
        case .alone: return
        }
        connection.place = .alone
        if members.isEmpty, waiting.isEmpty { end() }
    }

    private var mayJoin: Bool {
        guard isCompressed else { return true }
        // Whoever joins with others at the same version joins the same new beginning.
        return members.isEmpty || lastJoin + Self.joinInterval <= .now()
            || (hasBegunAnew && !members.isEmpty)
    }

    /// Whether no block was made since the stream began anew.
    private var hasBegunAnew = true

    private func place(_ connection: StreamConnection, mayJoin: Bool) {
        guard let version, let ownVersion = connection.version else {
            return wait(connection)
        }
        if ownVersion == version, mayJoin {
            connection.place = .member(members.count)
            members.append(connection)
            if let deflate, !hasBegunAnew {
                deflate.beginAnew()
                hasBegunAnew = true
                lastJoin = .now()
            }
            connection.joined()
        } else if ownVersion.number >= version.number {
            wait(connection)
        } else {
            connection.catchUp()
        }
    }

    private func wait(_ connection: StreamConnection) {
        connection.place = .waiting
        waiting.append(connection)
    }

    private func begin() {
        readerNumber += 1
        let number = readerNumber
        reader = try? streams.hub.addReader { [weak self] message in
            self?.receive(message, number)
            return .pause
        }
    }

    private func end() {
        reader?.leave()
        reader = nil
        readerNumber += 1
        version = nil
    }

    // MARK: Messages

    /// On the hub's lane.
    private func receive(_ message: HubMessage, _ number: Int) {
        if case .reset(let snapshot, _) = message {
            // Only where the group is: everybody who comes has had that.
            eventLoop.execute { [self] in
                guard number == readerNumber else { return }
                version = snapshot.version
                placeWaiting()
                reader?.resume()
            }
            return
        }
        streams.encode(message, isCompressed: false) { [self] frame in
            eventLoop.execute { [self] in
                guard number == readerNumber else { return }
                if let frame { deliver(frame) }
                reader?.resume()
            }
        }
    }

    private func deliver(_ frame: StreamFrame) {
        version = frame.version
        if !members.isEmpty {
            var bytes = frame.chunk
            if let deflate {
                bytes = StreamFrame.chunk(of: deflate.block(of: frame.event))
                hasBegunAnew = false
            }
            // Backwards, since who cannot take it leaves.
            for index in members.indices.reversed() { members[index].take(bytes, of: frame) }
        }
        placeWaiting()
    }

    private func placeWaiting() {
        let connections = waiting
        waiting = []
        let mayJoin = mayJoin
        for connection in connections {
            connection.place = .alone
            place(connection, mayJoin: mayJoin)
        }
    }
}
