/// A place in a source file where one or two mutations are compiled in, and what has to be written for them.
struct MutationSite {
    /// Where text is put. Offsets are of UTF-8 in the original file.
    struct Insertion {
        /// What is replaced; empty where text is only added.
        let range: Range<Int>
        /// Stands for the number of the first mutation where it contains ``MutationSite/number``.
        let text: String
    }

    static let number: Character = "\u{1}"

    /// What is wrapped; sites are nested, never overlapping.
    let span: Range<Int>
    var mutations: [Mutation]
    let opening: String
    let closing: String
    /// What is replaced within: an operator by a comma, say.
    let replacement: Insertion?
    /// Whether control may flow where it could not before: of such the compiler complains elsewhere.
    let changesFlow: Bool
    /// The function or initialiser around it.
    let function: Range<Int>
    /// The statement around it.
    let statement: Range<Int>
}
