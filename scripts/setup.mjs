// Prepares a clone. Every Node version with modules can parse this file, so that an old Node can report that it is too
// old.
import { whyTooOld } from './setup/node-version.mjs';

const why = whyTooOld(process.versions.node);
if (why) {
  console.error('setup: ' + why);
  process.exit(1);
}
import('./setup/main.mjs').catch((error) => {
  console.error(error);
  process.exit(1);
});
