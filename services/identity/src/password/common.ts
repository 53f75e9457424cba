import { readFileSync } from 'node:fs';
import { holds, plainOf } from './breached.ts';

let breached: Buffer | undefined;

/** Looks up a breached password. Reads the list at the first registration, because startup does not need its 250 KB. */
const isBreached = (plain: string): boolean =>
  holds((breached ??= readFileSync(new URL('./breached-passwords.bin', import.meta.url))), plain);

/**
 * True for the first guesses of an attacker: breached passwords, our own name, and the account's name or email address.
 */
export function isCommon(password: string, { email, name }: { email: string; name: string }): boolean {
  const plain = plainOf(password);
  const own = [email, email.split('@')[0], name, name.replaceAll(' ', '')].map((text) => text?.toLowerCase());
  return isBreached(plain) || /^beltway\d*!?$/.test(plain) || own.includes(plain) || new Set(plain).size < 3;
}
