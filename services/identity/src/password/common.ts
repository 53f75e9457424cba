import { readFileSync } from 'node:fs';

let common: Set<string> | undefined;

/** Read with the first registration: 30 KB that a start does not need. */
function commonPasswords(): Set<string> {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return (common ??= new Set(text.split('\n').filter((line) => line && !line.startsWith('#'))));
}

/** True for what is tried first: the commonest passwords, our own name, and the account's own name or address. */
export function isCommon(password: string, { email, name }: { email: string; name: string }): boolean {
  const plain = password.normalize('NFKC').toLowerCase().trim();
  const own = [email, email.split('@')[0], name, name.replaceAll(' ', '')].map((text) => text?.toLowerCase());
  return commonPasswords().has(plain) || /^beltway\d*!?$/.test(plain) || own.includes(plain) || new Set(plain).size < 3;
}
