// Makes a clone ready. Written so that any Node with modules can read it, and say that it is too old.
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
