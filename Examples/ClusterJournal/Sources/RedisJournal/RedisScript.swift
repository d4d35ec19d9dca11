/// A script that runs on the server as one step. It replies -1 if the log is not there.
enum RedisScript: Int, CaseIterable, Sendable {
    case create, append, read, purge, put, chunk, removeSnapshots, readRegister, setRegister

    /// The text in Lua. `KEYS[1]` is the stream of records.
    var text: String {
        switch self {
        case .create: Self.createText
        case .append: Self.appendText
        case .read: Self.lookText + Self.generatedText + Self.newestText + Self.readText
        case .purge: Self.lookText + "redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1]) return 1"
        case .put: Self.lookText + Self.putText
        case .chunk: Self.lookText + "return {redis.call('HGET', KEYS[2], ARGV[1])}"
        case .removeSnapshots: Self.lookText + Self.removeText
        case .readRegister:
            Self.lookText + "return redis.call('HMGET', KEYS[2], 'bytes', 'revision')"
        case .setRegister: Self.lookText + Self.setText
        }
    }

    private static let lookText = """
        if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end

        """

    private static let putText = """
        redis.call('SADD', KEYS[2], ARGV[1])
        redis.call('HSET', KEYS[3], ARGV[2], ARGV[3])
        return 1
        """

    // A stream without entries is only made with a group of readers, which is not needed after.
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

    // What comes most often, so with the fewest calls. Positions are compared as text, which is the same for the same
    // number, and exact for all.
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

    // First and last, then entries by name and record, a few at a time so that the bytes are bounded.
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
