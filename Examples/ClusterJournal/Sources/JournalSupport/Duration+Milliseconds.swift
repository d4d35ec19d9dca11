extension Duration {
    /// Whole milliseconds, at least one, as client libraries count.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 40 else { return 1 << 50 }
        return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
