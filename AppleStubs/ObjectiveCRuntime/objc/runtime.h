// Stand-in for the Objective-C runtime, as far as Sources/CHandledSchemes uses it (Apple's documentation).
typedef struct objc_class *Class;
typedef struct objc_object *id;
typedef struct objc_selector *SEL;
typedef struct objc_method *Method;
typedef signed char BOOL;
typedef void (*IMP)(void);
id objc_getClass(const char *name);
SEL sel_registerName(const char *name);
Method class_getClassMethod(Class type, SEL name);
IMP method_getImplementation(Method method);
IMP method_setImplementation(Method method, IMP implementation);
