/// What is selected and touched, and what touches may select.
struct SelectionState {
    var items = SelectedItems()
    var touch = TouchState()
    var isAllowed = true
    var isMultipleAllowed = false
}
