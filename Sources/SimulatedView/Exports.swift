@_exported import CollectionLayouts
@_exported import CollectionPipeline
