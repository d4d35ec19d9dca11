/// What a ``MemoryBroker`` takes and keeps.
public struct MemoryBrokerConfiguration: Hashable, Sendable {
    /// How many bytes a record or a part of a snapshot may have; larger ones are rejected. 1 MB by default, as with NATS.
    public var recordByteLimit = 1 << 20

    /// How many bytes of records are kept, behind which the oldest are removed unasked. 256 MB by default: it is memory.
    public var logByteLimit = 1 << 28

    /// Of how many appends it is remembered that they were made, so that a second attempt is answered as the first was. With
    /// none it is a broker that knows no duplicates. 1,024 by default, more than a member has under way.
    public var rememberedAppends = 1024

    /// Makes the configuration with its defaults.
    public init() {}
}
