import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Kilobytes of compressed JavaScript; docs/architecture.md#the-page. */
const LIMIT_KB = 180;
const dist = join(import.meta.dirname, '../dist');
const assets = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));

/** A page's own chunk and all it imports at once; what it imports later (`import()`) does not count. */
function reach(files: string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const code = readFileSync(join(dist, 'assets', file), 'utf8');
    const imports = [...code.matchAll(/(?:\bfrom|\bimport)\s*["`']\.\/([\w.-]+\.js)["`']/g)].map(
      ([, name]) => name ?? '',
    );
    reach(imports, seen);
  }
  return seen;
}

const html = readFileSync(join(dist, 'index.html'), 'utf8');
const entry = [...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].map(([, name]) => name ?? '');
const chunk = (name: string) => assets.filter((file) => file.startsWith(`${name}-`));
// The live connection is loaded by itself on the home page, a moment later: it counts.
const socket = assets.filter((file) => /^(esm|socket)/.test(file));
const files = [...reach([...entry, ...chunk('home'), ...socket])];
const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(join(dist, 'assets', file))).length }));
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;

for (const { file, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes))
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} KB  ${file}`);
console.log(`${total.toFixed(1).padStart(7)} KB  first load of the home page, gzip (limit ${LIMIT_KB})`);
if (total > LIMIT_KB) process.exitCode = 1;
