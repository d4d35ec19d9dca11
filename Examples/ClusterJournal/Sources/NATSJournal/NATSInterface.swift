import CNATS
import CollectionReplication
import Foundation
import JournalSupport

// The JetStream API: JSON over subjects. Frequent messages are parsed by hand.

/// The error in an answer of the JetStream API.
struct NATSFault: Decodable {
    var code: Int
    var errorCode: Int?
    var description: String?

    enum CodingKeys: String, CodingKey {
        case code, description
        case errorCode = "err_code"
    }

    /// The preceding message had an unexpected sequence number.
    static let wrongLastSequence = 10071
    static let wrongLastSequenceConstant = 10164
    static let noStream = 10059
    static let noMessage = 10037
    static let streamNameInUse = 10058

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
            // Codes from 500 mean temporary server states; codes such as 400 mean bad requests.
            return LogError(code >= 500 ? .unavailable : .rejected, "NATS: \(text)")
        }
    }
}

/// The broker's description of a stream.
struct NATSStream: Decodable {
    var state: State?
    var config: Configuration?
    var error: NATSFault?

    /// Whether the stream allows direct reads of its messages.
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

        /// The position of the oldest record; in an empty stream, the next position.
        var first: UInt64 { messages == 0 ? last + 1 : firstPosition }
    }
}

/// An answer of the JetStream API, reduced to the fields in use.
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
    /// Calls the JetStream API. None of the values inserted into the JSON needs escaping.
    func call<Response: Decodable & Sendable>(
        _ call: String,
        _ body: String = "",
        as type: Response.Type,
        _ answer: @escaping LogAnswer<Response>
    ) {
        request("\(options.interfacePrefix).\(call)", body: Array(body.utf8)) { reply in
            guard let message = reply.value(orFail: answer) else { return }
            if let status = message.status {
                let text = "JetStream is disabled or not ready (\(status))."
                return answer(.failure(LogError(.unavailable, text)))
            }
            let data = Data(message.contents)
            guard let value = try? JSONDecoder().decode(type, from: data) else {
                let text = "NATS sent an unreadable answer to \(call)."
                return answer(.failure(LogError(.unavailable, text)))
            }
            answer(.success(value))
        }
    }

    /// Requests the description of a stream, optionally listing the matching subjects in its state.
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

    func state(
        of stream: String,
        listing subjects: String? = nil,
        _ answer: @escaping LogAnswer<NATSStream.State>
    ) {
        self.stream(stream, listing: subjects) { result in
            answer(
                result.flatMap { info in
                    info.state.map { .success($0) }
                        ?? .failure(LogError(.unavailable, "NATS sent no state of \(stream)."))
                }
            )
        }
    }

    /// Reads a message directly from any server of the stream; returns `nil` if it does not exist.
    func direct(
        _ stream: String,
        _ body: String,
        _ answer: @escaping LogAnswer<LogRegisterValue?>
    ) {
        let subject = "\(options.interfacePrefix).DIRECT.GET.\(stream)"
        request(subject, body: Array(body.utf8)) { reply in
            guard let message = reply.value(orFail: answer) else { return }
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

    /// Publishes to a stream and returns the position of the message.
    func publish(
        _ subject: String,
        headers: [(String, String)] = [],
        body: [UInt8],
        stream: String,
        _ answer: @escaping LogAnswer<UInt64>
    ) {
        request(subject, headers: headers, body: body) { [self] reply in
            guard let message = reply.value(orFail: answer) else { return }
            if message.status == nil { return answer(NATSReceipt.result(message.contents)) }
            // No subscriber: the stream is missing or currently unavailable.
            state(of: stream) { result in
                let error = LogError(.unavailable, "NATS does not serve \(stream) yet.")
                answer(result.flatMap { _ in .failure(error) })
            }
        }
    }
}

/// The broker's acknowledgement of a published message.
enum NATSReceipt {
    /// Returns the error, or the position from `{"stream":"…", "seq":17}`.
    static func result(_ answer: UnsafeRawBufferPointer) -> Result<UInt64, LogError> {
        if let position = position(answer) { return .success(position) }
        let outcome = try? JSONDecoder().decode(NATSOutcome.self, from: Data(answer))
        let unreadable = LogError(.unanswered, "NATS sent an unreadable acknowledgement.")
        return .failure(outcome?.error?.asLogError ?? unreadable)
    }

    private static let sequenceField = Array("\"seq\":".utf8)
    private static let errorField = Array("\"error\"".utf8)

    private static func position(_ answer: UnsafeRawBufferPointer) -> UInt64? {
        guard find(errorField, in: answer) == nil, let start = find(sequenceField, in: answer)
        else { return nil }
        let digits = answer[(start + sequenceField.count)...]
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

/// A message owned by the client library, valid only during the callback that receives it.
///
/// Headers are read lazily, because reading makes the library parse them.
struct NATSMessage {
    let pointer: OpaquePointer

    /// The contents, in the library's memory. ``bytes`` is a copy.
    var contents: UnsafeRawBufferPointer {
        let count = Int(natsMsg_GetDataLength(pointer))
        return UnsafeRawBufferPointer(start: natsMsg_GetData(pointer), count: count)
    }

    var bytes: [UInt8] { Array(contents) }

    /// The status code of a message that carries a server status instead of data.
    var status: Int? {
        contents.isEmpty ? header("Status").flatMap { Int($0) } : nil
    }

    /// The consumer's delivery information; `nil` for messages that no consumer sent.
    var delivery: NATSDelivery? {
        natsMsg_GetReply(pointer).flatMap { NATSDelivery(reply: String(cString: $0)) }
    }

    func header(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }
}

/// The delivery information that a consumer puts into the reply subject of a message.
struct NATSDelivery {
    var consumer: String
    var position: UInt64
    /// The number of messages that follow in the stream.
    var pending: UInt64

    /// Parses `$JS.ACK.<stream>.<consumer>.<delivered>.<position>.<number>.<time>.<pending>`, or
    /// the longer form with the domain and the account after `ACK`.
    init?(reply: String) {
        let fields = reply.split(separator: ".", omittingEmptySubsequences: false)
        let base = fields.count == 9 ? 3 : 5
        guard fields.count >= 9, fields.count > base + 5, let position = UInt64(fields[base + 2]),
            let pending = UInt64(fields[base + 5])
        else { return nil }
        (consumer, self.position, self.pending) = (String(fields[base]), position, pending)
    }
}
