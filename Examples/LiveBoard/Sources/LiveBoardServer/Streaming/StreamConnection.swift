import CollectionPublishing
import CoreMetrics
import NIOCore
import Synchronization

/// A connection that follows a list, from the head of its response to its end: a channel handler, and nothing else for
/// each of thousands.
///
/// It writes only what the connection can take. Most of the time it is a member of a ``StreamGroup`` and has no reader of
/// its own. When it comes, or could not take a message, it has one, which is paused at its version until the connection
/// has room again; of what comes meanwhile it gets one composed update (Slow Hurts Nobody).
///
/// | `place` | the reader is | goes on when |
/// |---|---|---|
/// | `alone` | its own; paused, or asked for a message, or a message waits for room | the message is written: offered to the group |
/// | `waiting` | its own, paused where the group is or will be | the group lets it in, or asks it to catch up |
/// | `member` | the group's | it cannot take a message: `alone` |
///
/// Handlers behind it, which were there before the stream began, are shut off: they see nothing more, and what they
/// close stays open.
// Confined to its event loop.
final class StreamConnection: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Place {
        case alone
        case waiting
        case member(Int)
    }

    let id = ConnectionID.random()
    /// The group's to change.
    var place = Place.alone
    /// What the connection was told last.
    private(set) var version: PublishedVersion?

    private let stream: OpenStream
    /// What it sees of the list; nil for all of it.
    private var window: RequestedWindow?
    /// Whether the window has been another: what it is told then is told to nobody else.
    private let moved: Moved?
    private let surroundings: StreamSurroundings
    private let eventLoop: any EventLoop
    private var context: ChannelHandlerContext?
    private var group: StreamGroup?

    private var reader: HubReader?
    /// Tells messages of this reader from those of one before.
    private var readerNumber: UInt32 = 0
    /// Whether a message of its own reader was asked for and has not come.
    private var isAwaiting = false
    /// Whether a write is under way, in which the channel may say that it has room.
    private var isWriting = false
    /// Whether nothing more is to be written.
    private var isFinished = false
    /// A message that waits for room; of its own reader, which is paused meanwhile.
    private var pending: StreamFrame?
    private var timeout: Scheduled<Void>?

    init(
        _ stream: OpenStream,
        surroundings: StreamSurroundings,
        on eventLoop: any EventLoop
    ) {
        self.eventLoop = eventLoop
        self.stream = stream
        window = stream.window
        moved = stream.window.map { _ in Moved() }
        self.surroundings = surroundings
    }

    /// Set on the event loop before the hub is told of another window, and read on the hub's lane for each message.
    private final class Moved: Sendable {
        private let state = Atomic(false)

        var isSet: Bool { state.load(ordering: .acquiring) }

        func set() { state.store(true, ordering: .releasing) }
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// Nothing more is expected of who reads.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // The reader comes back to another instance, or to this one after its restart.
        case is ChannelShouldQuiesceEvent: context.close(promise: nil)
        case ChannelEvent.inputClosed: context.close(promise: nil)
        default: break
        }
    }

    /// Of a handler behind this one.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        promise?.succeed()
    }

    /// Of a handler behind this one.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(ChannelError.alreadyClosed)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            timeout?.cancel()
            timeout = nil
            if !isWriting { goOn() }
        } else if timeout == nil {
            timeout = context.eventLoop.assumeIsolated().scheduleTask(
                in: surroundings.writeTimeout
            ) { [weak self] in
                self?.timedOut()
            }
        }
    }

    private func timedOut() {
        guard let context else { return }
        surroundings.meters.refused("writeTimeout")
        context.close(promise: nil)
    }

    // MARK: The beginning and the end

    /// Writes the head of the response, and follows the list from then on.
    func begin() {
        surroundings.connections.add(self)
        surroundings.meters.streams.increment()
        if window == nil {
            group = stream.list.streams.group(on: eventLoop, isCompressed: stream.isCompressed)
        }
        write(StreamOpening.bytes(for: id, isCompressed: stream.isCompressed))
        stream.list.whenLoaded { [weak self, eventLoop] in
            eventLoop.execute { [weak self] in
                guard let self, !isFinished else { return }
                follow(from: stream.from)
            }
        }
    }

    /// The connection is gone, or is to be.
    private func leave() {
        guard !isFinished || context != nil else { return }
        isFinished = true
        context = nil
        group?.remove(self)
        group = nil
        dropReader()
        pending = nil
        timeout?.cancel()
        timeout = nil
        surroundings.connections.remove(self)
        surroundings.meters.streams.decrement()
    }

    // MARK: Its own reader

    private func follow(from version: PublishedVersion?) {
        guard let context else { return }
        dropReader()
        let (number, eventLoop) = (readerNumber, eventLoop)
        let (streams, isCompressed) = (stream.list.streams, stream.isCompressed)
        isAwaiting = true
        let receive = { @Sendable [weak self] (frame: StreamFrame?) in
            eventLoop.execute { [weak self] in self?.received(frame, number) }
        }
        do throws(HubError) {
            if let window {
                let moved = moved
                reader = try streams.hub.addReader(window: window.published) { message in
                    if case .rows = window, moved?.isSet == false {
                        streams.encode(message, of: window, isCompressed: isCompressed, receive)
                    } else {
                        streams.encodeAlone(message, isCompressed: isCompressed, receive)
                    }
                    return .pause
                }
            } else {
                reader = try streams.hub.addReader(from: version) { message in
                    streams.encode(message, isCompressed: isCompressed, receive)
                    return .pause
                }
            }
        } catch {
            surroundings.meters.refused("tooManyReaders")
            context.close(promise: nil)
        }
    }

    /// Lets it see other rows of the list from now on; from any thread.
    ///
    /// - Throws: where it follows the whole list, which cannot be changed, or is gone.
    func setWindow(_ window: RequestedWindow) async throws {
        guard stream.window != nil else { throw RequestFault.notWindowed }
        try await eventLoop.submit { [self] in
            guard !isFinished else { throw RequestFault.notFound("connection") }
            self.window = window
            moved?.set()
            // Before the list is loaded there is no reader, which begins with it.
            try reader?.setWindow(window.published)
        }.get()
    }

    private func dropReader() {
        reader?.leave()
        reader = nil
        readerNumber &+= 1
        isAwaiting = false
    }

    private func received(_ frame: StreamFrame?, _ number: UInt32) {
        guard number == readerNumber, let context else { return }
        isAwaiting = false
        guard let frame else {
            // Nothing can be made of the list for anybody.
            context.close(promise: nil)
            return
        }
        pending = frame
        if context.channel.isWritable {
            goOn()
        } else {
            surroundings.meters.parked.increment()
        }
    }

    /// There is room: what waits is written, and the next is asked for.
    private func goOn() {
        guard case .alone = place, !isAwaiting, !isFinished, let context, reader != nil else {
            return
        }
        if let frame = pending {
            pending = nil
            write(stream.isCompressed ? frame.compressedChunk : frame.chunk)
            version = frame.version
            if frame.isLast { return finish() }
            // It goes on when there is room again.
            guard context.channel.isWritable else { return }
        }
        if let group { group.offer(self) } else { catchUp() }
    }

    // MARK: The group

    /// It is a member now.
    func joined() { dropReader() }

    /// The group is further: what leads there is asked for.
    func catchUp() {
        guard let reader else { return follow(from: version) }
        isAwaiting = true
        reader.resume()
    }

    /// Takes a message of the group, or leaves it.
    func take(_ bytes: ByteBuffer, of frame: StreamFrame) {
        guard let context, context.channel.isWritable else {
            group?.remove(self)
            surroundings.meters.parked.increment()
            return follow(from: version)
        }
        write(bytes)
        version = frame.version
        if frame.isLast {
            group?.remove(self)
            finish()
        }
    }

    // MARK: Writing

    private func write(_ bytes: ByteBuffer) {
        guard let context else { return }
        isWriting = true
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        isWriting = false
        surroundings.meters.messages.increment()
    }

    /// Nothing comes any more.
    private func finish() {
        guard let context else { return }
        isFinished = true
        // A compressed stream has no end of its own: closing ends it.
        let end = stream.isCompressed ? ByteBuffer() : ByteBuffer(string: "0\r\n\r\n")
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(end)).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
