/// One leadership of one process, which makes a list of its own.
package struct CampaignTerm: Hashable, Sendable {
    package let epoch: UInt64
    /// Chosen at random, since a broker that forgot may let an epoch be led twice.
    package let nonce: UInt32

    package init(epoch: UInt64, nonce: UInt32) { (self.epoch, self.nonce) = (epoch, nonce) }
}

extension CampaignTerm: LosslessStringConvertible {
    /// The epoch and the nonce, such as `12-7f3a01c5`.
    package var description: String { "\(epoch)-\(String(nonce, radix: 16))" }

    package init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0]),
            let nonce = UInt32(parts[1], radix: 16)
        else { return nil }
        self.init(epoch: epoch, nonce: nonce)
    }
}

/// Which edit of which leadership: they are counted from 1.
package struct EditMark: Hashable, Sendable {
    package let term: CampaignTerm
    package let number: Int

    package init(_ term: CampaignTerm, _ number: Int) { (self.term, self.number) = (term, number) }
}

extension EditMark: LosslessStringConvertible {
    /// The leadership and the number, such as `12-7f3a01c5:57`.
    package var description: String { "\(term):\(number)" }

    package init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let term = CampaignTerm(String(parts[0])),
            let number = Int(parts[1])
        else { return nil }
        self.init(term, number)
    }
}
