import CNATS

/// A message of the client library, good for as long as the call that hands it out.
///
/// Headers are read when asked for only, because the library parses them then.
struct NATSMessage {
    let pointer: OpaquePointer

    /// The bytes, in the library's memory.
    var contents: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: natsMsg_GetData(pointer),
            count: Int(natsMsg_GetDataLength(pointer))
        )
    }

    /// The bytes, copied.
    var bytes: [UInt8] { Array(contents) }

    /// The code of a message that is a server's word instead of data.
    var status: Int? {
        contents.isEmpty ? header("Status").flatMap { Int($0) } : nil
    }

    /// Where a message of a stream is in it, and how many follow.
    var place: NATSPlace? {
        natsMsg_GetReply(pointer).flatMap { NATSPlace(reply: $0) }
    }

    /// Which consumer sent a message of a stream.
    var consumer: String? {
        natsMsg_GetReply(pointer).flatMap { NATSPlace.consumer(reply: $0) }
    }

    /// The first value of a header.
    func header(_ name: String) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(pointer, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }
}

/// What a consumer's message says of itself, in the subject that it would be acknowledged by.
struct NATSPlace: Hashable {
    /// The position in the stream.
    var position: UInt64
    /// How many messages of the stream come after it.
    var pending: UInt64

    /// The name of the consumer in such a subject.
    static func consumer(reply: UnsafePointer<CChar>) -> String? {
        let fields = String(cString: reply).split(separator: ".")
        guard fields.count >= 9 else { return nil }
        return String(fields[fields.count == 9 ? 3 : 5])
    }

    /// Reads `$JS.ACK.<stream>.<consumer>.<delivered>.<position>.<number>.<time>.<pending>`, or the longer form with the
    /// domain and the account behind `ACK`.
    init?(reply: UnsafePointer<CChar>) {
        var values: (UInt64, UInt64) = (0, 0)
        var fields = 1
        var scan = reply
        while scan.pointee != 0 {
            if scan.pointee == CChar(UInt8(ascii: ".")) { fields += 1 }
            scan += 1
        }
        guard fields >= 9 else { return nil }
        let base = fields == 9 ? 5 : 7
        var field = 0
        scan = reply
        while scan.pointee != 0 {
            let byte = UInt8(bitPattern: scan.pointee)
            scan += 1
            if byte == UInt8(ascii: ".") {
                field += 1
            } else if field == base || field == base + 3 {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                let digit = UInt64(byte - UInt8(ascii: "0"))
                if field == base {
                    values.0 = values.0 &* 10 &+ digit
                } else {
                    values.1 = values.1 &* 10 &+ digit
                }
            }
        }
        position = values.0
        pending = values.1
    }
}
