/// Cuts a stream of bytes, which arrives in pieces of any size, at its NUL bytes.
struct NULTerminatedReader {
    private let readChunk: () throws(GitError) -> [UInt8]?
    private var chunk: [UInt8] = []
    private var position = 0

    init(_ readChunk: @escaping () throws(GitError) -> [UInt8]?) { self.readChunk = readChunk }

    init(_ command: GitCommand) {
        self.init { () throws(GitError) in try command.readChunk() }
    }

    /// The bytes up to the next NUL, without it, or nil at the end of the stream.
    mutating func next() throws(GitError) -> [UInt8]? {
        var token: [UInt8] = []
        while true {
            let rest = chunk[position...]
            if let end = rest.firstIndex(of: 0) {
                token += rest[..<end]
                position = end + 1
                return token
            }
            token += rest
            position = 0
            guard let next = try readChunk() else {
                chunk = []
                guard token.isEmpty else {
                    throw GitError(.unexpectedOutput, "git's output ends in mid-record")
                }
                return nil
            }
            chunk = next
        }
    }
}
