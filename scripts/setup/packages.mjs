// Which packages are installed, and how many of those that the lockfile names. Plain JavaScript without packages.
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockfileOf = (root) => join(root, 'package-lock.json');
/** npm's own list of what it installed. */
const installedOf = (root) => join(root, 'node_modules', '.package-lock.json');

const packagesIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined);
const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isOurs = (path) => !path.includes('node_modules/');
const isForDevelopment = ({ dev }) => dev === true;
/** `["linux", "darwin"]`, `"linux"` or `["!win32"]`; without a list everything. */
function allows(list, value) {
  const all = [list ?? []].flat();
  return all.length === 0 || (all[0].startsWith('!') ? !all.includes(`!${value}`) : all.includes(value));
}
/** Optional packages that name no system are for WebAssembly, in place of what is there for this one. */
const fits = ({ os, cpu, libc, optional }, { platform, arch }) =>
  allows(os, platform) && allows(cpu, arch) && allows(libc, 'glibc') && !(optional && !os);

/** True while some package that only development needs is installed. */
export function hasDevelopment(root) {
  return Object.entries(packagesIn(installedOf(root)) ?? {}).some(([path, entry]) => !isOurs(path) && entry.dev);
}

/** Left behind by an install into an existing folder that was interrupted: packages may lack files. */
const unfinishedOf = (root) => join(root, 'node_modules', '.unfinished');
export const markInstalling = (root) => writeFileSync(unfinishedOf(root), '');
/** npm ended by itself: what failed, it has undone. */
export const markEnded = (root) => rmSync(unfinishedOf(root), { force: true });

/** Nothing to add to: no install has ended here, or the last one was interrupted. */
export const isFresh = (root) => !existsSync(installedOf(root)) || existsSync(unfinishedOf(root));

/** Git gives files new times without changing them; this makes the list newer than the lockfile. */
export const markInstalled = (root) => utimesSync(installedOf(root), new Date(), new Date());

/** Whether the installed versions are those of the lockfile: of packages that a start needs, or with `dev` of all. */
export function isInstalled(root, { dev }) {
  if (isFresh(root)) return false;
  const present = packagesIn(installedOf(root));
  return Object.entries(packagesIn(lockfileOf(root))).every(([path, entry]) => {
    if (isOurs(path) || (!dev && isForDevelopment(entry))) return true;
    const there = present[path];
    // Left out on other machines, or by `--omit=optional`.
    if (!there) return entry.optional === true || entry.peer === true || entry.os !== undefined;
    return there.version === entry.version && there.integrity === entry.integrity && !!there.link === !!entry.link;
  });
}

/** The same for a start, without reading both lists when the lockfile has not changed since. */
export function isReadyToStart(root) {
  if (isFresh(root)) return false;
  if (changed(installedOf(root)) >= changed(lockfileOf(root))) return true;
  if (!isInstalled(root, { dev: false })) return false;
  markInstalled(root);
  return true;
}

/** The folders of the packages that an install leaves on this machine. */
export function foldersToInstall(root, { dev }, machine = process) {
  return Object.entries(packagesIn(lockfileOf(root)))
    .filter(
      ([path, entry]) => !isOurs(path) && !entry.link && (dev || !isForDevelopment(entry)) && fits(entry, machine),
    )
    .map(([path]) => path);
}

/** How many of the folders have their package. npm makes all folders first, and fills them as packages arrive. */
export const countInstalled = (root, folders) =>
  folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length;
