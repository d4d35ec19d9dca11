import CollectionPublishing
import Testing

@Suite("Markup")
struct HTMLTests {
    @Test func textIsEscapedAndMarkupIsNot() {
        let text = #"<b>"Tom" & 'Jerry'</b>"#
        let escaped = "&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;"
        #expect(text.escapedHTML == escaped)
        #expect(text.dropFirst(2).escapedHTML == escaped.dropFirst(5))
        let row: HTML = "<p title=\"\(text)\">\(text)</p>"
        #expect(row.markup == "<p title=\"\(escaped)\">\(escaped)</p>")
        let list: HTML = "<ul>\(row)\([row, "<li>\(7)", HTML(markup: "&nbsp;")])\(true)</ul>"
        #expect(list.markup == "<ul>\(row.markup)\(row.markup)<li>7&nbsp;true</ul>")
        #expect(PublishedPayload(list) == PublishedPayload(utf8: list.markup))
        #expect(PayloadNode("<i>\("<")</i>").payload == PublishedPayload(utf8: "<i>&lt;</i>"))
    }

    /// A mark that is composed with a bracket makes one character with it.
    @Test func everyScalarIsEscapedByItself() {
        #expect("<\u{301}&\u{301}".escapedHTML == "&lt;\u{301}&amp;\u{301}")
        for value in UInt32(0)..<0x300 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let escaped = String(Character(scalar)).escapedHTML
            switch value {
            case 0x22, 0x26, 0x27, 0x3C, 0x3E: #expect(escaped.hasPrefix("&"))
            case 9, 10, 13, 32..<127, 0xA0...: #expect(escaped == String(Character(scalar)))
            default: #expect(escaped == "\u{FFFD}")
            }
        }
    }
}
