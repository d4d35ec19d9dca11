/// An item that is updated in place.
public struct ItemReconfiguration: Hashable, Sendable {
    /// Where the item was before the update.
    public var oldPath: ItemPath

    /// Where it is after the update.
    public var newPath: ItemPath

    /// How to animate it.
    public var animation: AnimationOption

    /// Makes a reconfiguration; nothing is checked.
    public init(oldPath: ItemPath, newPath: ItemPath, animation: AnimationOption = .automatic) {
        self.oldPath = oldPath
        self.newPath = newPath
        self.animation = animation
    }
}
