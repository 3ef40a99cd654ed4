// What the scripts in the page's own world use of it besides: taken before the page can change it, as in reflection.js.

const {AbortController, ArrayBuffer, Blob, DOMException, Event, FormData, Headers, Navigator, ProgressEvent, Promise,
  Proxy, Request, Response, Symbol, TypeError, URL, Uint8Array, WeakMap, XMLHttpRequest, performance} = self;
const page = self, isArray = Array.isArray;

/// The getter of an attribute as a function that takes its receiver.
const getter = (prototype, name) => {
  const native = getOwnPropertyDescriptor(prototype, name).get;
  return receiver => apply(native, receiver, []);
};

/// The same of an attribute that there may not be: then a function that fails.
const optionalGetter = (holder, name) => {
  const descriptor = holder && getOwnPropertyDescriptor(holder, name);
  if (!descriptor || !descriptor.get) return () => { throw new TypeError(name); };
  return receiver => apply(descriptor.get, receiver, []);
};

const weakGet = method(WeakMap.prototype, 'get');
const weakSet = method(WeakMap.prototype, 'set');
const upperCase = method(String.prototype, 'toUpperCase');

/// Whether a receiver is what a getter is for, in any realm. No property of the object is read.
const isOf = read => value => {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
};

const dispatch = method(EventTarget.prototype, 'dispatchEvent');
const listen = method(EventTarget.prototype, 'addEventListener');
const baseURI = getter(Node.prototype, 'baseURI');
const urlHref = getter(URL.prototype, 'href');
const urlOf = getter(Request.prototype, 'url');
const isRequest = isOf(urlOf);
const readyState = getter(XMLHttpRequest.prototype, 'readyState');
const isXHR = isOf(readyState);

/// A promise of the native's that is rejected.
const rejectNatively = Promise.reject;
const rejected = reason => apply(rejectNatively, Promise, [reason]);

/// An argument, or `undefined` where there is none: an index behind the end would ask `Object.prototype`.
const argument = (values, index) => values.length > index ? values[index] : undefined;

/// Natives by the functions that stand in for them.
const natives = new WeakMap();

/// Refuses, as a native does, what would make a function its own prototype's prototype; a Proxy allows it.
const setsPrototype = replacement => (target, prototype) => {
  for (let link = prototype; link; link = getPrototypeOf(link)) {
    if (link === replacement()) throw new TypeError('cyclic __proto__ value');
  }
  return setPrototypeOf(target, prototype);
};

/// Replaces a function by one that can't be told from it: its name, length, properties, prototype and errors are the
/// native's. `trap` is given the native and tells the replacement what to do when it is used.
///
/// - part: Of the property: `value`, or `get` and `set` for those of an attribute.
/// - parent: What stands in for the native's prototype, if something does. It is told to who asks, and is never made the
///   prototype: below a Proxy, JavaScriptCore gives up its fast arrays in the whole realm.
///
/// Returns both, or nothing where there is no such function.
const standIn = (holder, name, kind, trap, {part = 'value', parent} = {__proto__: null}) => {
  const descriptor = holder && getOwnPropertyDescriptor(holder, name);
  if (!descriptor || typeof descriptor[part] !== 'function' || !descriptor.configurable) return undefined;
  const native = descriptor[part];
  const handler = {
    __proto__: null,
    [kind]: trap(native, () => replacement),
    setPrototypeOf: setsPrototype(() => replacement),
  };
  if (parent) {
    handler.getPrototypeOf = target => {
      const prototype = getPrototypeOf(target);
      return prototype === parent.native ? parent.replacement : prototype;
    };
    // A Proxy of what takes no more properties can only tell the prototype that there is.
    handler.preventExtensions = target => {
      if (getPrototypeOf(target) === parent.native) setPrototypeOf(target, parent.replacement);
      return preventExtensions(target);
    };
  }
  const replacement = new Proxy(native, handler);
  weakSet(natives, replacement, native);
  defineProperty(holder, name, {__proto__: null, ...descriptor, [part]: replacement});
  return {__proto__: null, native, replacement};
};

/// Replaces a function. `answer` is given the native, the receiver and the arguments.
const replace = (holder, name, answer, part = 'value') => {
  standIn(holder, name, 'apply', native => (_, receiver, values) => answer(native, receiver, values),
    {__proto__: null, part});
};

/// Replaces the getter of an attribute, its setter or both.
const replaceAccessor = (holder, name, read, write) => {
  if (read) replace(holder, name, read, 'get');
  if (write) replace(holder, name, write, 'set');
};

/// Replaces a constructor that its prototype does not name. `answer` is given the native, the arguments and what to
/// construct with.
const replaceNameless = (holder, name, answer, parent) =>
  standIn(holder, name, 'construct', (native, replacement) => (_, values, target) =>
    answer(native, values, target === replacement() ? native : target), {__proto__: null, parent});

/// Replaces a constructor, as `replaceNameless` does. Returns what `parent` of the constructors below it is.
const replaceConstructor = (holder, name, answer, parent) => {
  const both = replaceNameless(holder, name, answer, parent);
  if (!both) return undefined;
  const {prototype} = both.native, made = getOwnPropertyDescriptor(prototype, 'constructor');
  defineProperty(prototype, 'constructor', {__proto__: null, ...made, value: both.replacement});
  return both;
};

// A Proxy says that it is one in `Function.prototype.toString`.
replace(Function.prototype, 'toString', (native, receiver, values) =>
  apply(native, (typeof receiver === 'function' && weakGet(natives, receiver)) || receiver, values));

/// Adds listeners of the window, and again after `document.open`, which removes them; `write` may call it. To add the
/// same one twice does nothing.
const keepListening = addAll => {
  const addAgain = (native, receiver, values) => {
    const result = apply(native, receiver, values);
    addAll();
    return result;
  };
  replace(Document.prototype, 'open', addAgain);
  replace(Document.prototype, 'write', addAgain);
  replace(Document.prototype, 'writeln', addAgain);
  addAll();
};
