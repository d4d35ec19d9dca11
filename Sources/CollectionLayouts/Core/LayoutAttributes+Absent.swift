import CollectionChanges

// What changes about attributes around an update.

extension LayoutAttributes {
    /// The same of another place.
    func at(_ place: LayoutPlace) -> LayoutAttributes {
        var attributes = self
        attributes.place = place
        return attributes
    }

    /// The same of a view that is not there yet, or no longer, as the options that this package knows say.
    func absent(by animation: AnimationOption, isRightToLeft: Bool) -> LayoutAttributes {
        var absent = self
        let trailing = isRightToLeft ? -size.width : size.width
        switch animation {
        case .none: break
        case .leading: absent.center.x -= trailing
        case .trailing: absent.center.x += trailing
        case .top: absent.center.y -= size.height
        case .bottom: absent.center.y += size.height
        default: absent.alpha = 0
        }
        return absent
    }
}
