/// Asked whether to fetch, and to fetch; every member has a default.
///
/// Threading: the view's main lane, between its passes. A delegate may change the view or submit from there.
///
/// Source: Texture's batch fetching.
public protocol BatchFetcherDelegate: AnyObject {
    /// Whether more content may be fetched at an end now. Yes by default.
    func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool

    /// Whether to fetch, where content moves towards the end and lasts for `remainingTime` at that speed, zero
    /// where it has ended: the place decides by default, which is `hint`.
    func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool

    /// More content is wanted: fetch it, submit it, and complete the context, here or later, on any thread.
    ///
    /// Called where the fetcher was made without a closure; by default there is nothing more.
    func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext)
}

extension BatchFetcherDelegate {
    /// Yes.
    public func batchFetcher(_ fetcher: BatchFetcher, mayFetchAt end: ContentEnd) -> Bool { true }

    /// The hint.
    public func batchFetcher(
        _ fetcher: BatchFetcher,
        shouldFetchAt end: ContentEnd,
        remainingTime: Duration,
        hint: Bool
    ) -> Bool { hint }

    /// Ends the fetch: there is nothing more.
    public func batchFetcher(_ fetcher: BatchFetcher, willBegin fetch: BatchFetchContext) {
        fetch.complete(.exhausted)
    }
}
