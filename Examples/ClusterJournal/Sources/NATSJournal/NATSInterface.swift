import CNATS
import CollectionReplication
import Foundation
import JournalSupport

// The broker's own calls (its "JetStream API"): JSON over subjects. What comes often is read by hand instead.

/// The fault that an answer of the broker's own calls begins with.
struct NATSFault: Decodable {
    var code: Int
    var errorCode: Int?
    var description: String?

    enum CodingKeys: String, CodingKey {
        case code, description
        case errorCode = "err_code"
    }

    /// The message had another number than expected before it.
    static let wrongLastSequence = 10071
    static let wrongLastSequenceConstant = 10164
    static let noStream = 10059
    static let noMessage = 10037
    static let streamNameInUse = 10058

    /// The fault in the words of a log.
    var asLogError: LogError {
        let text = description ?? "code \(code)"
        switch errorCode {
        case Self.wrongLastSequence, Self.wrongLastSequenceConstant:
            // The number at the end of "wrong last sequence: 17".
            let last = text.split(separator: " ").last.flatMap { UInt64($0) }
            return LogError(.conflict, "NATS: \(text)", last: last)
        case Self.noStream:
            return LogError(.missing, "NATS: \(text)")
        default:
            // 503 and the like are of the server's state, and pass; 400 and the like are of the request.
            return LogError(code >= 500 ? .unavailable : .rejected, "NATS: \(text)")
        }
    }
}

/// The broker's description of a stream.
struct NATSStream: Decodable {
    var state: State?
    var config: Configuration?
    var error: NATSFault?

    /// Whether messages are read directly.
    var allowsDirect: Bool { config?.allowsDirect == true }

    struct Configuration: Decodable {
        var allowsDirect: Bool?

        enum CodingKeys: String, CodingKey { case allowsDirect = "allow_direct" }
    }

    struct State: Decodable {
        var messages: UInt64
        var firstPosition: UInt64
        var last: UInt64
        var subjects: [String: UInt64]?

        enum CodingKeys: String, CodingKey {
            case messages, subjects
            case firstPosition = "first_seq"
            case last = "last_seq"
        }

        /// The position of the oldest record, or the one after the newest if there is none.
        var first: UInt64 { messages == 0 ? last + 1 : firstPosition }
    }
}

/// An answer of which only a few fields matter.
struct NATSOutcome: Decodable {
    var name: String?
    var error: NATSFault?
    var message: Message?

    struct Message: Decodable {
        var seq: UInt64
        var data: String?

        var bytes: [UInt8]? { Data(base64Encoded: data ?? "").map { Array($0) } }
    }

    var result: Result<Void, LogError> { error.map { .failure($0.asLogError) } ?? .success(()) }
}

extension NATSLink {
    /// Asks one of the broker's own calls. Nothing that callers put into the JSON needs to be escaped.
    func call<Answer: Decodable & Sendable>(
        _ call: String,
        _ body: String = "",
        as type: Answer.Type,
        _ answer: @escaping LogAnswer<Answer>
    ) {
        request("\(options.interfacePrefix).\(call)", body: Array(body.utf8)) { reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message):
                if let status = message.status {
                    let text = "NATS has no JetStream here, or not yet (\(status))."
                    return answer(.failure(LogError(.unavailable, text)))
                }
                let data = Data(message.contents)
                guard let value = try? JSONDecoder().decode(type, from: data) else {
                    let text = "NATS answers \(call) unreadably."
                    return answer(.failure(LogError(.unavailable, text)))
                }
                answer(.success(value))
            }
        }
    }

    /// Asks for the description of a stream, with the given subjects in its state.
    func stream(
        _ stream: String,
        listing subjects: String? = nil,
        _ answer: @escaping LogAnswer<NATSStream>
    ) {
        let body = subjects.map { "{\"subjects_filter\":\"\($0)\"}" } ?? ""
        call("STREAM.INFO.\(stream)", body, as: NATSStream.self) { result in
            answer(
                result.flatMap { info in
                    info.error.map { .failure($0.asLogError) } ?? .success(info)
                }
            )
        }
    }

    /// Asks for the state of a stream.
    func state(
        of stream: String,
        listing subjects: String? = nil,
        _ answer: @escaping LogAnswer<NATSStream.State>
    ) {
        self.stream(stream, listing: subjects) { result in
            answer(
                result.flatMap { info in
                    info.state.map { .success($0) }
                        ?? .failure(LogError(.unavailable, "NATS gives no state of \(stream)."))
                }
            )
        }
    }

    /// Reads a message directly, from any server that has the stream; answers `nil` if there is no such message.
    func direct(
        _ stream: String,
        _ body: String,
        _ answer: @escaping LogAnswer<LogRegisterValue?>
    ) {
        let subject = "\(options.interfacePrefix).DIRECT.GET.\(stream)"
        request(subject, body: Array(body.utf8)) { reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message):
                // Not found.
                if message.status == 404 { return answer(.success(nil)) }
                guard message.status == nil,
                    let revision = message.header("Nats-Sequence").flatMap({ UInt64($0) })
                else {
                    let text = "NATS does not serve \(stream) yet."
                    return answer(.failure(LogError(.unavailable, text)))
                }
                answer(.success(LogRegisterValue(bytes: message.bytes, revision: revision)))
            }
        }
    }

    /// Publishes to a stream and answers the position that the message took.
    func publish(
        _ subject: String,
        headers: [(String, String)] = [],
        body: [UInt8],
        stream: String,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        request(subject, headers: headers, body: body) { [self] reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message) where message.status != nil:
                // Nobody takes it: there is no such stream, or the broker does not serve streams now.
                state(of: stream) { result in
                    let error = LogError(.unavailable, "NATS does not serve \(stream) yet.")
                    answer(result.flatMap { _ in .failure(error) })
                }
            case .message(let message): answer(NATSReceipt.result(message.contents))
            }
        }
    }
}

/// The broker's answer to a published message.
enum NATSReceipt {
    /// The position, from `{"stream":"…", "seq":17}`, also with `"duplicate": true`; or the fault.
    static func result(_ answer: UnsafeRawBufferPointer) -> Result<UInt64, LogError> {
        if let position = position(answer) { return .success(position) }
        let outcome = try? JSONDecoder().decode(NATSOutcome.self, from: Data(answer))
        let unreadable = LogError(.unanswered, "NATS answers a message unreadably.")
        return .failure(outcome?.error?.asLogError ?? unreadable)
    }

    private static let field = Array("\"seq\":".utf8)
    private static let mark = Array("\"error\"".utf8)

    private static func position(_ answer: UnsafeRawBufferPointer) -> UInt64? {
        guard find(mark, in: answer) == nil, let start = find(field, in: answer) else { return nil }
        let digits = answer[(start + field.count)...]
            .drop { $0 == UInt8(ascii: " ") }
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let value = UInt64(String(decoding: digits, as: UTF8.self)), value > 0 else {
            return nil
        }
        return value
    }

    private static func find(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= text.count else { return nil }
        return (0...(bytes.count - text.count)).first { start in
            text.indices.allSatisfy { bytes[start + $0] == text[$0] }
        }
    }
}

/// A message of the client library, good for as long as the call that hands it out.
///
/// Headers are read when asked for only, because the library parses them then.
struct NATSMessage {
    let pointer: OpaquePointer

    /// The bytes, in the library's memory.
    var contents: UnsafeRawBufferPointer {
        let count = Int(natsMsg_GetDataLength(pointer))
        return UnsafeRawBufferPointer(start: natsMsg_GetData(pointer), count: count)
    }

    /// The bytes, copied.
    var bytes: [UInt8] { Array(contents) }

    /// The code of a message that is a server's word instead of data.
    var status: Int? {
        contents.isEmpty ? header("Status").flatMap { Int($0) } : nil
    }

    /// What a consumer says of a message of a stream; `nil` for other messages.
    var place: NATSPlace? {
        natsMsg_GetReply(pointer).flatMap { NATSPlace(reply: String(cString: $0)) }
    }

    /// The first value of a header.
    func header(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }
}

/// What a consumer says of a message, in the subject that the message would be acknowledged by.
struct NATSPlace {
    /// The name of the consumer.
    var consumer: String
    /// The position in the stream.
    var position: UInt64
    /// How many messages of the stream come after it.
    var pending: UInt64

    /// Reads `$JS.ACK.<stream>.<consumer>.<delivered>.<position>.<number>.<time>.<pending>`, or the longer form with the
    /// domain and the account behind `ACK`.
    init?(reply: String) {
        let fields = reply.split(separator: ".", omittingEmptySubsequences: false)
        let base = fields.count == 9 ? 3 : 5
        guard fields.count >= 9, fields.count > base + 5, let position = UInt64(fields[base + 2]),
            let pending = UInt64(fields[base + 5])
        else { return nil }
        (consumer, self.position, self.pending) = (String(fields[base]), position, pending)
    }
}
