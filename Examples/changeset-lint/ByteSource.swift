/// Where bytes come from.
protocol ByteSource: Sendable {
    /// The next bytes, as many as there are at hand; none at the end.
    func read() throws(FileFault) -> [UInt8]

    /// How many bytes there are in all; nil for what has no end yet.
    var byteCount: Int? { get }
}

extension ByteSource {
    var byteCount: Int? { nil }

    /// All bytes up to the end.
    func readAll() throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try read()
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }
}
