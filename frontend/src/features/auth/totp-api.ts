import {
  RecoveryCodes,
  TotpSetup,
  TotpState,
  type SetUpTotpBody,
  type TurnOffTotpBody,
  type TurnOnTotpBody,
} from '@beltway/contracts/identity/totp';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post, renewSession } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';

/** GET /api/auth/totp */
export const totpQuery = () => apiQuery(TotpState, '/api/auth/totp');

/** POST /api/auth/totp/setup. Rejects with HttpError 400 for the field `password`, or 409 with the reason. */
export const useSetUpTotp = () =>
  useMutation({
    mutationFn: (body: SetUpTotpBody) => post('/api/auth/totp/setup', body, TotpSetup),
    // Not cached, because only the open dialog needs the secret.
    gcTime: 0,
  });

/**
 * POST /api/auth/totp. Only this response contains the recovery codes. Rejects with HttpError 400 for the field `code`,
 * or 409 with the reason.
 */
export function useTurnOnTotp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: TurnOnTotpBody) => post('/api/auth/totp', body, RecoveryCodes),
    gcTime: 0,
    onSuccess: async () => {
      const { token, user } = sessionStore.get();
      // Only a new token has the admin role. If this renewal fails, a later renewal gets that token.
      if (token && user?.codesRequired) await renewSession(token).catch(() => undefined);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: totpQuery().queryKey }),
  });
}

/** POST /api/auth/totp/off. Rejects with HttpError 400 for the field `code`, 409 or 429. */
export function useTurnOffTotp(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: TurnOffTotpBody) => post('/api/auth/totp/off', body),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: totpQuery().queryKey });
    },
  });
}
