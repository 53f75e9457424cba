// Run before start, dev, test and check. Makes a fresh clone ready: packages, generated clients and, with --browser, Chromium, nginx and ffmpeg for tests.
// Plain JavaScript for Node 20 without packages, because this is what installs them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../chromium.mjs';
import { whatIsMissing } from './complete.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const windows = process.platform === 'win32';
const say = (text) => console.log(`setup: ${text}`);
const fail = (text) => {
  console.error(`setup: ${text}`);
  process.exit(1);
};
const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// Prisma would download an engine that only its own migrations need; any program that exists spares it.
const offline = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};

const lockfile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');

/** Git gives files new times without changing them; what counts is whether the versions are those of the lockfile. */
function sameVersions() {
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !path.includes('node_modules/')) return true;
    const there = present[path];
    if (!there) return entry.optional || entry.devOptional || entry.peer;
    return there.version === entry.version && there.integrity === entry.integrity && !!there.link === !!entry.link;
  });
}

function packagesAreIn() {
  if (!existsSync(installed)) return false;
  if (changed(installed) >= changed(lockfile)) return true;
  if (!sameVersions()) return false;
  utimesSync(installed, new Date(), new Date());
  return true;
}

function install() {
  const started = Date.now();
  say('installing packages with `npm ci`; about a minute or two the first time');
  const result = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...offline },
    shell: windows,
  });
  if (result.status !== 0) fail('`npm ci` failed; its message is above. Run it by hand, then try again.');
  utimesSync(installed, new Date(), new Date());
  say(`packages are installed (${Math.round((Date.now() - started) / 1000)} s)`);
}

/** Folders with a Prisma schema that asks for a client. */
const withClient = () =>
  readdirSync(join(root, 'services'))
    .map((name) => join('services', name))
    .filter((folder) => {
      const schema = join(root, folder, 'prisma', 'schema.prisma');
      return existsSync(schema) && /^generator /m.test(readFileSync(schema, 'utf8'));
    });

const clientOf = (folder) => join(root, folder, 'src', 'generated', 'prisma', 'client.ts');

/** Folders whose generated Prisma client is missing or older than its schema. */
const staleClients = () =>
  withClient().filter((folder) => changed(join(root, folder, 'prisma', 'schema.prisma')) > changed(clientOf(folder)));

function generate(name) {
  const own = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  const prisma = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  return new Promise((resolve) => {
    const child = spawn(
      existsSync(own) ? own : process.execPath,
      [prisma, 'generate', '--schema', 'prisma/schema.prisma'],
      {
        cwd: join(root, name),
        env: { ...process.env, ...offline },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => fail(`cannot generate the database client of ${name}: ${error.message}`));
    child.on('close', (code) => {
      const client = clientOf(name);
      if (code !== 0 || !existsSync(client)) fail(`cannot generate the database client of ${name}:\n${output}`);
      utimesSync(client, new Date(), new Date());
      resolve();
    });
  });
}

async function generateAll(names) {
  const queue = [...names];
  const worker = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) await generate(name);
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));
  say(`generated the database clients of ${names.join(', ')}`);
}

const attempt = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env }, shell: windows }).status === 0;
const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
function installDebian(...packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  attempt('apt-get', ['update', '-q'], env);
  attempt('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], env);
}

/** What live streams are taken in with. Without them the tests of it test what is said then. */
const MEDIA_SERVER = ['nginx-light', 'libnginx-mod-rtmp', 'ffmpeg'];
const lacksMediaServer = () =>
  canInstall() &&
  !['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_rtmp_module.so', '/usr/bin/ffmpeg'].every((file) =>
    existsSync(file),
  );

function installChromium() {
  const found = () => findChromium() !== undefined;
  if (process.env.CHROME_PATH) fail(`CHROME_PATH is ${process.env.CHROME_PATH}, and there is no such file`);
  say('no Chromium found for the browser tests, installing one; about a minute');
  // Debian's package brings the system libraries with it, Playwright's download does not.
  if (canInstall())
    for (const name of ['chromium-headless-shell', 'chromium']) {
      installDebian(name, ...MEDIA_SERVER);
      if (found()) return;
    }
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js');
  attempt(process.execPath, [playwright, 'install', 'chromium'], { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' });
  if (!found()) fail('could not install Chromium. Install it or Google Chrome by hand, or set CHROME_PATH to one.');
}

/** Two npm scripts of one clone may begin at once; only one of them installs, the other waits for it. */
async function alone(work) {
  const lock = join(root, '.cache', 'setup.lock');
  mkdirSync(dirname(lock), { recursive: true });
  const holderLives = () => {
    try {
      process.kill(Number(readFileSync(lock, 'utf8')), 0);
      return true;
    } catch (error) {
      return error.code === 'EPERM';
    }
  };
  for (const deadline = Date.now() + 600_000; ;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!holderLives() || Date.now() > deadline) rmSync(lock, { force: true });
      else await pause(200);
    }
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  await work();
}

/** An interrupted or forbidden install script leaves packages that look installed. */
function checkPackages() {
  const missing = whatIsMissing(root);
  if (missing) fail(missing);
}

const wantsBrowser = process.argv.includes('--browser');
const lacksPrograms = () => wantsBrowser && (!findChromium() || lacksMediaServer());
if (!packagesAreIn() || staleClients().length > 0 || lacksPrograms()) {
  await alone(async () => {
    if (!packagesAreIn()) install();
    checkPackages();
    const stale = staleClients();
    if (stale.length > 0) await generateAll(stale);
    if (wantsBrowser && !findChromium()) installChromium();
    if (wantsBrowser && lacksMediaServer()) installDebian(...MEDIA_SERVER);
  });
}
checkPackages();
