import CollectionPipeline

extension Scenario {
    /// Reads a line. Numbers may be any 64-bit integers, because validation judges them. Fields
    /// that are not part of the format are ignored.
    init(line: [UInt8]) throws(ScenarioFault) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(line)
        } catch {
            throw ScenarioFault("invalid JSON in column \(error.column): \(error.message)")
        }
        guard case .object = value else {
            throw ScenarioFault("a scenario must be an object, found \(value.kind)")
        }
        let line = JSONField(name: "", value: value)
        id = value["id"]
        oldCounts = try line.member("oldCounts").integers()
        newCounts = try line.member("newCounts").integers()
        steps = try line.member("ops").elements().map(Step.init(_:))
        result = value["result"]
    }
}

extension Scenario.Step {
    fileprivate init(_ field: JSONField) throws(ScenarioFault) {
        let field = try field.object()
        let name = try field.member("op").string()
        if let probe = Scenario.Probe(rawValue: name) {
            self = .probe(probe)
            return
        }
        let option = AnimationOption(rawValue: try field.optionalMember("anim")?.integer() ?? 0)
        func paths() throws(ScenarioFault) -> [ItemPath] { try field.member("at").itemPaths() }
        func sections() throws(ScenarioFault) -> SectionSet {
            SectionSet(try field.member("at").integers())
        }
        let operation: HierarchyChangeSet.Operation
        switch name {
        case "deleteItems": operation = .deleteItems(try paths(), option)
        case "insertItems": operation = .insertItems(try paths(), option)
        case "reloadItems": operation = .reloadItems(try paths(), option)
        case "reconfigureItems": operation = .reconfigureItems(try paths(), option)
        case "moveItem":
            let source = try field.member("from").itemPath()
            operation = .moveItem(at: source, to: try field.member("to").itemPath(), option)
        case "deleteSections": operation = .deleteSections(try sections(), option)
        case "insertSections": operation = .insertSections(try sections(), option)
        case "reloadSections": operation = .reloadSections(try sections(), option)
        case "reconfigureSections": operation = .reconfigureSections(try sections(), option)
        case "moveSection":
            let source = try field.member("from").integer()
            operation = .moveSection(source, toSection: try field.member("to").integer(), option)
        case "reloadSupplementaries":
            let kind = SupplementaryKind(rawValue: try field.member("kind").string())
            operation = .reloadSupplementaries(kind, in: try sections(), option)
        case "reloadData": operation = .reloadData(.none)
        default: throw ScenarioFault("\(field.name).op is unknown: \"\(name.prefix(40))\"")
        }
        self = .operation(operation)
    }
}

extension Scenario {
    /// Makes the scenario whose change set is `update`.
    init(_ update: ValidatedChangeSet, id: JSONValue? = nil) {
        self.id = id
        oldCounts = update.oldShape.itemCounts
        newCounts = update.newShape.itemCounts
        steps = HierarchyChangeSet(recording: update).operations.map(Step.operation)
    }

    /// The line from which this scenario can be read again, without its result.
    var json: JSONValue {
        [
            "id": id, "oldCounts": .integers(oldCounts), "newCounts": .integers(newCounts),
            "ops": .array(steps.map(\.json)),
        ]
    }
}

extension Scenario.Step {
    fileprivate var json: JSONValue {
        switch self {
        case .probe(let probe): ["op": .string(probe.rawValue)]
        case .operation(let operation): Self.json(operation)
        }
    }

    private static func json(_ operation: HierarchyChangeSet.Operation) -> JSONValue {
        switch operation {
        case .deleteItems(let paths, let option): edit("deleteItems", paths, option)
        case .insertItems(let paths, let option): edit("insertItems", paths, option)
        case .reloadItems(let paths, let option): edit("reloadItems", paths, option)
        case .reconfigureItems(let paths, let option): edit("reconfigureItems", paths, option)
        case .moveItem(let oldPath, let newPath, let option):
            move("moveItem", .path(oldPath), .path(newPath), option)
        case .deleteSections(let sections, let option): edit("deleteSections", sections, option)
        case .insertSections(let sections, let option): edit("insertSections", sections, option)
        case .reloadSections(let sections, let option): edit("reloadSections", sections, option)
        case .reconfigureSections(let sections, let option):
            edit("reconfigureSections", sections, option)
        case .moveSection(let oldSection, let newSection, let option):
            move("moveSection", .integer(oldSection), .integer(newSection), option)
        case .reloadSupplementaries(let kind, let sections, let option):
            [
                "op": .string("reloadSupplementaries"), "kind": .string(kind.rawValue),
                "at": .integers(sections), "anim": .animation(option),
            ]
        // The format has no animation for a reload of all data.
        case .reloadData: ["op": .string("reloadData")]
        }
    }

    private static func edit(
        _ name: String,
        _ paths: [ItemPath],
        _ option: AnimationOption
    ) -> JSONValue {
        ["op": .string(name), "at": .array(paths.map(JSONValue.path)), "anim": .animation(option)]
    }

    private static func edit(
        _ name: String,
        _ sections: SectionSet,
        _ option: AnimationOption
    ) -> JSONValue {
        ["op": .string(name), "at": .integers(sections), "anim": .animation(option)]
    }

    private static func move(
        _ name: String,
        _ source: JSONValue,
        _ target: JSONValue,
        _ option: AnimationOption
    ) -> JSONValue {
        ["op": .string(name), "from": source, "to": target, "anim": .animation(option)]
    }
}
