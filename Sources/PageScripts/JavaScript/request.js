// `Request`: remembers a body with files, which WebKit 2.50 can't give back of a Request.

const urlOf = getter(Request.prototype, 'url');
const isRequest = isOf(urlOf);
const contents = new WeakMap();

/// The content with files that a request was made with, if `input` is one.
const keptContent = input => isRequest(input) ? weakGet(contents, input) : undefined;

/// `init` whose members are read once each, by the native, in its order; `seen` has what it read of some.
const watched = (init, seen) => {
  if (init === null || typeof init !== 'object' && typeof init !== 'function') return init;
  return new Proxy({__proto__: null}, {
    __proto__: null,
    get: (_, name) => {
      const value = init[name];
      if (name in seen) seen[name] = value;
      return value;
    },
  });
};

replaceConstructor(self, 'Request', (native, values, target) => {
  const seen = {__proto__: null, body: undefined};
  if (values.length > 1) values[1] = watched(values[1], seen);
  const kept = keptContent(argument(values, 0));
  const request = construct(native, values, target);
  const content = (seen.body ?? null) === null ? kept : sentApart(seen.body);
  if (content) weakSet(contents, request, content);
  return request;
});

replace(Request.prototype, 'clone', (native, receiver, values) => {
  const copy = apply(native, receiver, values), content = keptContent(receiver);
  if (content) weakSet(contents, copy, content);
  return copy;
});
