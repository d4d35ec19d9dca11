import CHiredis
import CollectionReplication

/// A command: its words, each any bytes.
struct RedisCommand: Sendable {
    var words: [[UInt8]]
    /// The script that it runs, whose name on the server is put in when it is sent.
    private(set) var script: RedisScript?

    init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

    /// Runs a script.
    init(script: RedisScript, keys: [String], arguments: [[UInt8]]) {
        self.script = script
        words = [Array("EVALSHA".utf8), [], Array(String(keys.count).utf8)]
        words += keys.map { Array($0.utf8) }
        words += arguments
    }

    /// The words as the library takes them, for as long as the call.
    func withArguments<Result>(
        _ body: (inout [UnsafePointer<CChar>?], inout [Int]) -> Result
    ) -> Result {
        // One buffer for all, so that one pointer holds them.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.reduce(1) { $0 + $1.count })
        for word in words { bytes += word }
        // An empty buffer has no address.
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            var start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var pointers: [UnsafePointer<CChar>?] = []
            var lengths: [Int] = []
            pointers.reserveCapacity(words.count)
            lengths.reserveCapacity(words.count)
            for word in words {
                pointers.append(start)
                lengths.append(word.count)
                start = start.map { $0 + word.count }
            }
            return body(&pointers, &lengths)
        }
    }
}

/// A reply of the client library, good for as long as the call that hands it out.
struct RedisReply {
    let pointer: UnsafeMutablePointer<redisReply>

    private var type: Int32 { pointer.pointee.type }

    var integer: Int64? {
        type == REDIS_REPLY_INTEGER ? Int64(pointer.pointee.integer) : nil
    }

    /// The bytes of a string, copied.
    var bytes: [UInt8]? {
        type == REDIS_REPLY_STRING || type == REDIS_REPLY_STATUS ? Array(string) : nil
    }

    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// A position: the number before the hyphen of an entry's name, or all of it.
    var position: UInt64? {
        text.flatMap { UInt64($0.prefix { $0 != "-" }) }
    }

    var error: String? {
        type == REDIS_REPLY_ERROR ? String(decoding: string, as: UTF8.self) : nil
    }

    /// Whether it says that there is nothing.
    var isNothing: Bool { type == REDIS_REPLY_NIL }

    /// The number of elements of an array; `nil` for other replies.
    var count: Int? { type == REDIS_REPLY_ARRAY ? Int(pointer.pointee.elements) : nil }

    /// Reads an element of an array; `nil` if there is none.
    func element<Value>(_ index: Int, _ read: (RedisReply) -> Value?) -> Value? {
        guard let count, (0..<count).contains(index), let element = pointer.pointee.element[index]
        else { return nil }
        return read(RedisReply(pointer: element))
    }

    private var string: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.str, count: Int(pointer.pointee.len))
    }
}

/// The reply to a command.
enum RedisAnswer {
    case reply(RedisReply)
    case failure(LogError)
}

extension LogError {
    /// An error that Redis replies.
    static func redis(_ text: String) -> LogError {
        // These are of what was asked; all others are of the server's state, such as its memory, and pass.
        let lasting = ["ERR", "WRONGTYPE", "EXECABORT"]
        let code = text.prefix { $0 != " " }
        return LogError(lasting.contains(String(code)) ? .rejected : .unavailable, "Redis: \(text)")
    }
}
