/// How a difference between two states is taken and expressed.
public struct DifferenceOptions: Hashable, Sendable {
    /// What becomes of items that are the same, but whose contents are not.
    @nonexhaustive
    public enum ContentUpdates: Hashable, Sendable {
        /// They are updated in place.
        case reconfigure
        /// They are replaced by fresh ones.
        case reload
    }

    /// What is made of identifiers that occur more than once on one side.
    public var duplicates: DuplicatePolicy

    /// What becomes of items that are the same, but whose contents are not.
    public var contentUpdates: ContentUpdates

    /// The profile in which the result is valid.
    public var profile: ValidationProfile

    /// How to animate every edit.
    public var animation: AnimationOption

    /// Makes options.
    public init(
        duplicates: DuplicatePolicy = .byOccurrence,
        contentUpdates: ContentUpdates = .reconfigure,
        profile: ValidationProfile = .standard,
        animation: AnimationOption = .automatic
    ) {
        self.duplicates = duplicates
        self.contentUpdates = contentUpdates
        self.profile = profile
        self.animation = animation
    }
}
