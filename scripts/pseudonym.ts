import { isIP } from 'node:net';
import { network } from '@beltway/kit/network';
import { pseudonym } from '@beltway/kit/security-log';
import { dataDirOf } from './launcher/settings.ts';
import { secretsOf } from './launcher/secrets.ts';

/**
 * `npm run pseudonym -- 42 ann@example.org 203.0.113.7` prints the pseudonyms that the security log uses for an
 * account, an email address and a network (docs/operations/security-log.md). Uses INTERNAL_TOKEN, or the secrets of
 * DATA_DIR.
 */
const { INTERNAL_TOKEN: given } = process.env;
const secrets = (given || secretsOf(dataDirOf()).INTERNAL_TOKEN).split(',').map((one) => one.trim());
for (const of of process.argv.slice(2)) {
  const subject = isIP(of) ? network(of) : of.toLowerCase();
  console.log(`${of}: ${secrets.map((secret) => pseudonym([secret], subject)).join(' or ')}`);
}
