import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PageBuild } from '@beltway/contracts/common/first-screen';

export interface LoadedFile {
  file: string;
  gzip: number;
  brotli: number;
}

/** Scripts that load automatically shortly after the home page's first screen: the live connection and the weather. */
const BY_ITSELF = /^(esm|realtime|weather-card)-/;

/**
 * The scripts that a built home page loads without interaction, largest first: the scripts in its HTML, the page's own
 * script, the scripts that load automatically, and their imports. Sizes are in bytes, compressed as served.
 */
export function firstLoad(dist: string): LoadedFile[] {
  const assets = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));
  const read = (file: string) => readFileSync(join(dist, 'assets', file));
  const files = new Set<string>();
  const take = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const code = read(file).toString();
    for (const [, next] of code.matchAll(/(?:\bfrom|\bimport)\s*["`']\.\/([\w.-]+\.js)["`']/g)) take(next!);
  };
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  for (const [, file] of html.matchAll(/\/assets\/([\w.-]+\.js)/g)) take(file!);
  const build = JSON.parse(readFileSync(join(dist, '.gateway', 'page.json'), 'utf8')) as PageBuild;
  for (const path of build.files['/'] ?? []) if (path.endsWith('.js')) take(path.replace('/assets/', ''));
  assets.filter((file) => BY_ITSELF.test(file)).forEach(take);
  return [...files]
    .map((file) => ({
      file,
      gzip: gzipSync(read(file), { level: 9 }).length,
      brotli: brotliCompressSync(read(file)).length,
    }))
    .toSorted((one, other) => other.gzip - one.gzip);
}
