import {
  MAX_PASSKEYS,
  Passkey,
  PasskeyOptions,
  Passkeys,
  type AddPasskeyBody,
} from '@beltway/contracts/identity/passkeys';
import type { PasswordBody } from '@beltway/contracts/identity/credentials';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useEffect, useEffectEvent } from 'react';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { del, explain, HttpError, patch, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { loginByPasskey } from '../../lib/session/sign-in.ts';
import { welcome } from './api.ts';
import { texts } from './texts.en.ts';

/** GET /api/auth/passkeys */
export const passkeysQuery = () => apiQuery(Passkeys, '/api/auth/passkeys');

/**
 * Whether this browser supports passkeys at the page's host. Passkeys work on domain names and `localhost`, but not on
 * `127.0.0.1` (docs/decisions/0093).
 */
export const canPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Loads the library when a passkey is first used. */
const webAuthn = async () => (loaded = await import('./webauthn.ts'));
let loaded: typeof import('./webauthn.ts') | undefined;

const inList = (queries: QueryClient, change: (items: Passkey[]) => Passkey[]) =>
  queries.setQueryData(passkeysQuery().queryKey, (before) => before && { items: change(before.items) });

/**
 * Requests the creation options with the password, has the browser create a passkey, and adds it to the account.
 * Rejects with HttpError 400 for the field `password` or `name`, HttpError 409 with the reason, or the browser's error
 * (see `explainPasskey`).
 */
export function useAddPasskey(onDone: (added: Passkey) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const options = await post('/api/auth/passkeys/options', { password }, PasskeyOptions);
      const { startRegistration } = await webAuthn();
      const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
      const credential = await startRegistration({ optionsJSON });
      return post('/api/auth/passkeys', { name, credential } satisfies AddPasskeyBody, Passkey);
    },
    onSuccess: (added) => {
      inList(queries, (items) => [...items.filter(({ id }) => id !== added.id), added].slice(-MAX_PASSKEYS));
      onDone(added);
    },
  });
}

/** PATCH /api/auth/passkeys/{id} */
export function useRenamePasskey(id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => patch(`/api/auth/passkeys/${id}`, { name }, Passkey),
    onSuccess: (now) => {
      inList(queries, (items) => items.map((one) => (one.id === now.id ? now : one)));
      onDone();
    },
    // Reloads the list, because the passkey may have been removed elsewhere.
    onError: () => queries.invalidateQueries({ queryKey: passkeysQuery().queryKey }),
  });
}

/** DELETE /api/auth/passkeys/{id}. Rejects with HttpError 400 for the field `password`, or 409 with the reason. */
export function useRemovePasskey(id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordBody) => del(`/api/auth/passkeys/${id}`, undefined, { body }),
    onSuccess: () => {
      inList(queries, (items) => items.filter((one) => one.id !== id));
      onDone();
    },
  });
}

/**
 * Signs a challenge with a passkey that the visitor chooses in the browser's dialog or, if `inList`, in the browser's
 * autofill list, which waits for a choice. Returns undefined if the browser has no autofill list, or if `isOver`
 * reports that the result is no longer needed.
 */
async function signed(inList: boolean, isOver = () => false): Promise<AuthenticationResponseJSON | undefined> {
  if (inList && !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined;
  const options = await post('/api/auth/login/passkey/options', {}, PasskeyOptions, { session: false });
  const { startAuthentication } = await webAuthn();
  if (isOver()) return undefined;
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: inList });
}

/**
 * Signs in with a passkey that the visitor chose in the autofill list; without one, opens the browser's dialog. Rejects
 * like `useAddPasskey`, or with HttpError 401 `passkey-refused`.
 */
export const useLoginByPasskey = () =>
  useMutation({
    mutationFn: async (chosen: AuthenticationResponseJSON | undefined) =>
      loginByPasskey(chosen ?? (await signed(false))),
    onSuccess: () => welcome(textsNow(texts)('welcomeBack')),
  });

/**
 * Challenges are renewed after this time, because they expire after five minutes
 * (services/identity/PRODUCT.md#passkeys).
 */
const RENEW_MS = 4 * 60_000;

/**
 * Lists passkeys in the autofill of the field with `autocomplete="… webauthn"`, except while a sign-in is in progress.
 * Failures are not shown, because the visitor did not ask for the list. Failures of the sign-in button are shown.
 */
export function usePasskeysInList({ isPending, submittedAt, mutate }: ReturnType<typeof useLoginByPasskey>): void {
  const signIn = useEffectEvent(mutate);
  useEffect(() => {
    if (isPending || !canPasskeys()) return;
    let isOver = false;
    let offeredAt = 0;
    const offer = () => {
      if (document.hidden || Date.now() - offeredAt < RENEW_MS) return;
      offeredAt = Date.now();
      signed(true, () => isOver).then(
        (chosen) => chosen && !isOver && signIn(chosen),
        () => undefined,
      );
    };
    offer();
    const timer = setInterval(offer, 15_000);
    document.addEventListener('visibilitychange', offer);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', offer);
    };
    // `submittedAt` restarts the list after an attempt that ended before React rendered it as pending.
  }, [isPending, submittedAt]);
  // Stops the list when the page is left. Otherwise the browser would still list passkeys on the next page.
  useEffect(() => () => loaded?.WebAuthnAbortService.cancelCeremony(), []);
}

/** Explains the error in a sentence, based on the error's name in the browser. */
export function explainPasskey(error: unknown): string {
  const name = error instanceof Error && !(error instanceof HttpError) ? error.name : '';
  const t = textsNow(texts);
  // The dialog timed out or was canceled, or there is no passkey for this site. Browsers do not reveal which.
  if (name === 'NotAllowedError' || name === 'AbortError') return t('passkeyCanceled');
  if (name === 'InvalidStateError') return t('passkeyKnown');
  if (name === 'ConstraintError' || name === 'NotSupportedError') return t('passkeyNeedsLock');
  if (name === 'SecurityError') return t('passkeyNotHere');
  return explain(error);
}
