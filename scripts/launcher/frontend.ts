import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { root } from './settings.ts';
import { StartError } from './start-error.ts';

const folder = join(root, 'frontend');
export const frontendDir: string = join(folder, 'dist');
/** Packages of this repository that the page imports. */
const packages = ['contracts', 'places'].map((name) => join(root, 'packages', name, 'src'));
const digestFile = join(frontendDir, '.sources');
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Files that are not part of the page: dependencies, build output, tests. */
const OTHERS = /[/\\](node_modules|dist|\.cache|testing)[/\\]|\.test\.tsx?$/;

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => !OTHERS.test(relative(root, file)));
}

/** A digest of everything that the built page depends on. */
async function sourcesDigest(): Promise<string> {
  const below = await Promise.all([folder, ...packages].map(filesBelow));
  const files = [...below.flat(), join(root, 'package-lock.json')].sort();
  const hash = createHash('sha256');
  // Reads one file at a time, because reading them concurrently would keep all of them in memory.
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Builds the page if its sources have changed since the last build. Several copies may build concurrently. */
export async function buildFrontend(say: (text: string) => void): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  const digest = await sourcesDigest();
  const built = existsSync(digestFile) ? readFileSync(digestFile, 'utf8') : '';
  if (built === digest) return;
  say('building the frontend, its sources changed since the last time');
  const fresh = join(root, '.cache', `frontend-${process.pid}`);
  const old = `${fresh}-old`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(root, '.cache'), { recursive: true });
  await run([vite, 'build', '--mode', 'quick', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']);
  writeFileSync(join(fresh, '.sources'), digest);
  try {
    if (existsSync(frontendDir)) renameSync(frontendDir, old);
    renameSync(fresh, frontendDir);
  } catch (error) {
    // Another copy finished the same build first.
    if (!existsSync(digestFile)) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new StartError(`The frontend does not build:\n${output}`)),
    );
  });
}

/** For `--dev`: vite's server, which proxies every request except those for the page to the gateway. */
export const viteFor = (port: number): { entry: string; args: string[] } => ({
  entry: vite,
  args: ['--port', String(port), '--strictPort'],
});
