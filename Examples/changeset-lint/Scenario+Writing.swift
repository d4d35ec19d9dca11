import CollectionPipeline

extension Scenario {
    /// The scenario whose change set is `update`.
    init(_ update: ValidatedChangeSet, id: JSONValue? = nil) {
        self.id = id
        oldCounts = update.oldShape.itemCounts
        newCounts = update.newShape.itemCounts
        steps = HierarchyChangeSet(recording: update).operations.map(Step.operation)
    }

    /// The line that is read as this scenario; a result is left out.
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
        // The format has no option for it.
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
