/// What is asked of a node, by how near to the viewport its element is.
///
/// Source: Texture's interface state.
public struct InterfaceState: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a state from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The node may be needed before long: what takes time to get should be fetched now.
    public static let preload = InterfaceState(rawValue: 1)

    /// The node is about to be needed: what is shown should be ready.
    public static let display = InterfaceState(rawValue: 2)

    /// The node is in the viewport.
    public static let visible = InterfaceState(rawValue: 4)
}

extension InterfaceState: CustomStringConvertible {
    /// The states in a few words, such as `preload, display`; `none` where nothing is asked.
    public var description: String {
        let names: [(InterfaceState, String)] = [
            (.preload, "preload"), (.display, "display"), (.visible, "visible"),
        ]
        let there = names.filter { contains($0.0) }.map(\.1)
        return there.isEmpty ? "none" : there.joined(separator: ", ")
    }
}
