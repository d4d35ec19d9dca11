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
        duplicates: DuplicatePolicy = .automatic,
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

/// What a difference makes of identifiers that occur more than once on one side.
@nonexhaustive
public enum DuplicatePolicy: Hashable, Sendable {
    /// Where states are applied to a controller, ``refuse``; in a difference that is taken by itself, ``byOccurrence``.
    ///
    /// An identifier that occurs twice in a list is most likely a mistake, which shows only later as a row that is
    /// somewhere else. A difference of plain values, such as lines of text, has equal ones by right.
    case automatic

    /// The difference distinguishes equal identifiers by their occurrence.
    ///
    /// As many survive as both sides have. Those found by comparing both sides in order are matched first; of the
    /// others the first old one is matched with the first new one, the second with the second, and so on.
    case byOccurrence

    /// A second occurrence on one side, in whatever section, is an error that names both.
    ///
    /// That there is none shows only when every identifier was hashed, which takes several times as long as the
    /// difference of two sides of which most is the same.
    case refuse
}
