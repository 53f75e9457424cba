// Runs before the npm scripts to prepare a fresh clone: installs what a start needs, with `--dev` also what tests and
// development need, with `--browser` also Chromium, nginx and ffmpeg for tests. It removes nothing. Plain JavaScript
// for Node 20 without packages, because it installs them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../chromium.mjs';
import { classOf, discard, sign, staleClients, staleTables, typesOf } from './clients.mjs';
import { nodeOf, whatIsMissing } from './complete.mjs';
import {
  countInstalled,
  foldersToInstall,
  hasDevelopment,
  isFresh,
  isInstalled,
  isReadyToStart,
  markEnded,
  markInstalled,
  markInstalling,
} from './packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const windows = process.platform === 'win32';
const say = (text) => console.log(`setup: ${text}`);
const fail = (text) => {
  console.error(`setup: ${text}`);
  process.exit(1);
};

// Prisma would download an engine that only its own migrations need. Setting the engine's path to any existing program
// prevents the download.
const offline = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};

/** Resolves with the exit code. Also returns the output, unless the output is printed to the terminal. */
function run(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, env: { ...process.env, ...offline } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** First interval between two lines of progress; later intervals are a quarter of the elapsed time. */
const FIRST_LINE_MS = 4_000;

/**
 * Installs packages. A fresh clone gets exactly the versions of the lockfile; later installs add missing packages,
 * based on the same lockfile.
 */
async function install(dev) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const folders = foldersToInstall(root, { dev });
  const fresh = isFresh(root);
  say(
    fresh
      ? `installing ${folders.length} packages with \`npm ci\`, which takes half a minute or more`
      : `installing missing packages: ${countInstalled(root, folders)} of ${folders.length} are there`,
  );
  let timer;
  const report = () => {
    const count = countInstalled(root, folders);
    const done = count === 0 ? 'looking up versions' : `${count} of ${folders.length} packages`;
    say(`${done} (${seconds()} s)`);
    timer = setTimeout(report, Math.max(FIRST_LINE_MS, (Date.now() - started) / 4));
  };
  timer = setTimeout(report, FIRST_LINE_MS);
  if (!fresh) markInstalling(root);
  const args = [...(fresh ? ['ci'] : ['install', '--no-save']), ...(dev ? [] : ['--omit=dev'])];
  const { code, output } = await run('npm', [...args, '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: windows,
  });
  clearTimeout(timer);
  markEnded(root);
  if (code !== 0) fail(`\`npm ${args.join(' ')}\` failed:\n${output}\nRun \`npm ci\` by hand, then try again.`);
  markInstalled(root);
  say(`packages are installed (${seconds()} s)`);
}

async function generate(name) {
  const own = nodeOf(root);
  const prisma = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  discard(root, name);
  const { code, output } = await run(
    existsSync(own) ? own : process.execPath,
    [prisma, 'generate', '--schema', 'prisma/schema.prisma'],
    { cwd: join(root, name), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  if (code !== 0 || ![classOf(root, name), typesOf(root, name)].every((file) => existsSync(file)))
    fail(`cannot generate the database client of ${name}:\n${output}`);
  sign(root, name);
}

async function generateTables(names) {
  const script = join(root, 'scripts', 'setup', 'tables.ts');
  const { code, output } = await run(nodeOf(root), [script, ...names], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (code !== 0) fail(`cannot generate tables:\n${output}`);
  say(`generated the tables of ${names.join(', ')}`);
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

/**
 * Programs that receive live streams. If they are missing, the tests of live streams check only the message about the
 * missing programs.
 */
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
  // Debian's package also installs the system libraries that Chromium needs; Playwright's download does not.
  if (canInstall())
    for (const name of ['chromium-headless-shell', 'chromium']) {
      installDebian(name, ...MEDIA_SERVER);
      if (found()) return;
    }
  const playwright = join(root, 'node_modules', 'playwright-core', 'cli.js');
  attempt(process.execPath, [playwright, 'install', 'chromium'], { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' });
  if (!found()) fail('could not install Chromium. Install it or Google Chrome by hand, or set CHROME_PATH to one.');
}

/**
 * Runs work under a lock: two npm scripts of one clone may start concurrently. One of them installs, and the other
 * waits.
 */
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

/** Fails if an interrupted or disabled install script has left incomplete packages, which look installed. */
function checkPackages() {
  const missing = whatIsMissing(root);
  if (missing) fail(missing);
}

const wantsBrowser = process.argv.includes('--browser');
const asked = wantsBrowser || process.argv.includes('--dev');
const changedHere = asked ? [] : [...new Set([...staleClients(root, { types: false }), ...staleTables(root)])];
if (changedHere.length > 0)
  say(`the schema of ${changedHere.join(', ')} has changed, so packages for development are needed`);
const dev = asked || changedHere.length > 0;
// npm's list of installed packages does not distinguish missing optional packages from packages that were left out on
// purpose.
const packagesAreIn = () => (dev ? isInstalled(root, { dev }) : isReadyToStart(root)) && !whatIsMissing(root);
const clientsToMake = () => (dev ? staleClients(root, { types: true }) : []);
const tablesToMake = () => (dev ? staleTables(root) : []);
const lacksPrograms = () => wantsBrowser && (!findChromium() || lacksMediaServer());
if (!packagesAreIn() || clientsToMake().length > 0 || tablesToMake().length > 0 || lacksPrograms()) {
  await alone(async () => {
    if (!packagesAreIn()) await install(dev || hasDevelopment(root));
    checkPackages();
    const stale = clientsToMake();
    if (stale.length > 0) await generateAll(stale);
    const tables = tablesToMake();
    if (tables.length > 0) await generateTables(tables);
    if (wantsBrowser && !findChromium()) installChromium();
    if (wantsBrowser && lacksMediaServer()) installDebian(...MEDIA_SERVER);
  });
}
checkPackages();
