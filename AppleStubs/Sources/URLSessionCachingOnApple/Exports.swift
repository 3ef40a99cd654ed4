// The stand-ins for Apple's Foundation and for the module beneath, seen in every file of this module.
@_exported import AppleFoundation
@_exported import URLSessionOnApple
