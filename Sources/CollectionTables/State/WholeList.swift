/// The header of the only section of a list that is not divided into sections.
public struct WholeList: Hashable, Sendable {
    /// Creates the header.
    public init() {}
}
