/// Who is told and asked by a view; nobody is retained.
struct ViewAudience {
    weak var delegate: (any CollectionViewDelegate)?
    weak var layoutMetrics: AnyObject?
    weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)?
}
