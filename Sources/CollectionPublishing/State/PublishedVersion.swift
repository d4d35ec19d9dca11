/// Where in which history a state is.
///
/// Versions of one history ascend; not every number occurs, since updates may be published as one. The number is the
/// ``ElementMap/generation`` of the map that the state is of, so who was told by an ``UpdateResult`` which generation
/// an update of theirs led to knows from which version on it is there.
///
/// As text, `handle.number`, it goes into the `id` of a server-sent event, and comes back as `Last-Event-ID`.
public struct PublishedVersion: Hashable, Sendable {
    /// Which history.
    public let handle: HistoryHandle

    /// Where in it, from 0, where there is nothing.
    public let number: Int

    /// Makes a version; nothing is checked.
    public init(handle: HistoryHandle, number: Int) {
        self.handle = handle
        self.number = number
    }
}

extension PublishedVersion: CustomStringConvertible {
    /// The handle and the number, such as `00c0ffee00c0ffee.12`.
    public var description: String { "\(handle).\(number)" }
}

extension PublishedVersion: LosslessStringConvertible {
    /// Reads what ``description`` writes, or gives nil for any other text, whatever it is.
    public init?(_ description: String) {
        // The number only as it is written: without a sign or zeros before it.
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let handle = HistoryHandle(String(parts[0])),
            let number = Int(parts[1]), number >= 0, String(number) == parts[1]
        else { return nil }
        self.init(handle: handle, number: number)
    }
}
