@_exported public import APIBaseStreams
