import APIBaseKit
import RedisStores

/// The account that all replicas have at the API of a ledger.
func ledgerAccount(on redis: Redis, tokenAt: URL) throws -> APIAccount {
    let tokens = try RedisTokenStore("ledger", on: redis)
    var account = APIAccount(
        authorization: .tokens(.stored(in: tokens, tokenAt: tokenAt, id: "ledger-service", identity: "ledger"))
    )
    account.gate = CallGate(
        concurrent: 20,
        perSecond: 50,
        burst: 50,
        shared: RedisLimiter(on: redis),
        name: "ledger",
        replicas: 20
    )
    account.cache = ResponseCache(try RedisResponseStorage("ledger", on: redis))
    return account
}
