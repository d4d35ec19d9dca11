import CollectionReplication
import Foundation

// The broker's own calls (its "JetStream API"): JSON over subjects. What comes often is read by hand instead.

/// What an answer of the broker's own calls begins with.
struct NATSFault: Decodable, Hashable {
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
    static let noConsumer = 10014
    /// The status of a direct answer that there is no such message.
    static let notFoundStatus = 404

    /// The number at the end of "wrong last sequence: 17".
    var lastPosition: UInt64? {
        guard let digits = description?.split(separator: " ").last else { return nil }
        return UInt64(digits)
    }

    /// The fault in the words of a log.
    var asLogError: LogError {
        let text = description ?? "code \(code)"
        switch errorCode {
        case Self.wrongLastSequence, Self.wrongLastSequenceConstant:
            return LogError(.conflict, "NATS: \(text)", last: lastPosition)
        case Self.noStream:
            return LogError(.missing, "NATS: \(text)")
        default:
            // 503 and the like are of the server's state, and pass; 400 and the like are of the request.
            return LogError(code >= 500 ? .unavailable : .rejected, "NATS: \(text)")
        }
    }
}

/// What there is in a stream, as the broker's own calls say.
struct NATSStream: Decodable {
    var state: State?
    var config: Configuration?
    var created: String?
    var error: NATSFault?

    struct Configuration: Decodable {
        /// Whether messages are read directly.
        var allowsDirect: Bool?

        enum CodingKeys: String, CodingKey {
            case allowsDirect = "allow_direct"
        }
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

        /// The position of the oldest record, or the one after the newest where there is none.
        var first: UInt64 { messages == 0 ? last + 1 : firstPosition }
    }
}

/// An answer of which only the fault and a name matter.
struct NATSOutcome: Decodable {
    var name: String?
    var error: NATSFault?
    var message: Message?

    struct Message: Decodable {
        var seq: UInt64
        var data: String?

        var bytes: [UInt8]? { Data(base64Encoded: data ?? "").map { Array($0) } }
    }
}

extension NATSLink {
    /// Asks one of the broker's own calls.
    func call<Answer: Decodable & Sendable>(
        _ call: String,
        _ body: [String: Any] = [:],
        as type: Answer.Type,
        _ answer: @escaping @Sendable (Result<Answer, LogError>) -> Void
    ) {
        let bytes =
            body.isEmpty
            ? [] : (try? JSONSerialization.data(withJSONObject: body)).map { Array($0) } ?? []
        request("\(options.interfacePrefix).\(call)", body: bytes) { reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message):
                if let status = message.status {
                    let text = "NATS has no JetStream here, or not yet (\(status))."
                    answer(.failure(LogError(.unavailable, text)))
                    return
                }
                let data = Data(message.contents)
                guard let value = try? JSONDecoder().decode(type, from: data) else {
                    answer(.failure(LogError(.unavailable, "NATS answers \(call) unreadably.")))
                    return
                }
                answer(.success(value))
            }
        }
    }

    /// Asks what there is in a stream.
    func state(
        of stream: String,
        listing subjects: String? = nil,
        _ answer:
            @escaping @Sendable (Result<(NATSStream.State, created: String), LogError>) -> Void
    ) {
        let body: [String: Any] = subjects.map { ["subjects_filter": $0] } ?? [:]
        call("STREAM.INFO.\(stream)", body, as: NATSStream.self) { result in
            answer(
                result.flatMap { info in
                    if let error = info.error { return .failure(error.asLogError) }
                    guard let state = info.state else {
                        return .failure(LogError(.unavailable, "NATS tells no state of \(stream)."))
                    }
                    return .success((state, info.created ?? ""))
                }
            )
        }
    }

    /// Reads a message by its number from whoever has the stream; tells nil where it is not had so.
    func message(
        at position: UInt64,
        in stream: String,
        _ answer: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        let body = Array("{\"seq\":\(position)}".utf8)
        request("\(options.interfacePrefix).DIRECT.GET.\(stream)", body: body) { reply in
            guard case .message(let message) = reply, message.status == nil else {
                return answer(nil)
            }
            answer(message.bytes)
        }
    }

    /// Publishes to a stream and tells the position that the message took.
    func publish(
        _ subject: String,
        headers: [(String, String)],
        body: [UInt8],
        stream: String,
        _ answer: @escaping @Sendable (Result<UInt64, LogError>) -> Void
    ) {
        request(subject, headers: headers, body: body) { reply in
            switch reply {
            case .failure(let error): answer(.failure(error))
            case .message(let message):
                if message.status != nil {
                    // Nobody takes it: there is no such stream, or the broker does not serve streams now.
                    self.explainSilence(of: stream, answer)
                } else if let position = NATSReceipt.position(message.contents) {
                    answer(.success(position))
                } else {
                    answer(.failure(NATSReceipt.fault(message.contents)))
                }
            }
        }
    }

    /// Tells why nobody answers for a stream.
    func explainSilence<Value>(
        of stream: String,
        _ answer: @escaping @Sendable (Result<Value, LogError>) -> Void
    ) {
        state(of: stream) { result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success:
                answer(.failure(LogError(.unavailable, "NATS does not serve \(stream) yet.")))
            }
        }
    }
}

/// The broker's answer to a published message.
enum NATSReceipt {
    private static let field = Array("\"seq\":".utf8)
    private static let mark = Array("\"error\"".utf8)

    /// The position of an answer without a fault: `{"stream":"…", "seq":17}`, also with `"duplicate": true`.
    static func position(_ answer: UnsafeRawBufferPointer) -> UInt64? {
        guard find(mark, in: answer) == nil, let start = find(field, in: answer) else { return nil }
        var value: UInt64 = 0
        var isNumber = false
        for byte in answer[(start + field.count)...] {
            if byte == UInt8(ascii: " "), !isNumber { continue }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            value = value &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
            isNumber = true
        }
        return isNumber && value > 0 ? value : nil
    }

    static func fault(_ answer: UnsafeRawBufferPointer) -> LogError {
        let outcome = try? JSONDecoder().decode(NATSOutcome.self, from: Data(answer))
        return outcome?.error?.asLogError
            ?? LogError(.unanswered, "NATS answers a message unreadably.")
    }

    private static func find(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= text.count else { return nil }
        for start in 0...(bytes.count - text.count) {
            var matched = 0
            while matched < text.count, bytes[start + matched] == text[matched] { matched += 1 }
            if matched == text.count { return start }
        }
        return nil
    }
}
