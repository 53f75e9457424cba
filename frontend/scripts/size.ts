import { join } from 'node:path';
import { firstLoad } from './first-load.ts';

/** `node frontend/scripts/size.ts [folder]` lists the scripts that the home page in a built folder loads first. */
const files = firstLoad(process.argv[2] ?? join(import.meta.dirname, '../dist'));
const line = (gzip: number, brotli: number, name: string) =>
  console.log(`${[gzip, brotli].map((bytes) => (bytes / 1000).toFixed(1).padStart(7)).join('')}  ${name}`);
console.log('   gzip brotli  kB');
for (const { file, gzip, brotli } of files) line(gzip, brotli, file);
const sum = (of: 'gzip' | 'brotli') => files.reduce((total, file) => total + file[of], 0);
line(sum('gzip'), sum('brotli'), `first load of the home page, ${files.length} files`);
