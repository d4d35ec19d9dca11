/// How much is measured.
enum Scale: Equatable {
    case full
    /// Everything within a minute, with fewer repetitions.
    case quick

    /// One of two numbers.
    func pick(_ full: Int, quick: Int) -> Int { self == .full ? full : quick }
}
