/// Where bytes go to.
protocol ByteSink: Sendable {
    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(FileFault)

    /// Whether somebody watches what is written.
    var isTerminal: Bool { get }

    /// How wide it is at this moment; nil where it is no terminal, or does not know.
    var columns: Int? { get }
}
