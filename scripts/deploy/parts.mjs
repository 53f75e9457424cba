// Prints the folders of this repository that a service needs to run: its own, and those of the packages that it depends on, however
// far. What is there for tests and tools alone (`devDependencies`) is left out. Usage: parts.mjs ticketing
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
