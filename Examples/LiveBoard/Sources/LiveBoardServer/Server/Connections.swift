import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A value with the activity of a connection and its deadline for progress.
struct ConnectionProgress {
    enum Event: CaseIterable {
        /// The head of a request was read.
        case requestBegan
        /// The end of a request was read.
        case requestEnded
        /// A part of a response was written.
        case writeBegan
        /// The kernel accepted a written part, or the connection failed.
        case writeEnded
        /// The end of a response was written.
        case answerEnded
    }

    private let options: ServerOptions
    /// The number of requests whose responses have not ended.
    private var unanswered = 0
    /// Whether the end of the last request has not been read.
    private var isReceiving = false
    /// The number of written parts that the kernel has not accepted.
    private(set) var unsent = 0
    private var lastProgress: NIODeadline

    init(_ options: ServerOptions, at now: NIODeadline) {
        self.options = options
        lastProgress = now
    }

    /// The time by which the connection must make progress; `nil` while the server responds.
    var deadline: NIODeadline? {
        if unsent > 0 { return lastProgress + TimeAmount(options.writeTimeout) }
        if unanswered > 0, !isReceiving { return nil }
        return lastProgress + TimeAmount(options.idleTimeout)
    }

    mutating func note(_ event: Event, at now: NIODeadline) {
        switch event {
        case .requestBegan:
            unanswered += 1
            isReceiving = true
            // A client that sends requests without reading responses makes no progress.
            if unsent == 0 { lastProgress = now }
        case .requestEnded:
            // The parts of a body are not progress, because one limit applies to the whole request.
            isReceiving = false
        case .writeBegan:
            if unsent == 0 { lastProgress = now }
            unsent += 1
        case .writeEnded:
            unsent -= 1
            lastProgress = now
        case .answerEnded:
            // A response to malformed bytes belongs to no request.
            unanswered = max(0, unanswered - 1)
            if unsent == 0 { lastProgress = now }
        }
    }
}

/// A handler that closes connections without progress, and limits the kernel's send buffer.
///
/// Each written part counts as progress, so large responses must be written in pieces. An orderly
/// close waits until the kernel has accepted all written parts.
final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let options: ServerOptions
    private let unsent: UnsentBytes
    private var progress: ConnectionProgress
    private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
    private var shutdown: Scheduled<Void>?
    /// The promises of closes that wait for written parts.
    private var closes: [EventLoopPromise<Void>?] = []
    /// Whether closes no longer wait for written parts.
    private var isOverdue = false

    init(_ options: ServerOptions, unsent: UnsentBytes) {
        self.options = options
        self.unsent = unsent
        progress = ConnectionProgress(options, at: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel.syncOptions
        // Lets the kernel detect lost peers.
        try? channel?.setOption(.socketOption(.so_keepalive), value: 1)
        try? channel?.setOption(.socketOption(.so_sndbuf), value: .init(options.sendBuffer))
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
        var bytes = 0
        switch unwrapOutboundIn(data) {
        case .head: break
        case .body(let buffer): bytes = buffer.readableBytes
        case .end: progress.note(.answerEnded, at: .now())
        }
        note(.writeBegan, context)
        unsent.add(bytes, of: context.channel, at: .now())
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.unsent.add(-bytes, of: context.channel, at: .now())
            self.note(.writeEnded, context)
            if self.progress.unsent == 0 { self.closeNow(context) }
        }
        context.write(data, promise: promise)
    }

    private func note(_ event: ConnectionProgress.Event, _ context: ChannelHandlerContext) {
        progress.note(event, at: .now())
        schedule(context)
    }

    /// Sets the timer, unless it fires earlier. An earlier timer checks the new deadline itself.
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

    /// An event that closes the connection immediately.
    struct Abort: Sendable {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Abort { return abort(context) }
        if event is ChannelShouldQuiesceEvent, shutdown == nil, !isOverdue {
            shutdown = context.eventLoop.assumeIsolated().scheduleTask(
                in: TimeAmount(options.shutdownTimeout)
            ) {
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

    /// Performs the closes that wait.
    private func closeNow(_ context: ChannelHandlerContext) {
        for promise in exchange(&closes, with: []) { context.close(promise: promise) }
    }

    /// Closes the connection immediately, even if written parts are pending.
    private func abort(_ context: ChannelHandlerContext) {
        stop()
        closeNow(context)
        context.close(promise: nil)
    }
}

/// A limit on the number of open connections. Further ones wait until others close.
struct ConnectionLimit: AvailableConnectionsDelegate {
    /// The maximum number of connections.
    let limit: Int
    private let log: FaultLog
    private var count = 0

    /// The number of descriptors for files, brokers and connections that are accepted together.
    static let reserve = 64

    /// Creates a limit that fits the descriptors of the process.
    ///
    /// Without a free descriptor a server can neither accept a connection nor read a file. The
    /// initializer raises the process's limit of descriptors as far as it can.
    init(_ wanted: Int, logger: Logger) {
        log = FaultLog(logger)
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else {
            limit = wanted
            return
        }
        if limits.rlim_cur < limits.rlim_max {
            var raised = limits
            raised.rlim_cur = raised.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limits = raised
            }
        }
        let open = (try? SystemFiles.entries(of: "/proc/self/fd"))?.count ?? Self.reserve
        limit = min(wanted, max(1, Int(clamping: limits.rlim_cur) - open - Self.reserve))
        if limit < wanted {
            logger.notice(
                """
                the limit is \(limit) connections instead of \(wanted), because the process may have only \
                \(limits.rlim_cur) descriptors: raise it with ulimit -n
                """
            )
        }
    }

    mutating func connectionOpened() {
        count += 1
        if count == limit {
            log.log(.warning, "all \(limit) connections are in use: further ones have to wait")
        }
    }

    mutating func connectionClosed() { count -= 1 }

    func isAcceptingNewConnections() -> Bool { count < limit }
}

/// A responder that responds to `HEAD` as to `GET`, but without a body.
///
/// It never makes the body. ``HeadAnswers`` drops the body's framing.
struct HeadResponder<Base: HTTPResponder>: HTTPResponder {
    let base: Base

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        guard request.method == .head else {
            return try await base.respond(to: request, context: context)
        }
        var head = request.head
        head.method = .get
        let request = Request(head: head, body: request.body)
        var response = try await base.respond(to: request, context: context)
        // Keeps the length, so that the fields stay the same.
        response.body = ResponseBody(contentLength: response.body.contentLength) { writer in
            try await writer.finish(nil)
        }
        return response
    }
}

/// A handler that drops everything after the head of a response to `HEAD`.
///
/// The encoder does not know the method of a request. It would end a response without a length with
/// an empty chunk, which the client would read as the start of the next response.
final class HeadAnswers: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether each pending request is a `HEAD` request, in order.
    private var isHead = CircularBuffer<Bool>()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            isHead.append(request.method == .head)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isBodiless = isHead.first ?? false
        var part = unwrapOutboundIn(data)
        switch part {
        case .head: break
        case .body: if isBodiless { part = .body(ByteBuffer()) }
        case .end:
            if isBodiless { part = .body(ByteBuffer()) }
            _ = isHead.popFirst()
        }
        // An empty part completes the promise in order.
        context.write(wrapOutboundOut(part), promise: promise)
    }
}
