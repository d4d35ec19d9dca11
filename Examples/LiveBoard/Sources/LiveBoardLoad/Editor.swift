import NIOCore
import NIOPosix

/// Edits the board so often a second, one edit after the other, and notes when each was asked for.
// Confined to its event loop.
final class Editor: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let command: LoadCommand
    private let arrivals: Arrivals
    private var context: ChannelHandlerContext?
    private var task: RepeatedTask?
    private var answer = ""
    private var isWaiting = false
    private var count = 0
    private var asked: UInt64 = 0

    private init(_ command: LoadCommand, _ arrivals: Arrivals) {
        self.command = command
        self.arrivals = arrivals
    }

    static func connect(
        _ command: LoadCommand,
        _ arrivals: Arrivals,
        _ eventLoop: any EventLoop
    ) async throws -> Editor {
        let editor = Editor(command, arrivals)
        _ = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(editor)
                }
            }
            .connect(host: "127.0.0.1", port: command.port).get()
        return editor
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        task = context.eventLoop.scheduleRepeatedTask(
            initialDelay: .zero,
            delay: .nanoseconds(1_000_000_000 / Int64(command.edits))
        ) { [weak self] _ in
            self?.edit()
        }
    }

    func stop() async throws {
        try await context?.eventLoop.submit { self.task?.cancel() }.get()
    }

    private func edit() {
        guard !isWaiting, let context else { return }
        isWaiting = true
        count += 1
        asked = Arrivals.now
        let body = #"{"edit":"rename","id":"c1","text":"Renamed \#(count) times"}"#
        let request = """
            POST /lists/board/edits HTTP/1.1\r
            host: 127.0.0.1:\(command.port)\r
            content-type: application/json\r
            content-length: \(body.utf8.count)\r
            \r
            \(body)
            """
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer += String(buffer: unwrapInboundIn(data))
        guard answer.hasSuffix("}") else { return }
        defer { (answer, isWaiting) = ("", false) }
        guard let match = answer.firstMatch(of: /"version":"[0-9a-f]+\.(\d+)"/),
            let version = Int(match.1)
        else { return arrivals.fault("an edit was answered with \(answer.suffix(200))") }
        arrivals.asked(version, at: asked)
    }
}
