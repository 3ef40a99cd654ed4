// What scripts/check-libraries asks in a page; every answer is text, and has to be the same with Larder as without.

const answers = {}, large = new Uint8Array(2_500_000).map((_, index) => index * 7 % 251);
const ask = async (name, action) => {
  const late = new Promise(resolve => setTimeout(() => resolve('no answer'), 20_000));
  try {
    const answer = await Promise.race([action(), late]);
    answers[name] = typeof answer === 'string' ? answer : JSON.stringify(answer);
  } catch (error) {
    answers[name] = `throws ${error.name}: ${error.message}`;
  }
};
const json = response => response.json();
const file = content => new File([content], 'name.bin', {type: 'a/b'});
const form = (...entries) => entries.reduce((form, [name, value]) => (form.append(name, value), form), new FormData());
const post = body => fetch('/echo', {method: 'POST', body}).then(json);
const xhr = (method, url, body, prepare = () => {}) => new Promise(resolve => {
  const request = new XMLHttpRequest(), seen = [];
  for (const name of ['loadstart', 'load', 'error', 'abort', 'timeout', 'loadend']) {
    request.addEventListener(name, () => seen.push(name));
    request.upload.addEventListener(name, () => seen.push(`upload ${name}`));
  }
  request.open(method, url);
  prepare(request);
  request.addEventListener('loadend', () => setTimeout(() => resolve(`${seen}; ${request.status} ${request.responseText}`), 0));
  request.send(body);
});
const later = action => setTimeout(action, 50);

await ask('fetch', () => fetch('/echo').then(json));
await ask('fetch with a field', () => fetch('/echo', {headers: {'X-Field': '1'}}).then(json));
await ask('fetch, string', () => post('hé'));
await ask('fetch, Blob', () => post(new Blob([large], {type: 'a/b'})));
await ask('fetch, form with a file', () => post(form(['a', 'b'], ['c', file('hello')])));
await ask('fetch, Request', () => fetch(new Request('/echo', {method: 'POST', body: new Blob(['x'])})).then(json));
await ask('fetch, redirect', () => fetch('/redirect').then(async response => [response.redirected, response.url, await response.text()]));
await ask('fetch, aborted', () => {
  const controller = new AbortController();
  later(() => controller.abort());
  return fetch('/never', {signal: controller.signal});
});
await ask('fetch, kind of promise', async () => {
  const promise = fetch('/echo'), is = promise instanceof Promise;
  await promise;
  return is;
});
await ask('fetch, bad address', () => fetch('http://[:'));
await ask('XHR', () => xhr('GET', '/echo'));
await ask('XHR, string', () => xhr('POST', '/echo', 'abc'));
await ask('XHR, Blob', () => xhr('POST', '/echo', new Blob([large])));
await ask('XHR, form with a file', () => xhr('POST', '/echo', form(['c', file(large)])));
await ask('XHR, time-out', () => xhr('GET', '/never', null, request => { request.timeout = 100; }));
await ask('XHR, aborted', () => xhr('GET', '/never', null, request => later(() => request.abort())));
await ask('XHR, handlers', () => new Promise(resolve => {
  const request = new XMLHttpRequest(), seen = [];
  request.onreadystatechange = () => seen.push(request.readyState);
  request.onload = () => setTimeout(() => resolve(seen.join()), 0);
  request.open('GET', '/echo');
  request.send();
}));
await ask('XHR, synchronous', async () => {
  const request = new XMLHttpRequest();
  request.open('POST', '/echo', false);
  request.send('text');
  return request.responseText;
});
await ask('axios', () => axios.get('/echo').then(({data}) => data));
await ask('axios, JSON', () => axios.post('/echo', {a: 1}).then(({data}) => data));
await ask('axios, form with a file', () => axios.postForm('/echo', {a: 'b', c: file('hello')}).then(({data}) => data));
await ask('axios, Blob with progress', async () => {
  const seen = [];
  const {data} = await axios.post('/echo', new Blob([large]), {onUploadProgress: ({loaded}) => seen.push(loaded)});
  return [seen.at(-1), seen.every((loaded, index) => index === 0 || loaded >= seen[index - 1]), data];
});
await ask('axios, time-out', () => axios.get('/never', {timeout: 100}));
await ask('axios, cancelled', () => {
  const controller = new AbortController();
  later(() => controller.abort());
  return axios.get('/never', {signal: controller.signal});
});
await ask('axios over fetch', () => axios.post('/echo', new Blob(['x']), {adapter: 'fetch'}).then(({data}) => data));
await ask('EventSource', () => new Promise(resolve => {
  const source = new EventSource('/events'), seen = [];
  source.onmessage = ({data}) => {
    if (seen.push(data) < 2) return;
    source.close();
    resolve(seen.join());
  };
}));
await ask('beacon', async () => navigator.sendBeacon('/echo', new Blob(['b'], {type: 'text/plain'})));
await ask('form in a frame', () => new Promise(resolve => {
  const frame = document.createElement('iframe'), element = document.createElement('form'), input = document.createElement('input');
  Object.assign(frame, {name: 'target', onload: () => {
    const text = frame.contentDocument?.body.textContent ?? '';
    if (text.includes('POST')) resolve(text);
  }});
  Object.assign(element, {action: '/echo', method: 'post', enctype: 'multipart/form-data', target: 'target'});
  Object.assign(input, {name: 'a', value: 'b'});
  element.append(input);
  document.body.append(frame, element);
  element.submit();
}));
const inZone = action => self.Zone ? Zone.current.fork({name: 'own'}).run(action) : Promise.resolve('no zone');
await ask('zone, fetch', () => inZone(() => fetch('/echo').then(() => Zone.current.name)));
await ask('zone, XHR', () => inZone(() => new Promise(resolve => {
  const request = new XMLHttpRequest();
  request.onload = () => resolve(Zone.current.name);
  request.open('GET', '/echo');
  request.send();
})));
await ask('what another patch heard', async () => self.heard ?? 'nothing');
return answers;
