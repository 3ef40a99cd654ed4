// `Request`: remembers a body with files, which WebKit 2.50 can't give back of a Request.

/// By request: the content with files that it was made with; `true` for content that native code can read: its page may
/// be gone before a script has read it.
const contents = new WeakMap();
const contentOf = input => isRequest(input) ? weakGet(contents, input) : undefined;
const isPlainContent = body => typeof body === 'string' || isParameters(body) || isBuffer(body) || isView(body);

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
  const kept = contentOf(argument(values, 0)), request = construct(native, values, target);
  const isGiven = (seen.body ?? null) !== null;
  const content = isGiven ? sentApart(seen.body) ?? isPlainContent(seen.body) : kept;
  if (content) weakSet(contents, request, content);
  return request;
});

replace(Request.prototype, 'clone', (native, receiver, values) => {
  const copy = apply(native, receiver, values), content = contentOf(receiver);
  if (content) weakSet(contents, copy, content);
  return copy;
});
