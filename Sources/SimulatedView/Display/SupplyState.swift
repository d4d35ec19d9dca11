import CollectionLayouts

/// Where views come from, and where they wait.
struct SupplyState {
    var pool = ReusePool()
    var prefetching = PrefetchState()
    /// Who has more content fetched.
    var fetcher: BatchFetcher?
    /// Views that were dequeued in the answer that is under way, or left over from earlier ones.
    var dequeued: [(view: CollectionReusableView, place: LayoutPlace)] = []
    /// The view that its data source is configuring again.
    var reconfiguring: (place: LayoutPlace, view: CollectionReusableView)?
}
