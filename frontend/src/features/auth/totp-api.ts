import {
  RecoveryCodes,
  TotpSetup,
  TotpState,
  type SetUpTotpBody,
  type TurnOffTotpBody,
  type TurnOnTotpBody,
} from '@beltway/contracts/identity/totp';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

/** GET /api/auth/totp */
export const totpQuery = () => apiQuery(TotpState, '/api/auth/totp');

/** POST /api/auth/totp/setup. Rejects with HttpError 400 at `password`, 409 with the reason. */
export const useSetUpTotp = () =>
  useMutation({
    mutationFn: (body: SetUpTotpBody) => post('/api/auth/totp/setup', body, TotpSetup),
    // The secret is of no use to anything but the dialog.
    gcTime: 0,
  });

/** POST /api/auth/totp: the recovery codes, once. Rejects with HttpError 400 at `code`, 409 with the reason. */
export function useTurnOnTotp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: TurnOnTotpBody) => post('/api/auth/totp', body, RecoveryCodes),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: totpQuery().queryKey }),
  });
}

/** POST /api/auth/totp/off. Rejects with HttpError 400 at `code`, 409, 429. */
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
