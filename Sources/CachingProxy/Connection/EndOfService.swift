#if Proxy
/// Goes through the pipeline of a client's connection when the proxy is about to stop: what is under way may end, and
/// nothing more begins.
struct EndOfService: Sendable {}
#endif
