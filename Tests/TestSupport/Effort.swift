import Foundation

/// How far tests go that enumerate, or could go on for ever.
///
/// `swift test` is for every change, and takes a part of each enumeration, the same one every time.
/// `TEST_EFFORT=full` takes all of it, which the gate does for some modules, others each time.
package enum Effort {
    /// Whether everything is to be tried.
    package static let isFull = ProcessInfo.processInfo.environment["TEST_EFFORT"] == "full"

    /// A number for when everything is tried, or a smaller one for every change.
    package static func number<Number>(_ full: Number, usually usual: Number) -> Number {
        isFull ? full : usual
    }
}

/// Takes some of what is enumerated: the first hundred, so that little is left out where there is little, and
/// then one of seven, a number that no enumeration repeats itself by.
package struct Sampling {
    private var count = 0

    package init() {}

    /// Whether the next one is taken.
    package mutating func takesNext() -> Bool {
        count += 1
        return Effort.isFull || count <= 100 || count.isMultiple(of: 7)
    }
}
