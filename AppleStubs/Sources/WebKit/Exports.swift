// What WebKit shows of other modules: those that use it see them too.
@_exported import AppleFoundation
