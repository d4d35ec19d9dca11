extension FaultPoint {
    /// A request does not reach the broker.
    public static let requestIsLost = FaultPoint(rawValue: "requestIsLost")
    /// An answer of the broker does not reach the member that asked.
    public static let answerIsLost = FaultPoint(rawValue: "answerIsLost")
    /// A request takes long; of one member no append overtakes another by that.
    public static let requestIsDelayed = FaultPoint(rawValue: "requestIsDelayed")
    /// An answer takes long.
    public static let answerIsDelayed = FaultPoint(rawValue: "answerIsDelayed")
    /// A request reaches the broker a second time, at once or later, and either answer reaches the member: so a register is
    /// set twice, of which the second is a conflict with the first.
    public static let requestComesTwice = FaultPoint(rawValue: "requestComesTwice")
    /// Nothing reaches the broker from a member, or the member from the broker, or both, for a time.
    public static let memberIsCutOff = FaultPoint(rawValue: "memberIsCutOff")
    /// The broker does nothing for a time.
    public static let brokerIsDown = FaultPoint(rawValue: "brokerIsDown")
    /// The broker has an older copy of everything in place of the newest.
    public static let storeIsRolledBack = FaultPoint(rawValue: "storeIsRolledBack")
    /// The log is deleted, with its snapshots and registers, and must be made anew.
    public static let logIsDeleted = FaultPoint(rawValue: "logIsDeleted")
    /// Somebody removes old records.
    public static let recordsArePurged = FaultPoint(rawValue: "recordsArePurged")
    /// A part of a snapshot is gone.
    public static let chunkIsLost = FaultPoint(rawValue: "chunkIsLost")
    /// Somebody who is no member appends something: bytes that are no record, an old record once more, a damaged copy of
    /// one, or a record of another collection.
    public static let strangerAppends = FaultPoint(rawValue: "strangerAppends")
    /// A record is appended, or a register set, though something else is there than was expected.
    public static let expectationIsIgnored = FaultPoint(rawValue: "expectationIsIgnored")
    /// The broker does not know any more which appends it has seen.
    public static let appendsAreForgotten = FaultPoint(rawValue: "appendsAreForgotten")

    /// What may go wrong between members and a broker, and with the broker: the rates of ``BrokerFaults``, for each request
    /// and each answer, so that most of a hundred requests are met by one or another.
    public static let brokerRates: [FaultPoint: Double] = [
        .requestIsLost: 0.02, .answerIsLost: 0.02, .requestIsDelayed: 0.05, .answerIsDelayed: 0.05,
        .requestComesTwice: 0.02, .memberIsCutOff: 0.01, .brokerIsDown: 0.005,
        .storeIsRolledBack: 0.003, .logIsDeleted: 0.002, .recordsArePurged: 0.003,
        .chunkIsLost: 0.003, .strangerAppends: 0.01, .expectationIsIgnored: 0.01,
        .appendsAreForgotten: 0.005,
    ]

    /// The same, in an order.
    static let brokerFaults = brokerRates.keys.sorted { $0.rawValue < $1.rawValue }
}
