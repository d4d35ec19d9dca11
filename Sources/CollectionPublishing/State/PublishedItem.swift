/// One item as readers have it.
public struct PublishedItem: Hashable, Sendable {
    /// Which item it is: no other of the same history has this number, also none that is gone. From 1.
    public let number: UInt64

    /// What it shows; nil where nothing was rendered, since the element failed, is not measured yet, or has a node of
    /// another kind.
    public let payload: PublishedPayload?

    /// Makes an item; nothing is checked.
    public init(number: UInt64, payload: PublishedPayload?) {
        self.number = number
        self.payload = payload
    }
}

/// One section as readers have it, without its items.
public struct PublishedSection: Hashable, Sendable {
    /// Which section it is: no other of the same history has this number, also none that is gone. From 1, apart from
    /// the numbers of items.
    public let number: UInt64

    /// What the header shows; nil where there is none, or nothing was rendered.
    public let payload: PublishedPayload?

    /// Makes a section; nothing is checked.
    public init(number: UInt64, payload: PublishedPayload?) {
        self.number = number
        self.payload = payload
    }
}
