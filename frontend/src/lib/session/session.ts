import { Session } from '@beltway/contracts/identity/accounts';
import type { LoginBody, RegisterBody } from '@beltway/contracts/identity/credentials';
import { LoginAnswer } from '@beltway/contracts/identity/accounts';
import type { LoginCodeBody } from '@beltway/contracts/identity/totp';
import { useSyncExternalStore } from 'react';
import { drafts } from '../storage/drafts.ts';
import { post } from '../http/http.ts';
import { sessionStore, type CurrentSession } from '../storage/session-store.ts';

/** Who is signed in; follows sign-in and sign-out in other tabs. */
export function useSession(): CurrentSession {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

/** POST /api/auth/login: a session, or that a code is needed. Rejects with HttpError 401 for wrong credentials, 429 when tried too often. */
export async function login(body: LoginBody): Promise<LoginAnswer> {
  const said = await post('/api/auth/login', body, LoginAnswer, { session: false });
  return 'token' in said ? begin(said) : said;
}

/** POST /api/auth/login/code. Rejects with HttpError 400 at `code`, or `challenge-invalid`; 429. */
export async function loginByCode(body: LoginCodeBody): Promise<Session> {
  return begin(await post('/api/auth/login/code', body, Session, { session: false }));
}

/** POST /api/auth/login/passkey. Rejects with HttpError 401 `passkey-refused`. */
export async function loginByPasskey(credential: unknown): Promise<Session> {
  return begin(await post('/api/auth/login/passkey', { credential }, Session, { session: false }));
}

/** POST /api/auth/register. Rejects with HttpError 409 for a known email, 400 with field errors. */
export async function register(body: RegisterBody): Promise<Session> {
  return begin(await post('/api/auth/register', body, Session, { session: false }));
}

/** Ends the session on this device at once, also when the server cannot be reached. */
export async function logout(): Promise<void> {
  const { token } = sessionStore.get();
  if (!token) return;
  const told = post('/api/auth/logout', undefined, undefined, { session: false });
  forgetSession();
  await told.catch(() => undefined);
}

/** The server has ended the session already: nothing of it stays in this browser. */
export function forgetSession(): void {
  sessionStore.clear();
  drafts.dropAll();
}

function begin(session: Session): Session {
  sessionStore.set(session);
  return session;
}
