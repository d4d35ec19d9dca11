import CollectionLayouts

/// What is selected and touched, and what touches may select.
struct SelectionState {
    var items = SelectedItems()
    var touch = TouchState()
    var isAllowed = true
    var isMultipleAllowed = false
    /// What nodes were told of it.
    var looks = NodeLooks()
    /// What is to be looked for at the end of the pass.
    var untold = Untold()

    struct Untold {
        /// Items that came into sight.
        var paths: [ItemPath] = []
        /// Whether items came, went or moved.
        var isEverything = false

        var isDue: Bool { isEverything || !paths.isEmpty }
    }
}
