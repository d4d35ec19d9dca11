import NIOCore
import NIOHTTPTypes

/// The times that a connection may spend without progress.
struct ConnectionTimeouts: Sendable {
    /// The time that a connection may be idle, and that a request may take to arrive.
    var idle: TimeAmount
    /// The time that a connection may take to accept the next bytes.
    var write: TimeAmount
    /// The time that requests have to end after the server began to shut down.
    var shutdown: TimeAmount
}

/// What a connection does, and until when it may do that without progress. A value without a channel or a clock.
struct ConnectionProgress {
    enum Event: CaseIterable {
        /// The head of a request was read.
        case requestBegan
        /// The end of a request was read.
        case requestEnded
        /// A part of an answer was written.
        case writeBegan
        /// The kernel accepted a part that was written, or the connection failed.
        case writeEnded
        /// The end of an answer was written.
        case answerEnded
    }

    private let timeouts: ConnectionTimeouts
    /// The number of requests whose answers have not ended.
    private var unanswered = 0
    /// Whether the end of the last request is not read yet.
    private var isReceiving = false
    /// The number of written parts that the kernel has not accepted.
    private(set) var unsent = 0
    private var lastProgress: NIODeadline

    init(_ timeouts: ConnectionTimeouts, at now: NIODeadline) {
        self.timeouts = timeouts
        lastProgress = now
    }

    /// The time at which the connection must be closed unless something happens before; `nil` while the server
    /// works on an answer.
    var deadline: NIODeadline? {
        if unsent > 0 { return lastProgress + timeouts.write }
        if unanswered > 0, !isReceiving { return nil }
        return lastProgress + timeouts.idle
    }

    mutating func note(_ event: Event, at now: NIODeadline) {
        switch event {
        case .requestBegan:
            unanswered += 1
            isReceiving = true
            // A client that sends requests and reads no answers makes no progress.
            if unsent == 0 { lastProgress = now }
        case .requestEnded:
            // The parts of a body are no progress: a request has one time for all of them.
            isReceiving = false
        case .writeBegan:
            if unsent == 0 { lastProgress = now }
            unsent += 1
        case .writeEnded:
            unsent -= 1
            lastProgress = now
        case .answerEnded:
            // An answer to bytes that are no request has no request.
            unanswered = max(0, unanswered - 1)
            if unsent == 0 { lastProgress = now }
        }
    }
}

/// A handler that closes a connection which makes no progress, and bounds what the kernel keeps for it.
///
/// Progress is counted in parts that were written, so large answers must be written in pieces. While a written part
/// is on its way, an orderly close waits for it.
final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let timeouts: ConnectionTimeouts
    private let sendBuffer: Int
    private var progress: ConnectionProgress
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
    private var shutdown: Scheduled<Void>?
    /// The closes that wait for what was written.
    private var closes: [EventLoopPromise<Void>?] = []
    /// Whether nothing is waited for any more.
    private var isOverdue = false

    /// - Parameter sendBuffer: the number of bytes that the kernel keeps until they are acknowledged.
    init(_ timeouts: ConnectionTimeouts, sendBuffer: Int) {
        self.timeouts = timeouts
        self.sendBuffer = sendBuffer
        progress = ConnectionProgress(timeouts, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        // The kernel notices peers that are gone.
        try? options?.setOption(.socketOption(.so_keepalive), value: 1)
        try? options?.setOption(.socketOption(.so_sndbuf), value: .init(sendBuffer))
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    private func stop() {
        isOverdue = true
        timer?.task.cancel()
        shutdown?.cancel()
        (timer, shutdown) = (nil, nil)
    }

    // MARK: Progress

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: note(.requestBegan, context)
        case .body: break
        case .end: note(.requestEnded, context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { progress.note(.answerEnded, at: .now()) }
        note(.writeBegan, context)
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.note(.writeEnded, context)
            if self.progress.unsent == 0 { self.closeNow(context) }
        }
        context.write(data, promise: promise)
    }

    private func note(_ event: ConnectionProgress.Event, _ context: ChannelHandlerContext) {
        progress.note(event, at: .now())
        schedule(context)
    }

    /// Sets the timer, unless it is set for an earlier time, when it sees by itself what has changed.
    private func schedule(_ context: ChannelHandlerContext) {
        guard !isOverdue, let deadline = progress.deadline else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            guard let deadline = self.progress.deadline else { return }
            if deadline <= .now() { self.abort(context) } else { self.schedule(context) }
        }
        timer = (deadline, task)
    }

    // MARK: Closing

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, shutdown == nil, !isOverdue {
            shutdown = context.eventLoop.assumeIsolated().scheduleTask(in: timeouts.shutdown) {
                self.abort(context)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func close(
        context: ChannelHandlerContext,
        mode: CloseMode,
        promise: EventLoopPromise<Void>?
    ) {
        guard mode == .all, progress.unsent > 0, !isOverdue else {
            return context.close(mode: mode, promise: promise)
        }
        closes.append(promise)
    }

    /// Closes the connection for those that wait for that.
    private func closeNow(_ context: ChannelHandlerContext) {
        let waiting = closes
        closes = []
        for promise in waiting { context.close(promise: promise) }
    }

    /// Closes the connection, whatever is on its way.
    private func abort(_ context: ChannelHandlerContext) {
        stop()
        closeNow(context)
        context.close(promise: nil)
    }
}
