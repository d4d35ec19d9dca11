import CollectionPipeline

/// What is in the viewport, and what is on its way out of it.
struct DisplayState {
    var shown = ShownViews()
    /// What the layout said of the viewport and around.
    var window = AttributeWindow()
    /// Who tells nodes how near they are.
    var ranges: RangeController?
    /// Views that animations take away, a group an animation, until it ends.
    var leaving = FIFO<[ShownView]>()
    /// How views came, went and moved in the last change, if that was animated.
    var transitions: [ViewTransition] = []
    /// The animated update that the next pass, or that under way, belongs to.
    var animated: ValidatedChangeSet?
    /// How many views the viewport shows at most, since elements without extent would otherwise all be
    /// shown at once.
    var viewLimit = 10_000
}
