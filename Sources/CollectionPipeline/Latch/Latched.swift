import CollectionElements

/// What step 1 makes of a change set before anything is changed by it.
struct Latched {
    var update: ValidatedChangeSet
    /// Whether that is a first load in place of the edits that were recorded, which nothing could be edited with.
    var isLoadInPlaceOfEdits = false
    var map: ElementMap
    var work = PreparationWork()
    var reconfigured: [ElementContent] = []
    var remeasured: [ElementContent] = []
    /// What somebody asked for: put off by earlier sets, of which it is part, or measured again.
    var asked: Set<ElementContent> = []
    /// Those that go without a removal of their item or section, because a slot is gone or new.
    var removedSupplementaries: [CollectionElement] = []
    var remeasuredPlaces: [ElementPlace] = []
    var layoutContext: (any Sendable)?
    /// By which rule elements were asked for their sizes; nil where none were.
    var ranges: SizeRangeRule?
    /// What it is measured for; nil where nothing is.
    var offer: RelayoutLedger.Offer?
    /// Whether that is something else than what all others were measured for.
    var isOfferOther = false
    /// Whether nothing stays that was measured for something else before.
    var isMeasuredAnew = false
    var nextSectionID: Int
    /// Whether the data source's counts are those of the map, or it will be asked for everything next.
    var accountsForCounts = false
    /// Whether the data source was asked for what is new in it, and so can be compared with it.
    var isFromDataSource = false
}
