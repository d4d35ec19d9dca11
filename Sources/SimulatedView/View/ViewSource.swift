import CollectionElements

/// What a view shows, and who brings it up to date.
struct ViewSource {
    var content: any ViewContent = MapContent(map: .empty(generation: 0)) {
        didSet { version += 1 }
    }
    /// How often the content was replaced.
    private(set) var version = 0
    /// Loads at the beginning of every round of a pass what is to be loaded; nil where a pipeline brings what is
    /// new.
    var loader: (() -> Void)?
    /// Whether updates are on their way that were not deployed yet.
    var isExpectingUpdates = false
    /// Whether nothing comes any more.
    var isClosed = false
    /// Whether elements may have other sizes to choose from since somebody was told that last.
    var mayOfferOtherSizes = false
}
