/// Called once, on the main lane, in a turn of its own.
public typealias UpdateCompletion = @Sendable (UpdateResult) -> Void
