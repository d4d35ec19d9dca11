import CHiredis
import CollectionReplication

/// A Redis command: a list of words, each of arbitrary bytes.
struct RedisCommand: Sendable {
    var words: [[UInt8]]
    /// The script that the command runs. The link inserts the server's name for it.
    private(set) var script: RedisScript?

    init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

    init(script: RedisScript, keys: [String], arguments: [[UInt8]]) {
        self.script = script
        words = [Array("EVALSHA".utf8), [], Array(String(keys.count).utf8)]
        words += keys.map { Array($0.utf8) }
        words += arguments
    }

    /// Calls a closure with the words in the form that the client library expects.
    func withArguments<Result>(
        _ body: (inout [UnsafePointer<CChar>?], inout [Int]) -> Result
    ) -> Result {
        // One buffer holds all words, so one base address stays valid for all pointers.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(words.reduce(1) { $0 + $1.count })
        for word in words { bytes += word }
        // An empty buffer has no base address.
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            var start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var lengths = words.map(\.count)
            var pointers = lengths.map { length in
                defer { start = start.map { $0 + length } }
                return start
            }
            return body(&pointers, &lengths)
        }
    }
}

/// A reply owned by the client library, valid only during the callback that receives it.
struct RedisReply {
    let pointer: UnsafeMutablePointer<redisReply>

    private var type: Int32 { pointer.pointee.type }

    var integer: Int64? {
        type == REDIS_REPLY_INTEGER ? Int64(pointer.pointee.integer) : nil
    }

    var bytes: [UInt8]? {
        type == REDIS_REPLY_STRING || type == REDIS_REPLY_STATUS ? Array(string) : nil
    }

    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// The position in a reply: the number before the hyphen of an entry ID, or the whole number.
    var position: UInt64? {
        text.flatMap { UInt64($0.prefix { $0 != "-" }) }
    }

    var error: String? {
        type == REDIS_REPLY_ERROR ? String(decoding: string, as: UTF8.self) : nil
    }

    var isNil: Bool { type == REDIS_REPLY_NIL }

    /// The number of elements of an array; `nil` for other replies.
    var count: Int? { type == REDIS_REPLY_ARRAY ? Int(pointer.pointee.elements) : nil }

    /// Reads an element of an array; returns `nil` if the element does not exist.
    func element<Value>(_ index: Int, _ read: (RedisReply) -> Value?) -> Value? {
        guard let count, (0..<count).contains(index), let element = pointer.pointee.element[index]
        else { return nil }
        return read(RedisReply(pointer: element))
    }

    private var string: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.str, count: Int(pointer.pointee.len))
    }
}

/// The result of a command.
typealias RedisAnswer = Result<RedisReply, LogError>

extension LogError {
    /// Creates an error from a Redis error reply.
    static func redis(_ text: String) -> LogError {
        // These errors concern the request; others concern temporary server states.
        let lasting = ["ERR", "WRONGTYPE", "EXECABORT"]
        let code = text.prefix { $0 != " " }
        return LogError(lasting.contains(String(code)) ? .rejected : .unavailable, "Redis: \(text)")
    }
}

/// A script that the server runs atomically. It replies -1 if the log does not exist.
enum RedisScript: Int, CaseIterable, Sendable {
    case create, append, read, purge, put, chunk, removeSnapshots, readRegister, setRegister

    /// The Lua source. `KEYS[1]` is the stream of records.
    var text: String {
        switch self {
        case .create: Self.createText
        case .append: Self.appendText
        case .read: Self.existenceText + Self.generatedText + Self.newestText + Self.readText
        case .purge: Self.existenceText + "redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1]) return 1"
        case .put: Self.existenceText + Self.putText
        case .chunk: Self.existenceText + "return {redis.call('HGET', KEYS[2], ARGV[1])}"
        case .removeSnapshots: Self.existenceText + Self.removeText
        case .readRegister:
            Self.existenceText + "return redis.call('HMGET', KEYS[2], 'bytes', 'revision')"
        case .setRegister: Self.existenceText + Self.setText
        }
    }

    private static let existenceText = """
        if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end

        """

    private static let putText = """
        redis.call('SADD', KEYS[2], ARGV[1])
        redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
        return 1
        """

    // Redis creates an empty stream only together with a consumer group, which is then removed.
    private static let createText = """
        if redis.call('EXISTS', KEYS[1]) == 0 then
            redis.call('XGROUP', 'CREATE', KEYS[1], 'made', '0', 'MKSTREAM')
            redis.call('XGROUP', 'DESTROY', KEYS[1], 'made')
        end
        return 1
        """

    private static let generatedText = """
        local function generated()
            local facts = redis.call('XINFO', 'STREAM', KEYS[1])
            for index = 1, #facts, 2 do
                if facts[index] == 'last-generated-id' then
                    return string.match(facts[index + 1], '^%d+')
                end
            end
        end

        """

    private static let newestText = """
        local function newest()
            local entries = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
            if entries[1] then return string.match(entries[1][1], '^%d+') end
            return generated()
        end

        """

    // The most frequent script, so it makes few calls. Comparing positions as text is exact.
    private static let appendText = """
        local tail = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
        local last = tail and string.match(tail[1], '^%d+')
        if last == ARGV[1] then
            local made = redis.pcall(
                'XADD', KEYS[1], ARGV[2], 'id', ARGV[3], 'record', ARGV[4])
            if type(made) ~= 'table' then return 1 end
            if not string.find(made.err, 'equal or smaller') then return made end
        end
        if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end

        """ + generatedText + """
            if not last then
                last = generated()
                if last == ARGV[1] then
                    redis.call('XADD', KEYS[1], ARGV[2], 'id', ARGV[3], 'record', ARGV[4])
                    return 1
                end
            elseif last == ARGV[1] then
                return generated()
            end
            local there = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])
            if there[1] and there[1][2][2] == ARGV[3] then return 1 end
            return last
            """

    // Returns first and last position, entry IDs and records. Reads in steps to bound the bytes.
    private static let readText = """
        local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
        local found = {oldest[1] and oldest[1][1] or false, newest()}
        local records, most = tonumber(ARGV[2]), tonumber(ARGV[3])
        local from, count, bytes = ARGV[1], 0, 0
        while count < records do
            local step = math.min(16, records - count)
            local entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', step)
            for _, entry in ipairs(entries) do
                local record = entry[2][#entry[2]]
                bytes = bytes + #record
                if count > 0 and bytes > most then return found end
                found[#found + 1] = entry[1]
                found[#found + 1] = record
                count = count + 1
                from = '(' .. entry[1]
            end
            if #entries < step then break end
        end
        return found
        """

    private static let removeText = """
        for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
            if name < ARGV[2] then
                redis.call('DEL', ARGV[1] .. name)
                redis.call('SREM', KEYS[2], name)
            end
        end
        return 1
        """

    private static let setText = """
        local revision = redis.call('HGET', KEYS[2], 'revision') or ''
        if revision ~= ARGV[1] then return 0 end
        local next = redis.call('INCR', KEYS[3])
        redis.call('HSET', KEYS[2], 'bytes', ARGV[2], 'revision', next)
        return next
        """
}
