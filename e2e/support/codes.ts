import { createHmac } from 'node:crypto';
import type { Session } from '@beltway/contracts/identity/accounts';
import type { TotpSetup } from '@beltway/contracts/identity/totp';
import type { Api } from './api.ts';

/** The authenticator's code for this key at `steps` × 30 seconds from now (RFC 6238). */
export function codeOf(key: string, steps = 0): string {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2))))
    .update(counter)
    .digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Turns codes on for an account that became an admin. Returns the authenticator key and a session with admin rights.
 */
export async function asAdminWithCodes(api: Api, login: { email: string; password: string }) {
  const { token } = await api.call<Session>('POST', '/api/auth/login', login);
  const { password } = login;
  const { secret } = await api.call<TotpSetup>('POST', '/api/auth/totp/setup', { password }, { token });
  await api.call('POST', '/api/auth/totp', { code: codeOf(secret) }, { token });
  const { challenge } = await api.call<{ challenge: string }>('POST', '/api/auth/login', login);
  const code = codeOf(secret, 1);
  return { secret, session: await api.call<Session>('POST', '/api/auth/login/code', { challenge, code }) };
}
