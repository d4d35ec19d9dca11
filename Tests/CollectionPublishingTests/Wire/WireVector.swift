import CollectionPublishing
import Foundation

/// Messages as they travel, and what a replica makes of each: for replicas in other languages.
struct WireVector: Codable, Hashable {
    var name: String
    var messages: [JSONValue]
    /// The sections after each message, as in a reset.
    var states: [JSONValue] = []
    var digests: [String] = []
    /// The code of the error that each message gives.
    var errors: [String?] = []

    /// What the replica of this package makes of messages.
    init(_ name: String, _ messages: [JSONValue]) throws {
        self.name = name
        self.messages = messages
        var replica = CollectionReplica()
        for message in messages {
            errors.append(replica.receive(try message.json.utf8)?.rawValue)
            states.append(try replica.state.json)
            digests.append("\(replica.digest)")
        }
    }

    static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Examples/browser-replica/vectors.jsonl")

    /// All vectors, the same every time.
    static func all() throws -> [WireVector] {
        try [WireVector("written down", written)]
            + (0..<10).map { try random(seed: $0) } + (0..<8).map { try window(seed: $0) }
            + faults()
            + spoiled("update", written[3], every: 13)
            + spoiled("update without digest", written[3].without("digest"), every: 11)
            + spoiled("reset", written[2], every: 23)
            + spoiled("mark", written[5], every: 3)
    }

    private static var written: [JSONValue] {
        get throws { try Written.json.map { try JSONValue($0) } }
    }

    private static func random(seed: Int) throws -> WireVector {
        var publisher = RandomPublisher(seed: UInt64(seed))
        _ = try publisher.update(merging: seed % 3 + 1)
        var messages = [publisher.reset]
        for step in 0..<4 {
            messages.append(try publisher.update(rate: 0.3, merging: step == 3 ? 4 : 1))
        }
        messages.append(.upToDate(publisher.version, digest: publisher.state.digest))
        let json = try messages.map { try JSONValue(of: WireMessage($0)) }
        return try WireVector("random \(seed)", json)
    }

    private static func window(seed: Int) throws -> WireVector {
        var publisher = WindowPublisher(seed: UInt64(seed))
        var messages = [try publisher.reset()]
        for _ in 0..<6 { messages.append(try publisher.update()) }
        messages.append(publisher.mark)
        return try WireVector(
            "window \(seed)",
            messages.map { try JSONValue(of: WireMessage($0)) }
        )
    }

    /// Each after everything.
    private static func spoiled(
        _ name: String,
        _ message: JSONValue,
        every stride: Int
    ) throws -> [WireVector] {
        let reset = try written[2]
        return try message.mutations.enumerated().filter { $0.offset.isMultiple(of: stride) }.map {
            try WireVector("spoiled \(name) \($0.offset)", [reset, $0.element])
        }
    }
}

// MARK: - Faults

extension WireVector {
    private static func faults() throws -> [WireVector] {
        let (reset, update) = (try written[2], try written[3])
        let mark = try JSONValue(
            #"{"upToDate":{"version":"0000000000c0ffee.1","digest":"\#(digest)"}}"#
        )
        let otherDigest = String(repeating: "0", count: 32)
        var vectors = [
            try WireVector("noState", [update, mark, try closed("0000000000c0ffee.1"), reset]),
            try WireVector(
                "gap",
                [
                    reset, try step("0000000000c0ffee.2", "0000000000c0ffee.3"),
                    try closed("0000000000c0ffee.2"), update,
                ]
            ),
            try WireVector(
                "double",
                [
                    reset, update, update, mark, try closed("0000000000c0ffee.0"),
                    try step("0000000000c0ffee.2", "0000000000c0ffee.2"),
                    try step("0000000000c0ffee.2", "0000000000c0ffee.1"),
                    try step("0000000000c0ffee.2", "0000000000000001.3"),
                    try step("0000000000C0FFEE.2", "0000000000C0FFEE.9223372036854775807"),
                ]
            ),
            try WireVector(
                "otherHistory",
                [reset, try step("0000000000000001.1", "0000000000000001.2"), update]
            ),
            try WireVector(
                "otherDigest",
                [
                    reset, try reset.replacing(digest, by: otherDigest),
                    try mark.replacing(digest, by: otherDigest), mark,
                    try update.replacing("2c07873a", by: "2c07873b"), update,
                ]
            ),
        ]
        // Sections of 3, 1, 0 and 1 items are in a list of 6 sections and 20 items.
        let placed = try reset.adding(
            #""place":{"sections":6,"items":20,"section":1,"item":2,"before":7}"#
        )
        let empty = #""place":{"sections":6,"items":20,"section":1,"item":0,"before":7}"#
        vectors += try misplaced.map {
            try WireVector("misfit window \($0)", [placed, try edit($0), try edit(empty)])
        }
        vectors += try impossiblePlaces.map {
            try WireVector("unreadable window \($0)", [placed, try edit($0), try edit(empty)])
        }
        vectors += [
            try WireVector("misfit list", [reset, try edit(empty), update]),
            try WireVector(
                "double window",
                [
                    placed,
                    try step("0000000000c0ffee.1", "0000000000c0ffee.0", ",\(empty)"),
                    try step("0000000000c0ffee.1", "0000000000c0ffee.1"),
                    try step("0000000000c0ffee.1", "0000000000c0ffee.1", ",\(empty)"),
                ]
            ),
        ]
        vectors += try misfits.map {
            try WireVector("misfit \($0)", [reset, try edit($0), update])
        }
        vectors += try senseless.map {
            try WireVector("unreadable \($0)", [reset, try edit($0), update])
        }
        return vectors
    }

    private static let digest = "73643699606c2b69505e48f2dd9912a5"

    private static func closed(_ version: String) throws -> JSONValue {
        try JSONValue(#"{"closed":{"version":"\#(version)"}}"#)
    }

    private static func step(_ from: String, _ to: String, _ members: String = "") throws
        -> JSONValue
    {
        try JSONValue(#"{"update":{"from":"\#(from)","to":"\#(to)"\#(members)}}"#)
    }

    private static func edit(_ members: String) throws -> JSONValue {
        try step("0000000000c0ffee.1", "0000000000c0ffee.2", ",\(members)")
    }

    /// What does not fit sections of 3, 1, 0 and 1 items.
    private static let misfits = [
        #""removeItems":[[0,3]]"#, #""removeItems":[[4,0]]"#, #""removeItems":[[2,0]]"#,
        #""removeSections":[4]"#, #""removeSections":[4,0]"#,
        #""removeSections":[4,0],"insertSections":[{"at":0,"from":4}]"#,
        #""removeSections":[9007199254740991]"#,
        #""insertSections":[{"at":5,"n":9}]"#,
        #""insertSections":[{"at":4,"n":9},{"at":6,"n":10},{"at":7,"n":11}]"#,
        #""removeSections":[3],"insertSections":[{"at":4,"from":3}]"#,
        #""insertItems":[[0,4,9]]"#, #""insertItems":[[0,4,9],[0,5,10]]"#,
        #""insertItems":[[4,0,9]]"#,
        #""removeSections":[3],"insertItems":[[3,0,9]]"#,
        #""removeItems":[[0,0]],"insertItems":[[2,1,[0,0]]]"#,
        #""changeItems":[[0,3]]"#, #""changeItems":[[4,0]]"#, #""changeSections":[[4]]"#,
        #""removeItems":[[0,2]],"changeItems":[[0,2,"x"]]"#,
    ]

    /// Where a window of 4 sections and 5 items cannot be; the first is none.
    private static let misplaced = [
        #""digest":"\#(digest)""#,
        #""place":{"sections":4,"items":20,"section":1,"item":0,"before":0}"#,
        #""place":{"sections":6,"items":20,"section":7,"item":0,"before":0}"#,
        #""place":{"sections":6,"items":20,"section":1,"item":0,"before":16}"#,
        #""place":{"sections":6,"items":20,"section":1,"item":0,"before":21}"#,
        #""place":{"sections":6,"items":20,"section":1,"item":3,"before":2}"#,
        #""place":{"sections":6,"items":20,"section":0,"item":0,"before":2}"#,
        #""removeSections":[3,2,1,0],"#
            + #""place":{"sections":6,"items":20,"section":1,"item":1,"before":2}"#,
    ]

    private static let impossiblePlaces = [
        #""place":{"sections":6,"items":20,"section":1,"item":0,"before":-1}"#,
        #""place":{"sections":-6,"items":20,"section":1,"item":0,"before":0}"#,
        #""place":{"sections":6,"items":9007199254740992,"section":1,"item":0,"before":0}"#,
        #""place":{"sections":6,"items":20,"section":1,"item":0}"#,
        #""place":{"sections":6,"items":20,"section":1.5,"item":0,"before":0}"#,
        #""place":{"sections":6,"items":"20","section":1,"item":0,"before":0}"#,
        #""place":[6,20,1,0,0]"#, #""place":7"#,
    ]

    private static let senseless = [
        #""removeItems":[[0,0],[0,1]]"#, #""removeItems":[[0,0],[0,0]]"#,
        #""removeItems":[[0,-1]]"#, #""removeItems":[[0]]"#, #""removeItems":[[0,0,0]]"#,
        #""removeSections":[1,2]"#, #""removeSections":[9007199254740992]"#,
        #""insertSections":[{"at":1,"n":9},{"at":0,"n":10}]"#,
        #""insertSections":[{"at":0,"n":9},{"at":1,"n":9}]"#,
        #""insertSections":[{"at":0,"n":0}]"#, #""insertSections":[{"at":0}]"#,
        #""insertSections":[{"at":0,"from":3}]"#,
        #""removeSections":[3],"insertSections":[{"at":0,"from":3,"n":9}]"#,
        #""removeSections":[3],"insertSections":[{"at":0,"from":3},{"at":1,"from":3}]"#,
        #""insertItems":[[0,1,9],[0,0,10]]"#, #""insertItems":[[0,0,9],[0,1,9]]"#,
        #""insertItems":[[0,0,[0,1]]]"#, #""insertItems":[[0,0,9007199254740992]]"#,
        #""removeItems":[[0,1]],"insertItems":[[0,0,[0,1]],[1,0,[0,1]]]"#,
        #""insertSections":[{"at":0,"n":9,"items":[[10]]}],"insertItems":[[0,0,11]]"#,
        #""insertSections":[{"at":0,"n":9,"items":[[10],[10]]}]"#,
        #""removeItems":[[3,0]],"removeSections":[3]"#,
        #""insertItems":[[0,0,9,"x",1]]"#,
        #""insertSections":[{"at":0,"n":9,"items":[[10,"x",1]]}]"#,
        #""removeItems":[[0,1]],"insertItems":[[0,0,[0,1],1]]"#,
        #""changeItems":[[0,0,"x",1]]"#, #""changeSections":[[0,"x",1]]"#,
        #""changeItems":[[0,0],[0,0]]"#, #""changeItems":[[0,0,1]]"#,
        #""changeSections":[[1],[0]]"#, #""changeSections":[0]"#,
    ]
}

extension JSONValue {
    fileprivate func replacing(_ text: String, by other: String) throws -> JSONValue {
        try JSONValue(try json.replacingOccurrences(of: text, with: other))
    }

    /// A message with one more member.
    fileprivate func adding(_ member: String) throws -> JSONValue {
        let more = try JSONValue("{\(member)}")
        guard case .object(let kinds) = self, case .object(let added) = more else { return self }
        return .object(
            kinds.mapValues { body in
                guard case .object(let members) = body else { return body }
                return .object(members.merging(added) { $1 })
            }
        )
    }

    /// A message without one of its members.
    fileprivate func without(_ key: String) -> JSONValue {
        guard case .object(let kinds) = self else { return self }
        return .object(
            kinds.mapValues { body in
                guard case .object(let members) = body else { return body }
                return .object(members.filter { $0.key != key })
            }
        )
    }
}
