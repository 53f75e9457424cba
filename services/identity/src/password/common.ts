import { readFileSync } from 'node:fs';
import { holds, plainOf } from './breached.ts';

let breached: Buffer | undefined;

/** Read with the first registration: 250 KB that a start does not need. */
const isBreached = (plain: string): boolean =>
  holds((breached ??= readFileSync(new URL('./breached-passwords.bin', import.meta.url))), plain);

/** True for what is tried first: passwords of breaches, our own name, and the account's own name or address. */
export function isCommon(password: string, { email, name }: { email: string; name: string }): boolean {
  const plain = plainOf(password);
  const own = [email, email.split('@')[0], name, name.replaceAll(' ', '')].map((text) => text?.toLowerCase());
  return isBreached(plain) || /^beltway\d*!?$/.test(plain) || own.includes(plain) || new Set(plain).size < 3;
}
