@testable import changeset_lint
@testable import layout_gallery

extension DecoderJob {
    /// What can be placed has an answer that is JSON, with all items in it, unless it is too large.
    static func placeFrames(_ line: [UInt8]) {
        let request: FramesRequest
        do {
            request = try FramesRequest(line)
        } catch {
            return check(error is GalleryFault, "refused by \(error)")
        }
        guard let answer = FramesAnswer(request).json else { return }
        guard let value = try? JSONParser.parse(Array(answer.utf8)),
            case .array(let sections)? = value["sections"]
        else { return check(false, "no answer: \(answer)") }
        let counts = sections.map { section in
            if case .array(let items)? = section["items"] { items.count } else { -1 }
        }
        // A view without width shows nothing.
        let expected = request.sections.map { request.width > 0 ? $0.items.count : 0 }
        check(counts == expected, "items of \(request) are missing: \(answer)")
    }
}
