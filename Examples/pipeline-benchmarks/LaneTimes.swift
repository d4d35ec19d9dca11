/// What a lane was busy with.
struct LaneTimes: Equatable {
    /// Thread CPU time.
    var nanoseconds: UInt64 = 0
    var wallNanoseconds: UInt64 = 0
    /// Of one block; thread CPU time.
    var longestNanoseconds: UInt64 = 0
    var blocks = 0
    /// 0 also where nobody counts.
    var allocations = 0

    /// Of all blocks; 0 without any.
    var meanNanoseconds: Double { Double(nanoseconds) / Double(max(1, blocks)) }
}
