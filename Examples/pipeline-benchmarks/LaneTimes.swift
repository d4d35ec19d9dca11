/// What a lane was busy with.
struct LaneTimes: Equatable {
    /// Thread CPU time.
    var nanoseconds: UInt64 = 0
    var wallNanoseconds: UInt64 = 0
    /// Of one block; thread CPU time.
    var longestNanoseconds: UInt64 = 0
    var blocks = 0
    /// How many frames of a sixtieth of a second blocks were too long for; thread CPU time, since others may have the
    /// processor meanwhile.
    var missedFrames = 0
    /// 0 also where nobody counts.
    var allocations = 0

    /// How long a frame lasts.
    static let frameNanoseconds: UInt64 = 1_000_000_000 / 60

    /// Of all blocks; 0 without any.
    var meanNanoseconds: Double { Double(nanoseconds) / Double(max(1, blocks)) }
}
