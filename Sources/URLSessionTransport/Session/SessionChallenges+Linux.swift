#if !canImport(Network)
/// What the app has to say to challenges: on Linux nobody is asked.
struct SessionChallenges: Sendable {}
#endif
