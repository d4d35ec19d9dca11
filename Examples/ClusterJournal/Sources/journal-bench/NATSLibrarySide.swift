import CNATS
import Dispatch

/// Over libnats by itself: its own asynchronous publishing with the same expectation and identifier, and its ordered
/// consumers.
final class NATSLibrarySide: BenchSide, DeliverySide {
    private let port: UInt16
    private let stream: String
    private var connection: OpaquePointer?
    private var context: OpaquePointer?
    private let places = DispatchSemaphore(value: window)

    init(port: UInt16, _ collection: String) throws {
        self.port = port
        stream = "straight_\(collection)"
    }

    deinit {
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }

    private func check(_ status: natsStatus) throws {
        if status != NATS_OK { throw BenchFailure(String(cString: natsStatus_GetText(status))) }
    }

    private func connect(sendsAsSoonAsPossible: Bool) throws -> OpaquePointer? {
        var options: OpaquePointer?
        try check(natsOptions_Create(&options))
        defer { natsOptions_Destroy(options) }
        try check(natsOptions_SetURL(options, "nats://127.0.0.1:\(port)"))
        try check(natsOptions_SetSendAsap(options, sendsAsSoonAsPossible))
        var made: OpaquePointer?
        try check(natsConnection_Connect(&made, options))
        return made
    }

    private func open(sendsAsSoonAsPossible: Bool) throws {
        connection = try connect(sendsAsSoonAsPossible: sendsAsSoonAsPossible)
        var options = jsOptions()
        jsOptions_Init(&options)
        options.PublishAsync.MaxPending = Int64(window * 2)
        options.PublishAsync.AckHandler = { _, message, _, error, closure in
            if let error { fatalError(String(cString: error.pointee.ErrText)) }
            natsMsg_Destroy(message)
            guard let closure else { return }
            Unmanaged<NATSLibrarySide>.fromOpaque(closure).takeUnretainedValue().places.signal()
        }
        // This side outlives its connection.
        options.PublishAsync.AckHandlerClosure = Unmanaged.passUnretained(self).toOpaque()
        try check(natsConnection_JetStream(&context, connection, &options))
        var configuration = jsStreamConfig()
        jsStreamConfig_Init(&configuration)
        try stream.withCString { name in
            var subjects: [UnsafePointer<CChar>?] = [name]
            try subjects.withUnsafeMutableBufferPointer { subjects in
                configuration.Name = name
                configuration.Subjects = subjects.baseAddress
                configuration.SubjectsLen = 1
                try check(js_AddStream(nil, context, &configuration, nil, nil))
            }
        }
    }

    /// Makes a message with the expectation and the identifier.
    private func withMessage(
        _ position: Int,
        _ record: [UInt8],
        _ body: (inout OpaquePointer?, inout jsPubOptions) throws -> Void
    ) throws {
        var message: OpaquePointer?
        try record.withUnsafeBytes {
            try check(natsMsg_Create(&message, stream, nil, $0.baseAddress, Int32($0.count)))
        }
        defer { natsMsg_Destroy(message) }
        try "h.1.\(position)".withCString { id in
            var options = jsPubOptions()
            jsPubOptions_Init(&options)
            options.MsgId = id
            // The library sends no expectation of 0.
            options.ExpectLastSeq = UInt64(position)
            try body(&message, &options)
        }
    }

    func roundTrips(count: Int, size: Int) throws -> [Double] {
        try open(sendsAsSoonAsPossible: true)
        let record = [UInt8](repeating: 7, count: size)
        return try (0..<count).map { position in
            try seconds {
                try withMessage(position, record) { message, options in
                    try check(js_PublishMsg(nil, context, message, &options, nil))
                }
            }
        }
    }

    func deliveries(count: Int, size: Int) throws -> [Double] {
        try open(sendsAsSoonAsPossible: true)
        let record = [UInt8](repeating: 7, count: size)
        let follower = try NATSFollower(connect(sendsAsSoonAsPossible: true), stream, count)
        defer { follower.finish() }
        return try (0..<count).map { position in
            try seconds {
                try withMessage(position, record) { message, options in
                    try check(js_PublishMsgAsync(context, &message, &options))
                }
                follower.waitForOne()
            }
        }
    }

    func appendAll(count: Int, size: Int, readers: Int) throws -> Double {
        try open(sendsAsSoonAsPossible: false)
        let record = [UInt8](repeating: 7, count: size)
        let following = try (0..<readers).map { _ in
            try NATSFollower(
                connect(
                    sendsAsSoonAsPossible: false
                ),
                stream,
                count
            )
        }
        let time = try seconds {
            for position in 0..<count {
                places.wait()
                try withMessage(position, record) { message, options in
                    try check(js_PublishMsgAsync(context, &message, &options))
                }
            }
            for _ in 0..<window { places.wait() }
        }
        for _ in 0..<window { places.signal() }
        for follower in following { follower.finish() }
        return time
    }
}

/// A reader by the library's ordered consumer.
private final class NATSFollower {
    private let connection: OpaquePointer?
    private var context: OpaquePointer?
    private var subscription: OpaquePointer?
    private let done = DispatchSemaphore(value: 0)
    private let came = DispatchSemaphore(value: 0)
    /// Counted on the thread that the library delivers on.
    private var left: Int

    init(_ connection: OpaquePointer?, _ stream: String, _ count: Int) throws {
        self.connection = connection
        left = count
        natsConnection_JetStream(&context, connection, nil)
        var options = jsSubOptions()
        jsSubOptions_Init(&options)
        options.Ordered = true
        let status = js_Subscribe(
            &subscription,
            context,
            stream,
            { _, _, message, closure in
                natsMsg_Destroy(message)
                guard let closure else { return }
                let follower = Unmanaged<NATSFollower>.fromOpaque(closure).takeUnretainedValue()
                follower.left -= 1
                follower.came.signal()
                if follower.left == 0 { follower.done.signal() }
            },
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            &options,
            nil
        )
        if status != NATS_OK { throw BenchFailure(String(cString: natsStatus_GetText(status))) }
    }

    /// Waits for the next message.
    func waitForOne() { came.wait() }

    func finish() {
        done.wait()
        natsSubscription_Destroy(subscription)
        jsCtx_Destroy(context)
        natsConnection_Destroy(connection)
    }
}
