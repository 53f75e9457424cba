import type {
  ChangeEmailBody,
  ChangePasswordBody,
  PasswordBody,
  ResetPasswordBody,
} from '@beltway/contracts/identity/credentials';
import { AccountSessions, EmailState, Session, User } from '@beltway/contracts/identity/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { del, get, oneTabAtATime, post, renewSession } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { sessionStore } from '../../lib/storage/session-store.ts';

/** GET /api/auth/email */
export const emailQuery = () => apiQuery(EmailState, '/api/auth/email');

/** GET /api/auth/sessions */
export const sessionsQuery = () => apiQuery(AccountSessions, '/api/auth/sessions');

/** POST /api/auth/request-password-reset: the same answer whether or not there is an account. */
export const useRequestReset = () =>
  useMutation({
    mutationFn: (body: { email: string }) =>
      post('/api/auth/request-password-reset', body, undefined, { session: false }),
  });

/** POST /api/auth/reset-password. Rejects with HttpError 400 `link-invalid`, or at `password`. */
export const useResetPassword = (onDone: () => void) =>
  useMutation({
    mutationFn: (body: ResetPasswordBody) => post('/api/auth/reset-password', body, undefined, { session: false }),
    onSuccess: onDone,
  });

/** POST /api/auth/verify-email; then the account is shown as it is now. Rejects with HttpError 400 `link-invalid`, 409 with the reason. */
export function useVerifyEmail(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => {
      await post('/api/auth/verify-email', { token });
      // The next token says that the address is verified, which lifts limits. Without one it counts within 15 minutes.
      const { token: stale } = sessionStore.get();
      if (stale) await renewSession(stale).catch(() => false);
      // A change of the address ends the token of before: this call gets another one.
      const user = await get('/api/auth/me', User);
      const latest = sessionStore.latestToken();
      if (latest) sessionStore.set({ token: latest, user });
      return user;
    },
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: emailQuery().queryKey });
    },
  });
}

/** POST /api/auth/request-email-verification */
export const useSendVerification = () =>
  useMutation({ mutationFn: () => post('/api/auth/request-email-verification', {}) });

/** POST /api/auth/change-email. Rejects with HttpError 400 at `email` or `password`. */
export function useChangeEmail(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeEmailBody) => post('/api/auth/change-email', body),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: emailQuery().queryKey });
    },
  });
}

/** POST /api/auth/change-password, and goes on with the new session. Rejects with HttpError 400 at `password` or `newPassword`. */
export function useChangePassword(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    // A socket may hear of the old session's end before this answer is there: renewing it then would end the new one's cookie.
    mutationFn: (body: ChangePasswordBody) =>
      oneTabAtATime(async () => sessionStore.set(await post('/api/auth/change-password', body, Session))),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
  });
}

/** DELETE /api/auth/sessions/{id}, or of all others. Rejects with HttpError 400 at `password`, 409 with the reason. */
export function useEndSession(id: string | 'others', onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordBody) =>
      del(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, undefined, { body }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
}
