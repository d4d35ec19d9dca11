import CollectionPublishing

// The digest as the documentation describes it, sharing only the hash with the implementation: all
// terms first, then their sum.

/// Returns the digest of a state as documented for ``PublishedDigest`` and
/// ``StateDigest/init(of:)``.
func documentedDigest(_ state: StateModel) -> StateDigest {
    let heads = state.sections.map { section in
        hash { hasher in
            hasher.combine(UInt8(2))
            hasher.combine(section.section.number)
        }
    }
    var terms = links([StateDigest(low: 0, high: 0)] + heads, 4)
    for (section, head) in zip(state.sections, heads) {
        terms += links([head] + section.items.map(digest), 3)
        guard let payload = section.section.payload else { continue }
        let bytes = payloadDigest(payload.bytes)
        terms.append(
            hash { hasher in
                hasher.combine(UInt8(5))
                hasher.combine(section.section.number)
                hasher.combine(bytes.low)
                hasher.combine(bytes.high)
            }
        )
    }
    // Added word by word, with a manual carry.
    var (low, high): (UInt64, UInt64) = (0, 0)
    for term in terms {
        let sum = low.addingReportingOverflow(term.low)
        low = sum.partialValue
        high = high &+ term.high &+ (sum.overflow ? 1 : 0)
    }
    return StateDigest(low: low, high: high)
}

private func hash(_ feed: (inout StableHasher) -> Void) -> StateDigest {
    var hasher = StableHasher()
    feed(&hasher)
    return hasher.finish()
}

private func digest(_ item: PublishedItem) -> StateDigest {
    hash { hasher in
        hasher.combine(UInt8(1))
        hasher.combine(item.number)
        hasher.combine(UInt8(item.payload == nil ? 0 : 1))
        guard let payload = item.payload else { return }
        let digest = payloadDigest(payload.bytes)
        hasher.combine(digest.low)
        hasher.combine(digest.high)
    }
}

private func payloadDigest(_ bytes: [UInt8]) -> StateDigest {
    hash { hasher in
        hasher.combine(UInt64(bytes.count))
        for byte in bytes { hasher.combine(byte) }
    }
}

/// Returns the links from each element to the next and from the last to the first.
private func links(_ ring: [StateDigest], _ kind: UInt8) -> [StateDigest] {
    ring.indices.map { index in
        let (from, to) = (ring[index], ring[(index + 1) % ring.count])
        return hash { hasher in
            for word in [from.low, from.high, to.low, to.high] { hasher.combine(word) }
            hasher.combine(kind)
        }
    }
}
