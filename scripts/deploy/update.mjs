// Updates a Docker Compose server to the checked-out version: keeps the previous images as `:previous`, builds,
// migrates, replaces the instances one at a time, and finally runs the probe. An instance is stopped only when its
// successor is healthy. `--back` returns to `:previous`. Plain JavaScript without packages, because a server that only
// runs containers has no packages installed.
import { execFileSync, spawnSync } from 'node:child_process';

/** Services whose instances are replaced after their successors are healthy. */
const ROLLING = ['identity', 'catalog', 'payments', 'realtime', 'ticketing'];
/**
 * Services that publish a port, which two containers cannot share. Replacing them causes a pause of seconds, unless
 * there is a second gateway. The last two watch the others.
 */
const PAUSING = ['media', 'gateway', 'gateway-2', 'probe', 'engines'];
const IMAGES = [...ROLLING, 'media', 'gateway'];
const isBack = process.argv.includes('--back');

const git = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
const env = { ...process.env, REVISION: git.status === 0 ? git.stdout.trim() : 'unknown' };
const show = (...args) => execFileSync('docker', args, { env, encoding: 'utf8' }).trim();
const run = (...args) => void execFileSync('docker', args, { env, stdio: 'inherit' });
const has = (image) => spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status === 0;
const containersOf = (service) => show('compose', 'ps', '--quiet', service).split('\n').filter(Boolean);

/**
 * Keeps the current images as `:previous`. When going back, swaps the current and the previous images, so that a second
 * `--back` returns to the newer version.
 */
function keepImages() {
  const missing = IMAGES.map((service) => `beltway/${service}:previous`).find((image) => isBack && !has(image));
  if (missing) throw new Error(`There is no ${missing} to go back to`);
  for (const service of IMAGES) {
    const [image, previous] = [`beltway/${service}:latest`, `beltway/${service}:previous`];
    if (isBack) {
      run('tag', image, `beltway/${service}:swapped`);
      run('tag', previous, image);
      run('tag', `beltway/${service}:swapped`, previous);
      run('rmi', `beltway/${service}:swapped`);
    } else if (has(image)) run('tag', image, previous);
  }
}

function replace(service) {
  const old = containersOf(service);
  if (old.length === 0) return;
  console.log(`${service}: ${old.length} to replace`);
  const double = ['--wait', '--scale', `${service}=${2 * old.length}`, service];
  try {
    run('compose', 'up', '--detach', '--no-deps', '--no-recreate', ...double);
  } catch (error) {
    for (const container of containersOf(service)) if (!old.includes(container)) run('rm', '--force', container);
    throw error;
  }
  // Stops the old containers one after the other, so that callers notice each stop.
  for (const container of old) {
    run('stop', '--time', '40', container);
    run('rm', container);
  }
}

try {
  keepImages();
  if (!isBack) {
    run('compose', 'build');
    run('compose', 'up', '--detach', '--wait', 'postgres', 'kafka', 'redis', 's3');
    for (const service of [...ROLLING, 'media']) run('compose', 'run', '--rm', '-T', `migrate-${service}`);
  }
  for (const service of ROLLING) replace(service);
  // `compose ps` lists the services of a profile only while they run.
  for (const service of PAUSING)
    if (containersOf(service).length > 0) run('compose', 'up', '--detach', '--no-deps', '--wait', service);
  const probe = ['node', 'scripts/deploy/probe.ts', '--once'];
  run('compose', 'exec', '-T', '-e', 'BELTWAY_URL=http://127.0.0.1:3000', 'gateway', ...probe);
  console.log(isBack ? 'Back on the previous images' : `Updated to ${env.REVISION}`);
} catch (error) {
  console.error(error.message);
  if (!isBack) console.error('To go back: node scripts/deploy/update.mjs --back');
  process.exitCode = 1;
}
