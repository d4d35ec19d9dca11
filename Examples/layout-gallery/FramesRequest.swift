import CollectionLayouts
import Foundation

/// One collection, as a line of the input has it.
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
        let json: FramesJSON
        do {
            // The decoder traps where the bracket of one array too many is the last byte of all.
            json = try JSONDecoder().decode(FramesJSON.self, from: Data(line + [0x0A]))
        } catch let error as DecodingError {
            throw GalleryFault(Self.sentence(for: error))
        }
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
        var sections: [Section] = []
        for (index, section) in json.sections.enumerated() {
            sections.append(try Self.section(section, "sections[\(index)]", direction))
        }
        self.sections = sections
    }

    private static func section(
        _ json: FramesJSON.Section,
        _ name: String,
        _ direction: ScrollDirection
    ) throws -> Section {
        var items: [Size] = []
        items.reserveCapacity(json.items.count)
        for (index, item) in json.items.enumerated() {
            guard item.count == 2, item[0] >= 0, item[1] >= 0 else {
                throw GalleryFault(
                    "\(name).items[\(index)] must be a width and a height of at least 0,"
                        + " found \(item)"
                )
            }
            items.append(Size(width: item[0], height: item[1]))
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

    private static func sentence(for error: DecodingError) -> String {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (last.map { [$0] } ?? [])
            return keys.reduce(into: "") { path, key in
                if let index = key.intValue {
                    path += "[\(index)]"
                } else {
                    path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
                }
            }
        }
        return switch error {
        case .keyNotFound(let key, let context): "missing field '\(path(context, key))'"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty:
            "a collection must be an object"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(path(context))' is of the wrong type"
        default: "invalid JSON"
        }
    }
}

/// The input as it is written.
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
