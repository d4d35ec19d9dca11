import CollectionElements

/// What a view shows, and who brings it up to date.
struct ViewSource {
    var content: any ViewContent = MapContent(map: .empty(generation: 0))
    /// Loads before a pass what is to be loaded; nil where a pipeline brings what is new.
    var loader: (() -> Void)?
}
