@_exported import BrowserScripts
@_exported import CollectionPipeline
