import CollectionLayouts

/// Where the flow layout puts a collection, as JSON.
struct FramesAnswer {
    /// The line to print; nil if some number of it is beyond all numbers.
    private(set) var json: String?

    init(_ request: FramesRequest) {
        let view = FramesView(request)
        let layout = FlowLayout()
        layout.scrollDirection = request.direction
        // The layout does not hold its view.
        let text = withExtendedLifetime(view) {
            layout.attach(to: view)
            layout.prepare()
            return Self.text(layout, request)
        }
        json = text
    }

    private static func text(_ layout: FlowLayout, _ request: FramesRequest) -> String? {
        let content = layout.collectionViewContentSize
        guard content.isValid else { return nil }
        var text =
            "{\"content\":[\(number(content.width)),\(number(content.height))],\"sections\":["
        for (index, section) in request.sections.enumerated() {
            if index > 0 { text += "," }
            let path = ItemPath(section: index, item: 0)
            let header = layout.frame(ofSupplementary: .header, at: path)
            let footer = layout.frame(ofSupplementary: .footer, at: path)
            text += "{\"frame\":\(array(layout.frame(ofSection: index) ?? .zero))"
            text += ",\"header\":\(header.map(array) ?? "null")"
            text += ",\"footer\":\(footer.map(array) ?? "null"),\"items\":["
            for item in section.items.indices {
                guard let frame = layout.frame(ofItem: ItemPath(section: index, item: item)) else {
                    break
                }
                guard frame.minX.isFinite, frame.minY.isFinite else { return nil }
                if item > 0 { text += "," }
                text += array(frame)
            }
            text += "]}"
        }
        return text + "]}"
    }

    private static func array(_ rect: Rect) -> String {
        "[\(number(rect.minX)),\(number(rect.minY)),\(number(rect.size.width)),"
            + "\(number(rect.size.height))]"
    }

    /// The shortest text that reads as the same number.
    static func number(_ value: Double) -> String {
        let text = value == 0 ? "0" : "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
