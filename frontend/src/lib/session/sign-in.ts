import type { LoginBody, RegisterBody } from '@beltway/contracts/identity/credentials';
import { LoginAnswer, Session } from '@beltway/contracts/identity/accounts';
import type { LoginCodeBody } from '@beltway/contracts/identity/totp';
import type { z } from 'zod';
import { post } from '../http/http.ts';
import { sessionStore } from '../storage/session-store.ts';
import { signedOut } from './session.ts';

const LONGEST_SIGN_OUT_MS = 5_000;

/**
 * Sends a sign-in after a sign-out that is under way, because the response to the sign-out deletes the session's cookie,
 * which would be the new session's.
 */
async function signIn<Answer>(path: string, body: unknown, schema: z.ZodType<Answer>): Promise<Answer> {
  await Promise.race([signedOut(), new Promise((resolve) => setTimeout(resolve, LONGEST_SIGN_OUT_MS))]);
  return post(path, body, schema, { session: false });
}

/**
 * POST /api/auth/login: a session, or a request for a code. Rejects with HttpError 401 for wrong credentials, 429 for
 * too many tries.
 */
export async function login(body: LoginBody): Promise<LoginAnswer> {
  const said = await signIn('/api/auth/login', body, LoginAnswer);
  return 'token' in said ? begin(said) : said;
}

/** POST /api/auth/login/code. Rejects with HttpError 400 for the field `code`, 400 `challenge-invalid`, or 429. */
export async function loginByCode(body: LoginCodeBody): Promise<Session> {
  return begin(await signIn('/api/auth/login/code', body, Session));
}

/** POST /api/auth/login/passkey. Rejects with HttpError 401 `passkey-refused`. */
export async function loginByPasskey(credential: unknown): Promise<Session> {
  return begin(await signIn('/api/auth/login/passkey', { credential }, Session));
}

/** POST /api/auth/register. Rejects with HttpError 409 if the email address has an account, 400 with field errors. */
export async function register(body: RegisterBody): Promise<Session> {
  return begin(await signIn('/api/auth/register', body, Session));
}

function begin(session: Session): Session {
  sessionStore.set(session);
  return session;
}
