// Prints the folders of this repository that a service needs to run: its own folder and, transitively, the folders of
// the packages that it uses. `devDependencies`, which only tests and tools need, are left out. Usage: parts.mjs
// ticketing
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const manifests = new Map(
  globSync('{packages,services}/*/package.json').map((path) => {
    const { name, dependencies = {} } = JSON.parse(readFileSync(path, 'utf8'));
    return [name, { folder: dirname(path), dependencies: Object.keys(dependencies) }];
  }),
);

const parts = new Set();
function add(name) {
  const found = manifests.get(name);
  if (!found || parts.has(found.folder)) return;
  parts.add(found.folder);
  found.dependencies.forEach(add);
}
add(`@beltway/${process.argv[2]}`);
console.log([...parts].join('\n'));
