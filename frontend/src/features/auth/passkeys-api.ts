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
import { loginByPasskey } from '../../lib/session/session.ts';
import { welcome } from './api.ts';
import { texts } from './texts.en.ts';

/** GET /api/auth/passkeys */
export const passkeysQuery = () => apiQuery(Passkeys, '/api/auth/passkeys');

/** Whether this browser makes passkeys for this address: for names and `localhost`, not for `127.0.0.1` (docs/decisions/0093). */
export const canPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Loaded when a passkey is first used. */
const webAuthn = async () => (loaded = await import('./webauthn.ts'));
let loaded: typeof import('./webauthn.ts') | undefined;

const inList = (queries: QueryClient, change: (items: Passkey[]) => Passkey[]) =>
  queries.setQueryData(passkeysQuery().queryKey, (before) => before && { items: change(before.items) });

/**
 * Asks for the options with the password, lets the browser make a passkey of them, and adds it. Rejects with HttpError 400 at `password` or
 * `name`, 409 with the reason, or with what the browser says (`explainPasskey`).
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
    // Removed elsewhere meanwhile: the list says so.
    onError: () => queries.invalidateQueries({ queryKey: passkeysQuery().queryKey }),
  });
}

/** DELETE /api/auth/passkeys/{id}. Rejects with HttpError 400 at `password`, 409 with the reason. */
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
 * What the browser signed with a passkey of the person's choice: in a dialog of its own, or, `inList`, among the addresses that it offers
 * to fill in, which waits until one is chosen there. `isOver`: nobody waits for it any more. Undefined then, and where it cannot list.
 */
async function signed(inList: boolean, isOver = () => false): Promise<AuthenticationResponseJSON | undefined> {
  if (inList && !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined;
  const options = await post('/api/auth/login/passkey/options', {}, PasskeyOptions, { session: false });
  const { startAuthentication } = await webAuthn();
  if (isOver()) return undefined;
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON, useBrowserAutofill: inList });
}

/** Signs in with what was chosen, or lets the browser ask for it. Rejects as `useAddPasskey`, 401 `passkey-refused`. */
export const useLoginByPasskey = () =>
  useMutation({
    mutationFn: async (chosen: AuthenticationResponseJSON | undefined) =>
      loginByPasskey(chosen ?? (await signed(false))),
    onSuccess: () => welcome(textsNow(texts)('welcomeBack')),
  });

/** What is offered can be signed for five minutes (services/identity/PRODUCT.md#passkeys). */
const RENEW_MS = 4 * 60_000;

/**
 * Lists passkeys where the browser offers addresses for the field with `autocomplete="… webauthn"`, but while one is checked. What fails is
 * not told: nobody asked for it, and the button tells.
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
    // Also after one that was over before it could be seen to be pending.
  }, [isPending, submittedAt]);
  // The browser would go on listing them on the next page.
  useEffect(() => () => loaded?.WebAuthnAbortService.cancelCeremony(), []);
}

/** What went wrong, for a person; browsers call their reasons by name. */
export function explainPasskey(error: unknown): string {
  const name = error instanceof Error && !(error instanceof HttpError) ? error.name : '';
  const t = textsNow(texts);
  // Too late, canceled, or without a passkey for this site: browsers do not tell which.
  if (name === 'NotAllowedError' || name === 'AbortError') return t('passkeyCanceled');
  if (name === 'InvalidStateError') return t('passkeyKnown');
  if (name === 'ConstraintError' || name === 'NotSupportedError') return t('passkeyNeedsLock');
  if (name === 'SecurityError') return t('passkeyNotHere');
  return explain(error);
}
