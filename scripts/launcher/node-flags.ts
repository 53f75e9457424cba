import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.ts';

const flagsIn = (file: string): string[] =>
  existsSync(join(root, file)) ? (readFileSync(join(root, file), 'utf8').match(/^--.+$/gm) ?? []) : [];

/**
 * Node's flags for a service: the common flags, then its own. A later flag overrides an earlier one. Images use the
 * same flags (`entrypoint.sh`).
 */
export const nodeFlags = (service: string): string[] =>
  ['scripts/launcher/node-flags.txt', `services/${service}/node-flags.txt`].flatMap(flagsIn);
