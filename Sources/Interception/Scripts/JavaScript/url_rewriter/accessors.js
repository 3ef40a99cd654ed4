// Attributes of interfaces, replaced as natives.js replaces functions.

/// Replaces a getter, a setter or both. Each is given the native, the receiver and the arguments.
const replaceAccessor = (holder, name, read, write) => {
  const descriptor = holder && getOwnPropertyDescriptor(holder, name);
  if (!descriptor || !descriptor.configurable) return;
  const proxied = (native, answer) => {
    if (!native || !answer) return native;
    const replacement = new Proxy(native, {
      __proto__: null,
      apply: (_, receiver, values) => answer(native, receiver, values),
      setPrototypeOf: setsPrototype(() => replacement),
    });
    weakSet(natives, replacement, native);
    return replacement;
  };
  const get = proxied(descriptor.get, read), set = proxied(descriptor.set, write);
  defineProperty(holder, name, {__proto__: null, ...descriptor, get, set});
};

/// The getter of an attribute as a function that takes its receiver; of one that there is not, a function that fails.
const optionalGetter = (holder, name) => {
  const descriptor = holder && getOwnPropertyDescriptor(holder, name);
  if (!descriptor || !descriptor.get) return () => { throw new TypeError(name); };
  return receiver => apply(descriptor.get, receiver, []);
};
