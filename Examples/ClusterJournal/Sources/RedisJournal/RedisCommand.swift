/// A command: its words, each any bytes.
struct RedisCommand: Sendable {
    var words: [[UInt8]]
    /// The script that it runs, whose name on the server is put in when it is sent.
    private(set) var script: RedisScript?

    init(_ words: String...) {
        self.words = words.map { Array($0.utf8) }
    }

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
