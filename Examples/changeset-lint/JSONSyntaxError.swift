/// Why a text is no JSON.
struct JSONSyntaxError: Error, Equatable {
    /// The byte at fault, from 1.
    let column: Int
    /// What was expected there, or what is wrong.
    let message: String
}
