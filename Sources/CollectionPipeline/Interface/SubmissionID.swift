/// The number of a submission: ascending in the order in which a controller took them in.
///
/// Every outcome, every error that is thrown or told, and every event of a submission carries it.
public struct SubmissionID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Orders by number.
    public static func < (left: SubmissionID, right: SubmissionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension SubmissionID: CustomStringConvertible {
    /// The number with a mark, such as `#12`.
    public var description: String { "#\(rawValue)" }
}
