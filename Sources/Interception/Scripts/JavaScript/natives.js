// What the other scripts use of the page's world, taken before the page can change it. They call nothing that a page
// can replace: no method by its name, no `for … of`, no spread of arrays, no regular expression.

const {apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf} = Reflect;
const {Blob, DOMException, FormData, Headers, Navigator, Promise, Proxy, Request, String, URL, Uint8Array, WeakMap,
  XMLHttpRequest} = self;

/// The method `name` of a prototype as a function that takes its receiver first.
const method = (prototype, name) => {
  const native = prototype[name];
  return (receiver, ...values) => apply(native, receiver, values);
};
/// The getter of an attribute as a function that takes its receiver.
const getter = (prototype, name) => {
  const native = getOwnPropertyDescriptor(prototype, name).get;
  return receiver => apply(native, receiver, []);
};

const weakGet = method(WeakMap.prototype, 'get');
const weakSet = method(WeakMap.prototype, 'set');
const lowerCase = method(String.prototype, 'toLowerCase');
const upperCase = method(String.prototype, 'toUpperCase');
const indexOf = method(String.prototype, 'indexOf');
const slice = method(String.prototype, 'slice');
const charAt = method(String.prototype, 'charAt');

/// Whether a receiver is what a getter is for, in any realm. No property of the object is read.
const isOf = read => value => {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
};

/// Natives by the functions that stand in for them.
const natives = new WeakMap();

/// Replaces a function by one that can't be told from it: its name, length, properties, prototype and errors are the
/// native's. `answer` is given the native, the receiver and the arguments.
const replace = (holder, name, answer) => {
  const descriptor = holder && getOwnPropertyDescriptor(holder, name);
  if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return;
  const native = descriptor.value;
  const replacement = new Proxy(native, {
    __proto__: null,
    apply: (_, receiver, values) => answer(native, receiver, values),
  });
  weakSet(natives, replacement, native);
  defineProperty(holder, name, {__proto__: null, ...descriptor, value: replacement});
};

/// Replaces a constructor in the same way. `answer` is given the native, the arguments and what to construct with.
const replaceConstructor = (holder, name, answer) => {
  const descriptor = getOwnPropertyDescriptor(holder, name);
  if (!descriptor || typeof descriptor.value !== 'function' || !descriptor.configurable) return;
  const native = descriptor.value;
  const replacement = new Proxy(native, {
    __proto__: null,
    construct: (_, values, target) => answer(native, values, target === replacement ? native : target),
  });
  weakSet(natives, replacement, native);
  defineProperty(holder, name, {__proto__: null, ...descriptor, value: replacement});
  const made = getOwnPropertyDescriptor(native.prototype, 'constructor');
  defineProperty(native.prototype, 'constructor', {__proto__: null, ...made, value: replacement});
};

// A Proxy says that it is one in `Function.prototype.toString`.
replace(Function.prototype, 'toString', (native, receiver, values) =>
  apply(native, (typeof receiver === 'function' && weakGet(natives, receiver)) || receiver, values));
