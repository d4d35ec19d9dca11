/// A location in a source file into which one or two mutations are compiled, and the text for them.
struct MutationSite {
    /// A replacement of text. Offsets are UTF-8 offsets in the original file.
    struct Insertion {
        /// The replaced text; empty if text is only inserted.
        let range: Range<Int>
        /// The new text. ``MutationSite/number`` in it is a placeholder for the number of the first
        /// mutation.
        let text: String
    }

    /// The placeholder for the number of the first mutation.
    static let number: Character = "\u{1}"

    /// The wrapped source. Sites are disjoint or nested.
    let span: Range<Int>
    var mutations: [Mutation]
    /// The text before the wrapped source.
    let opening: String
    /// The text after the wrapped source.
    let closing: String
    /// The replacement within the wrapped source, for example of an operator by a comma.
    let replacement: Insertion?
    /// Whether the mutation changes the control flow. The compiler then reports errors at other
    /// locations.
    let changesFlow: Bool
    /// The enclosing function or initializer.
    let function: Range<Int>
    /// The enclosing statement.
    let statement: Range<Int>
}
