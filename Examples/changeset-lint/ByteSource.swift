/// Where bytes come from.
protocol ByteSource: Sendable {
    /// The next bytes, as many as there are at hand; none at the end.
    func read() throws(FileFault) -> [UInt8]
}
