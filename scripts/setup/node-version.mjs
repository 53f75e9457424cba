/**
 * The oldest releases that can install the packages, by major version. These limits are the limits of Prisma's own
 * install script, and equal `engines` in package.json.
 */
const OLDEST = { 20: 19, 22: 12 };

/**
 * The reason why this Node cannot install the packages, or undefined. Everything else runs on Node 24, which is one of
 * the packages.
 */
export function whyTooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  const fits = major >= 24 || (major in OLDEST && minor >= OLDEST[major]);
  if (fits) return undefined;
  return (
    'Node ' +
    version +
    ' cannot install the packages. It takes Node 20.19 or newer, 22.12 or newer, or 24: https://nodejs.org/en/download'
  );
}
