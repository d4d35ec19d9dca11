import CollectionElements

extension Lane {
    /// Runs `body` on this lane, later, and returns its result; from anywhere, also from the lane itself.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await suspend { resume in
            enqueue { resume(Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }
}
