// Stand-in for the Objective-C runtime, as far as Sources/CHandledSchemes uses it (Apple's documentation).
void objc_msgSend(void);
