import CHiredis
import CollectionReplication

/// A reply of the client library, good for as long as the call that hands it out.
struct RedisReply {
    let pointer: UnsafeMutablePointer<redisReply>

    private var type: Int32 { pointer.pointee.type }

    var integer: Int64? {
        type == REDIS_REPLY_INTEGER ? Int64(pointer.pointee.integer) : nil
    }

    /// The bytes of a string, copied.
    var bytes: [UInt8]? {
        guard type == REDIS_REPLY_STRING || type == REDIS_REPLY_STATUS else { return nil }
        return Array(UnsafeRawBufferPointer(start: pointer.pointee.str, count: length))
    }

    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// A position: the number before the hyphen of an entry's name, or all of it.
    var position: UInt64? {
        text.flatMap { UInt64($0.prefix { $0 != "-" }) }
    }

    var error: String? {
        guard type == REDIS_REPLY_ERROR else { return nil }
        let bytes = UnsafeRawBufferPointer(start: pointer.pointee.str, count: length)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it says that there is nothing.
    var isNothing: Bool { type == REDIS_REPLY_NIL }

    /// How many elements an array has; nil where it is none.
    var count: Int? { type == REDIS_REPLY_ARRAY ? Int(pointer.pointee.elements) : nil }

    /// Reads an element of an array, where there is one.
    func element<Value>(_ index: Int, _ read: (RedisReply) -> Value?) -> Value? {
        guard let count, (0..<count).contains(index), let element = pointer.pointee.element[index]
        else {
            return nil
        }
        return read(RedisReply(pointer: element))
    }

    private var length: Int { Int(pointer.pointee.len) }
}

/// What comes back for a command.
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
