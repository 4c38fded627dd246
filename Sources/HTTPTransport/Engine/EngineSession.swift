/// A session of this module: a face for an engine, which counts time only while the exchange has its turn.
protocol EngineSession: HTTPSession {
    var engine: any ExchangeEngine { get }
}
