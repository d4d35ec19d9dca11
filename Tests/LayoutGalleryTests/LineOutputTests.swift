import Foundation
import Testing

@testable import layout_gallery

/// A line goes out whole, however little the system takes at once.
@Suite struct LineOutputTests {
    /// What one call of the system does.
    private enum Step {
        case takes(Int)
        case fails(Int32)
    }

    /// What arrived, and the number of the failure that the writer told of.
    private func write(_ line: String, _ steps: [Step]) -> (text: String, failure: Int32?) {
        var taken: [UInt8] = []
        var rest = steps[...]
        let isWritten = writeLine(line) { bytes in
            switch rest.popFirst() {
            case .takes(let most):
                // What an earlier call said is no reason for this one's result.
                errno = EIO
                let count = min(most, bytes.count)
                taken += bytes.prefix(count)
                return count
            case .fails(let number):
                errno = number
                return -1
            case nil:
                taken += bytes
                return bytes.count
            }
        }
        let failure = isWritten ? nil : errno
        return (String(decoding: taken, as: UTF8.self), failure)
    }

    @Test func whateverIsTakenAtOnceTheLineIsWhole() {
        for line in ["", "a", "Kraków\nOslo", String(repeating: "b", count: 40)] {
            for first in 0...3 {
                for second in 0...3 {
                    let steps: [Step] = [
                        .takes(first), .fails(EINTR), .takes(second), .takes(0), .takes(1),
                    ]
                    let result = write(line, steps)
                    #expect(result.text == line + "\n" && result.failure == nil)
                }
            }
        }
    }

    @Test func aFailureEndsTheLineWithItsReason() {
        for reason in [EPIPE, ENOSPC, EAGAIN] {
            let result = write("abcd", [.takes(2), .fails(EINTR), .fails(reason), .takes(9)])
            #expect(result.text == "ab" && result.failure == reason)
        }
    }
}
