/// The header of the only section of a list that is not divided. This section exists even without
/// rows.
public struct WholeList: Hashable, Sendable {
    /// Creates the header.
    public init() {}
}
