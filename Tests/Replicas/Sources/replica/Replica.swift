import RedisStores
@main struct Replica { static func main() {} }
