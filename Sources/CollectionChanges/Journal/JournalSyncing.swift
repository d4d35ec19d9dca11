/// When a journal waits for what it wrote to be durable.
@nonexhaustive
public enum JournalSyncing: Hashable, Sendable {
    /// After each record: an append that returned survives the loss of power.
    case always
    /// After as many records as that, and where `sync()` is called: so many, less one, may be lost.
    case every(Int)
    /// Never but where `sync()` is called. What the system had written by then survives, mostly.
    case never
}
