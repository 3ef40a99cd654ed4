// XMLHttpRequest.
section = 'XMLHttpRequest';
const xhr = (method, url, {body = null, isAsync = true, prepare = () => {}} = {}) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open(method, url, isAsync);
  prepare(request);
  for (const name of ['error', 'abort', 'timeout']) request.addEventListener(name, () => reject(new DOMException('', name)));
  request.addEventListener('load', () => resolve(request));
  request.send(body);
});
const typed = async responseType => (await xhr('GET', responseType === 'json' ? '/data.json' : responseType === 'document' ? '/page.xml' : '/text', {
  prepare: request => { request.responseType = responseType; },
})).response;
kind('XHR GET', '200 OK some text', async () => {
  const {status, statusText, responseText} = await xhr('GET', '/text?xhr');
  return `${status} ${statusText} ${responseText}`;
});
kind('XHR GET, synchronous', '200 some text', async () => {
  const {status, responseText} = await xhr('GET', '/text?sync', {isAsync: false});
  return `${status} ${responseText}`;
});
kind('XHR, other origin allowed', 'some text', async () => (await xhr('GET', `${cdn}/text?allow=any`)).responseText);
kind('XHR, other origin refused', 'error', async () => (await xhr('GET', `${cdn}/text?refused`)).responseText);
kind('XHR, synchronous, other origin allowed', 'some text',
  async () => (await xhr('GET', `${cdn}/text?allow=any`, {isAsync: false})).responseText);
kind('XHR, synchronous, other origin refused', 'error',
  async () => (await xhr('GET', `${cdn}/text?refused`, {isAsync: false})).responseText);
kind('XHR, arraybuffer', '9', async () => String((await typed('arraybuffer')).byteLength));
kind('XHR, blob', '9 text/plain', async () => { const blob = await typed('blob'); return `${blob.size} ${blob.type}`; });
kind('XHR, json', '1', async () => String((await typed('json')).a));
kind('XHR, document', 'root', async () => (await typed('document')).documentElement.tagName);
kind('XHR, fields of the answer', 'x-custom: yes; set-cookie: null', async () => {
  const request = await xhr('GET', '/text?custom&set=xhr%3D1');
  return `x-custom: ${request.getResponseHeader('x-custom')}; set-cookie: ${request.getResponseHeader('set-cookie')}`;
});
kind('XHR, redirected', 'some text', async () => (await xhr('GET', '/redirect?to=/text')).responseText);
kind('XHR, redirected: what the page sees', 'https://example.com/text', async () => (await xhr('GET', '/redirect?to=/text')).responseURL);
kind('XHR, progress', 'loaded 9 of 9', async () => {
  let last;
  await xhr('GET', '/text?progress', {prepare: request => request.addEventListener('progress', event => { last = event; })});
  return `loaded ${last.loaded} of ${last.total}`;
});
kind('XHR, aborted', 'abort', async () => {
  const id = unique();
  let request;
  const answer = xhr('GET', `/held?id=${id}`, {prepare: made => { request = made; }}).then(() => 'loaded', error => error.name);
  await text(`/arrived?of=${id}`);
  request.abort();
  await text(`/release?of=${id}`);
  return answer;
});
kind('XHR, 404', '404', async () => String((await xhr('GET', '/nothing?xhr')).status));
const post = async (body, options = {}) => upload(JSON.parse((await xhr('POST', '/echo', {body, ...options})).responseText));
kind('XHR POST string', 'POST text/plain;charset=UTF-8 hello', () => post('hello'));
kind('XHR POST string, synchronous', 'POST text/plain;charset=UTF-8 hello', () => post('hello', {isAsync: false}));
kind('XHR POST urlencoded', 'POST application/x-www-form-urlencoded;charset=UTF-8 a=b', () => post(new URLSearchParams({a: 'b'})));
kind('XHR POST JSON', 'POST application/json {"a":1}',
  () => post('{"a":1}', {prepare: request => request.setRequestHeader('Content-Type', 'application/json')}));
kind('XHR POST ArrayBuffer', 'POST - 70000 octets', () => post(new Uint8Array(70000)));
kind('XHR POST document', 'POST application/xml;charset=UTF-8 <root/>', () => post(new DOMParser().parseFromString('<root/>', 'text/xml')));
kind('XHR POST FormData', `POST multipart/form-data; boundary=B ${part('a', 'b')}--B--|`, () => post(form(['a', 'b'])));
kind('XHR POST FormData with a file', `POST multipart/form-data; boundary=B ${filePart}--B--|`, () => post(form(['file', file])));
kind('XHR POST Blob', 'POST text/x in a blob', () => post(new Blob(['in a blob'], {type: 'text/x'})));
kind('XHR POST Blob, synchronous', 'POST text/x in a blob', () => post(new Blob(['in a blob'], {type: 'text/x'}), {isAsync: false}));
kind('XHR POST Blob of bytes, synchronous', 'POST text/x in a blob',
  () => post(new Blob([new TextEncoder().encode('in a blob')], {type: 'text/x'}), {isAsync: false}));
kind('XHR POST, upload events', 'loadstart load 70000', async () => {
  const seen = [];
  let loaded;
  await post(new Uint8Array(70000), {prepare: request => {
    for (const name of ['loadstart', 'load']) request.upload.addEventListener(name, event => { seen.push(name); loaded = event.loaded; });
  }});
  return `${seen.join(' ')} ${loaded}`;
});
kind('XHR POST JSON, other origin', 'POST application/json {}; OPTIONS POST', async () => {
  const id = unique();
  const request = await xhr('POST', `${cdn}/echo?allow=any&grant&id=${id}`, {
    body: '{}', prepare: made => made.setRequestHeader('Content-Type', 'application/json'),
  });
  return `${upload(JSON.parse(request.responseText))}; ${await methods(id)}`;
});
kind('XHR PUT, synchronous, preflight refused', 'error; OPTIONS', async () => {
  const id = unique();
  const result = await xhr('PUT', `${cdn}/echo?allow=any&id=${id}`, {body: 'hello', isAsync: false}).then(() => 'loaded', error => error.name);
  return `${result}; ${await methods(id)}`;
});
