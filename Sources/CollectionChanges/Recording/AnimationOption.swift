/// How a view is asked to animate one edit: an opaque number that travels with it.
///
/// The pipeline compares options (neighbouring edits of equal option form one group) and otherwise
/// hands them to the view unread, so an application may define values of its own.
public struct AnimationOption: RawRepresentable, Hashable, Sendable {
    /// The number that identifies the option.
    public var rawValue: Int

    /// Makes an option from a number of the application's choice.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No animation for this edit.
    public static let none = AnimationOption(rawValue: 0)
    /// Whatever the view thinks fit; the default.
    public static let automatic = AnimationOption(rawValue: 1)
    /// Fade in or out in place.
    public static let fade = AnimationOption(rawValue: 2)
    /// Slide in from, or out to, the leading edge.
    public static let leading = AnimationOption(rawValue: 3)
    /// Slide in from, or out to, the trailing edge.
    public static let trailing = AnimationOption(rawValue: 4)
    /// Slide in from, or out to, the top.
    public static let top = AnimationOption(rawValue: 5)
    /// Slide in from, or out to, the bottom.
    public static let bottom = AnimationOption(rawValue: 6)
}
