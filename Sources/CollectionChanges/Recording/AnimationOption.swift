/// How one edit is shown where its update is animated: a number that travels with it.
///
/// The pipeline compares options (neighbouring edits of equal option form one group) and otherwise
/// hands them to the view unread, so an application may define values of its own.
///
/// What comes or goes starts or ends where the option says; what is replaced goes and comes; what is moved
/// glides from place to place. The option of an item's own edit counts for its cell, and else that of its
/// section's edit, which also counts for headers, footers and decorations; a supplementary element that is
/// asked for again goes and comes with the option of that. What only makes room for others glides. How far
/// things slide, and what other numbers look like, a layout says in its `absentLayoutAttributes(for:animation:)`.
/// Where an update is not animated, and where everything is reloaded, options do nothing.
public struct AnimationOption: RawRepresentable, Hashable, Sendable {
    /// The number that identifies the option.
    public var rawValue: Int

    /// Makes an option from a number of the application's choice.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No animation for this edit: what it names comes, goes, moves and changes its size at once, whatever
    /// else the update animates.
    public static let none = AnimationOption(rawValue: 0)
    /// Whatever the layout thinks fit; the default. Fades unless a layout says otherwise.
    public static let automatic = AnimationOption(rawValue: 1)
    /// Fade in or out in place; so does every number that a layout does not know.
    public static let fade = AnimationOption(rawValue: 2)
    /// Slide in from, or out to, the leading edge, by its own width: the left edge, and the right one where
    /// content runs from right to left.
    public static let leading = AnimationOption(rawValue: 3)
    /// Slide in from, or out to, the trailing edge, by its own width.
    public static let trailing = AnimationOption(rawValue: 4)
    /// Slide in from, or out to, the top, by its own height.
    public static let top = AnimationOption(rawValue: 5)
    /// Slide in from, or out to, the bottom, by its own height.
    public static let bottom = AnimationOption(rawValue: 6)
}
