import CollectionLayouts
import ProgramSupport

/// One collection, as described by a line of the input.
struct FramesRequest: Equatable {
    var width: Double
    var direction = ScrollDirection.vertical
    var scale = 1.0
    var sections: [Section]

    struct Section: Equatable {
        var items: [Size]
        var metrics: SectionMetrics
    }

    init(_ line: [UInt8]) throws {
        let json = try decodeJSON(FramesJSON.self, from: line, "a collection")
        width = try Self.extent(json.width, "width")
        if let name = json.direction {
            guard let direction = ScrollDirection(rawValue: name) else {
                throw GalleryFault("direction must be \"vertical\" or \"horizontal\"")
            }
            self.direction = direction
        }
        if let scale = json.scale {
            guard scale > 0 else { throw GalleryFault("scale must be more than 0, found \(scale)") }
            self.scale = scale
        }
        sections = try json.sections.enumerated().map { index, section in
            try Self.section(section, "sections[\(index)]")
        }
    }

    private static func section(_ json: FramesJSON.Section, _ name: String) throws -> Section {
        let items = try json.items.enumerated().map { index, item in
            guard item.count == 2, item[0] >= 0, item[1] >= 0 else {
                throw GalleryFault(
                    "\(name).items[\(index)] must be a width and a height of at least 0,"
                        + " found \(item)"
                )
            }
            return Size(width: item[0], height: item[1])
        }
        var metrics = SectionMetrics()
        if let inset = json.inset {
            guard inset.count == 4 else {
                throw GalleryFault("\(name).inset must be top, left, bottom and right")
            }
            metrics.insets = EdgeInsets(
                top: inset[0],
                left: inset[1],
                bottom: inset[2],
                right: inset[3]
            )
        }
        metrics.lineSpacing = try json.line.map { try extent($0, "\(name).line") }
        metrics.interitemSpacing = try json.interitem.map {
            try extent($0, "\(name).interitem")
        }
        metrics.headerExtent = try extent(json.header ?? 0, "\(name).header")
        metrics.footerExtent = try extent(json.footer ?? 0, "\(name).footer")
        return Section(items: items, metrics: metrics)
    }

    private static func extent(_ value: Double, _ name: String) throws -> Double {
        guard value >= 0 else { throw GalleryFault("\(name) must be at least 0, found \(value)") }
        return value
    }
}

/// The JSON of the input.
private struct FramesJSON: Decodable {
    let width: Double
    let direction: String?
    let scale: Double?
    let sections: [Section]

    struct Section: Decodable {
        let items: [[Double]]
        let inset: [Double]?
        let line: Double?
        let interitem: Double?
        let header: Double?
        let footer: Double?
    }
}

/// The frames that the flow layout computes for a collection, as JSON.
struct FramesResponse {
    /// The line to print; `nil` if one of its numbers is not finite.
    let json: String?

    init(_ request: FramesRequest) {
        let view = FramesView(request)
        let layout = FlowLayout()
        layout.scrollDirection = request.direction
        // The layout does not retain its view.
        json = withExtendedLifetime(view) {
            layout.attach(to: view)
            layout.prepare()
            return Self.text(layout, request)
        }
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

    /// Returns the shortest text that represents the number exactly.
    static func number(_ value: Double) -> String {
        let text = value == 0 ? "0" : "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// The smallest possible host of a layout: a collection without scrolling.
final class FramesView: LayoutHost, LayoutMetrics {
    private let request: FramesRequest

    init(_ request: FramesRequest) { self.request = request }

    var bounds: Rect {
        // The visible part does not influence the frames, so the bounds may be a square.
        Rect(origin: .zero, size: Size(width: request.width, height: request.width))
    }

    var adjustedContentInset: EdgeInsets { .zero }
    var safeAreaInsets: EdgeInsets { .zero }
    var layoutMargins: EdgeInsets { .zero }
    var isRightToLeft: Bool { false }
    var displayScale: Double { request.scale }

    var numberOfSections: Int { request.sections.count }

    func numberOfItems(inSection section: Int) -> Int { request.sections[section].items.count }

    func context(forSection section: Int) -> (any SectionContext)? { nil }

    func measuredSize(of place: LayoutPlace) -> Size? { nil }

    var layoutMetrics: (any LayoutMetrics)? { self }

    func invalidateLayout(with context: LayoutInvalidationContext) {}

    // MARK: Metrics

    func metrics(ofSection section: Int) -> SectionMetrics { request.sections[section].metrics }

    func size(ofItemAt path: ItemPath) -> Size? { request.sections[path.section].items[path.item] }
}
