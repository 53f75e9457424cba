import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { Role } from '@beltway/contracts/common/basics';
import { AUDIENCE, ISSUER, SIGNING_ALGORITHM } from '../http/auth.ts';
import { listen } from './testing.ts';

/** Keys are cached per process, because creating a key takes more processor time than creating a database. */
let keys: ReturnType<typeof makeKeys> | undefined;

async function makeKeys() {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM);
  return { jwk: { ...(await exportJWK(publicKey)), kid: 'test', alg: SIGNING_ALGORITHM, use: 'sig' }, privateKey };
}

/**
 * A minimal identity service for tests of other services. It serves a JWKS and no revocations, and signs tokens. All
 * instances share one key.
 */
export async function testIdentity() {
  const { jwk, privateKey } = await (keys ??= makeKeys());
  const server = createServer((req, res) => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(req.url?.includes('jwks') ? { keys: [jwk] } : { sessions: [], users: [] }));
  });
  const url = await listen(server);

  /** An access token as identity signs it. `claims` overrides claims, for example to make the token invalid. */
  const tokenFor = async (
    user: { id: number; role?: Role; name?: string; email?: string; isVerified?: boolean },
    claims: Record<string, unknown> = {},
  ) =>
    new SignJWT({
      sid: randomUUID(),
      role: user.role ?? 'user',
      name: user.name ?? `User ${user.id}`,
      email: user.email ?? `user${user.id}@example.test`,
      gen: 0,
      email_verified: user.isVerified ?? true,
      sub: String(user.id),
      iss: ISSUER,
      aud: AUDIENCE,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 900,
      ...claims,
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: 'test' })
      .sign(privateKey);

  return { url, tokenFor, close: () => new Promise((resolve) => server.close(resolve)) };
}
