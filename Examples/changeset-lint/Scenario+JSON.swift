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
        steps = []
        for field in try line.member("ops").elements() { steps.append(try Step(field)) }
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
        let animation = AnimationOption(
            rawValue: try field.optionalMember("anim")?.integer() ?? 0
        )
        let operation: HierarchyChangeSet.Operation
        switch name {
        case "deleteItems":
            operation = .deleteItems(try field.member("at").itemPaths(), animation)
        case "insertItems":
            operation = .insertItems(try field.member("at").itemPaths(), animation)
        case "reloadItems":
            operation = .reloadItems(try field.member("at").itemPaths(), animation)
        case "reconfigureItems":
            operation = .reconfigureItems(try field.member("at").itemPaths(), animation)
        case "moveItem":
            operation = .moveItem(
                at: try field.member("from").itemPath(),
                to: try field.member("to").itemPath(),
                animation
            )
        case "reloadData": operation = .reloadData(.none)
        default: operation = try Self.sectionOperation(name, field, animation)
        }
        self = .operation(operation)
    }

    private static func sectionOperation(
        _ name: String,
        _ field: JSONField,
        _ animation: AnimationOption
    ) throws(ScenarioFault) -> HierarchyChangeSet.Operation {
        func sections() throws(ScenarioFault) -> SectionSet {
            SectionSet(try field.member("at").integers())
        }
        switch name {
        case "deleteSections": return .deleteSections(try sections(), animation)
        case "insertSections": return .insertSections(try sections(), animation)
        case "reloadSections": return .reloadSections(try sections(), animation)
        case "reconfigureSections": return .reconfigureSections(try sections(), animation)
        case "moveSection":
            return .moveSection(
                try field.member("from").integer(),
                toSection: try field.member("to").integer(),
                animation
            )
        case "reloadSupplementaries":
            let kind = SupplementaryKind(rawValue: try field.member("kind").string())
            return .reloadSupplementaries(kind, in: try sections(), animation)
        default:
            throw ScenarioFault("\(field.name).op is unknown: \"\(name.prefix(40))\"")
        }
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
        var members: [JSONValue.Member] = []
        if let id { members.append(JSONValue.Member(key: "id", value: id)) }
        members.append(JSONValue.Member(key: "oldCounts", value: .integers(oldCounts)))
        members.append(JSONValue.Member(key: "newCounts", value: .integers(newCounts)))
        members.append(JSONValue.Member(key: "ops", value: .array(steps.map(\.json))))
        return .object(members)
    }
}

extension Scenario.Step {
    fileprivate var json: JSONValue {
        switch self {
        case .probe(let probe): Self.object(probe.rawValue)
        case .operation(let operation): Self.json(operation)
        }
    }

    private static func json(_ operation: HierarchyChangeSet.Operation) -> JSONValue {
        switch operation {
        case .deleteItems(let paths, let option): object("deleteItems", paths, option)
        case .insertItems(let paths, let option): object("insertItems", paths, option)
        case .reloadItems(let paths, let option): object("reloadItems", paths, option)
        case .reconfigureItems(let paths, let option): object("reconfigureItems", paths, option)
        case .moveItem(let oldPath, let newPath, let option):
            object("moveItem", [("from", path(oldPath)), ("to", path(newPath))], option)
        case .deleteSections(let sections, let option): object("deleteSections", sections, option)
        case .insertSections(let sections, let option): object("insertSections", sections, option)
        case .reloadSections(let sections, let option): object("reloadSections", sections, option)
        case .reconfigureSections(let sections, let option):
            object("reconfigureSections", sections, option)
        case .moveSection(let oldSection, let newSection, let option):
            object(
                "moveSection",
                [("from", .integer(oldSection)), ("to", .integer(newSection))],
                option
            )
        case .reloadSupplementaries(let kind, let sections, let option):
            object(
                "reloadSupplementaries",
                [("kind", .string(kind.rawValue)), ("at", .integers(sections))],
                option
            )
        // The format has no animation for a reload of all data.
        case .reloadData: object("reloadData")
        }
    }

    private static func object(
        _ name: String,
        _ paths: [ItemPath],
        _ option: AnimationOption
    ) -> JSONValue {
        object(name, [("at", .array(paths.map(path)))], option)
    }

    private static func object(
        _ name: String,
        _ sections: SectionSet,
        _ option: AnimationOption
    ) -> JSONValue {
        object(name, [("at", .integers(sections))], option)
    }

    private static func object(
        _ name: String,
        _ fields: [(key: String, value: JSONValue)] = [],
        _ option: AnimationOption? = nil
    ) -> JSONValue {
        var members = [JSONValue.Member(key: "op", value: .string(name))]
        for (key, value) in fields { members.append(JSONValue.Member(key: key, value: value)) }
        if let option {
            members.append(JSONValue.Member(key: "anim", value: .integer(option.rawValue)))
        }
        return .object(members)
    }

    private static func path(_ path: ItemPath) -> JSONValue {
        .integers([path.section, path.item])
    }
}
