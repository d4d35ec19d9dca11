/// What it counts that something stays, where some of it must move: first that what is kept stays, so that as few as
/// possible move; then that what is replaced does, so that it can be reloaded; then that what never moved does.
struct StayingWeights {
    let kept: UInt64
    let replaced: UInt64
    /// On top of `kept`.
    let unmoved: UInt64

    /// - Parameter total: how many there are at most. Where a word could not hold the sums of three ranks the last two
    ///   count the same, and beyond that nothing but staying counts.
    init(total: Int) {
        let rank = UInt64(total) + 1
        if total < 1 << 20 {
            (kept, replaced, unmoved) = (rank * rank, rank, 1)
        } else if total < 1 << 30 {
            (kept, replaced, unmoved) = (2 * rank, 1, 1)
        } else {
            (kept, replaced, unmoved) = (1, 1, 0)
        }
    }
}
