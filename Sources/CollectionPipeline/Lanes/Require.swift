/// Stops the process where a call comes from a wrong place: the wrong lane, a wait that would
/// deadlock, use after closing.
///
/// Unlike `precondition`, whose message optimised builds drop, this prints it in every build.
package func require(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    guard condition else { fatalError(message(), file: file, line: line) }
}
