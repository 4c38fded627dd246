@_exported public import APIBaseCache
@_exported public import APIBaseCore
@_exported public import APIBaseGraphQL
@_exported public import APIBaseLimits
@_exported public import APIBaseLogs
@_exported public import APIBaseSignIn
@_exported public import APIBaseSigning
@_exported public import APIBaseStreams
