// `XMLHttpRequest`: the content of an upload is made readable, and `withCredentials` is said.

const states = new WeakMap();
const readyState = getter(XMLHttpRequest.prototype, 'readyState');
const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
const abortNatively = method(XMLHttpRequest.prototype, 'abort');
const isXHR = isOf(readyState);

replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
  if (!isXHR(receiver) || values.length < 2) return apply(native, receiver, values);
  // Converted once, and in the native's order.
  values[0] = `${values[0]}`;
  values[1] = `${values[1]}`;
  const result = apply(native, receiver, values);
  weakSet(states, receiver, {
    method: values[0], isAsync: values.length < 3 || !!values[2], isHandled: isHandled(values[1]),
    hasAccept: false, hasType: false, isReading: false,
  });
  return result;
});

const invalidState = () => new DOMException('The object is in an invalid state.', 'InvalidStateError');

replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
  const state = isXHR(receiver) && weakGet(states, receiver);
  if (!state || values.length < 2) return apply(native, receiver, values);
  if (state.isReading) throw invalidState();
  values[0] = `${values[0]}`;
  const result = apply(native, receiver, values);
  const name = lowerCase(values[0]);
  if (name === 'accept') state.hasAccept = true;
  if (name === 'content-type') state.hasType = true;
  return result;
});

replace(XMLHttpRequest.prototype, 'abort', (native, receiver, values) => {
  const state = isXHR(receiver) && weakGet(states, receiver);
  if (state && state.isReading) {
    // As far as the page knows it was sent: the events of an aborted request follow.
    state.isReading = false;
    apply(sendNatively, receiver, []);
  }
  return apply(native, receiver, values);
});

const sendNatively = XMLHttpRequest.prototype.send;

replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
  const state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
  if (!state || !state.isHandled) return apply(native, receiver, values);
  if (state.isReading) throw invalidState();
  const sendsNothing = isBodiless(state.method);
  if (sendsNothing && !withCredentials(receiver)) return apply(native, receiver, values);
  const said = `${mark};credentials=${withCredentials(receiver) ? 'include' : 'same-origin'}`;
  // A second value is appended to the first one.
  const sayWhatIsSent = () => setField(receiver, 'Accept', state.hasAccept ? said : `*/*, ${said}`);
  const content = sendsNothing ? undefined : fileContent(values[0]);
  if (!content) {
    try {
      sayWhatIsSent();
    } catch {
      // Sent already; the native says so.
    }
    return apply(native, receiver, values);
  }
  if (!state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
  const flat = flatten(content);
  state.isReading = true;
  (async () => {
    const bytes = await flat.bytes;
    if (!state.isReading || weakGet(states, receiver) !== state) return;
    state.isReading = false;
    if (flat.type !== null && !state.hasType) setField(receiver, 'Content-Type', flat.type);
    sayWhatIsSent();
    apply(native, receiver, [bytes]);
  })();
});
