@_exported import CollectionElements
