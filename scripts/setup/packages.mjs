// Finds out which packages of the lockfile are installed, and how many. Plain JavaScript without packages.
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockfileOf = (root) => join(root, 'package-lock.json');
/** npm's list of installed packages. */
const installedOf = (root) => join(root, 'node_modules', '.package-lock.json');

const packagesIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined);
const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isOurs = (path) => !path.includes('node_modules/');
const isForDevelopment = ({ dev }) => dev === true;
/**
 * Whether a list of package.json allows a value: `["linux", "darwin"]`, `"linux"` or `["!win32"]`. Without a list
 * everything is allowed.
 */
function allows(list, value) {
  const all = [list ?? []].flat();
  return all.length === 0 || (all[0].startsWith('!') ? !all.includes(`!${value}`) : all.includes(value));
}
/**
 * Whether a package is for this machine. Optional packages without `os` are WebAssembly builds, a fallback for native
 * ones.
 */
const fits = ({ os, cpu, libc, optional }, { platform, arch }) =>
  allows(os, platform) && allows(cpu, arch) && allows(libc, 'glibc') && !(optional && !os);

/** Whether a package that only development needs is installed. */
export function hasDevelopment(root) {
  return Object.entries(packagesIn(installedOf(root)) ?? {}).some(([path, entry]) => !isOurs(path) && entry.dev);
}

/**
 * The marker that an interrupted install into an existing folder leaves behind. With the marker, packages may lack
 * files.
 */
const unfinishedOf = (root) => join(root, 'node_modules', '.unfinished');
export const markInstalling = (root) => writeFileSync(unfinishedOf(root), '');
/** Removes the marker when npm has ended, because npm itself undoes a failed install. */
export const markEnded = (root) => rmSync(unfinishedOf(root), { force: true });

/** Whether no install has ended here, or the last one was interrupted. */
export const isFresh = (root) => !existsSync(installedOf(root)) || existsSync(unfinishedOf(root));

/** Makes npm's list newer than the lockfile, because Git may update the lockfile's time without changing it. */
export const markInstalled = (root) => utimesSync(installedOf(root), new Date(), new Date());

/**
 * Whether the installed versions equal the versions in the lockfile: for the packages that a start needs, or with `dev`
 * for all packages.
 */
export function isInstalled(root, { dev }) {
  if (isFresh(root)) return false;
  const present = packagesIn(installedOf(root));
  return Object.entries(packagesIn(lockfileOf(root))).every(([path, entry]) => {
    if (isOurs(path) || (!dev && isForDevelopment(entry))) return true;
    const there = present[path];
    // The package is for other machines, or `--omit=optional` left it out.
    if (!there) return entry.optional === true || entry.peer === true || entry.os !== undefined;
    return there.version === entry.version && there.integrity === entry.integrity && !!there.link === !!entry.link;
  });
}

/**
 * Whether the packages that a start needs are installed. Does not read both lists if the lockfile has not changed since
 * the last check.
 */
export function isReadyToStart(root) {
  if (isFresh(root)) return false;
  if (changed(installedOf(root)) >= changed(lockfileOf(root))) return true;
  if (!isInstalled(root, { dev: false })) return false;
  markInstalled(root);
  return true;
}

/** The folders of the packages that an install creates on this machine. */
export function foldersToInstall(root, { dev }, machine = process) {
  return Object.entries(packagesIn(lockfileOf(root)))
    .filter(
      ([path, entry]) => !isOurs(path) && !entry.link && (dev || !isForDevelopment(entry)) && fits(entry, machine),
    )
    .map(([path]) => path);
}

/** Number of folders that have their package. npm creates all folders first, and fills them as packages arrive. */
export const countInstalled = (root, folders) =>
  folders.filter((folder) => existsSync(join(root, folder, 'package.json'))).length;
