@_exported public import APIBaseGraphQL
@_exported public import APIBaseStreams
