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

/** POST /api/auth/request-password-reset: returns the same response whether or not the account exists. */
export const useRequestReset = () =>
  useMutation({
    mutationFn: (body: { email: string }) =>
      post('/api/auth/request-password-reset', body, undefined, { session: false }),
  });

/** POST /api/auth/reset-password. Rejects with HttpError 400: `link-invalid`, or an error of the field `password`. */
export const useResetPassword = (onDone: () => void) =>
  useMutation({
    mutationFn: (body: ResetPasswordBody) => post('/api/auth/reset-password', body, undefined, { session: false }),
    onSuccess: onDone,
  });

/**
 * POST /api/auth/verify-email, then refreshes the account. Rejects with HttpError 400 `link-invalid`, or 409 with the
 * reason.
 */
export function useVerifyEmail(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => {
      await post('/api/auth/verify-email', { token });
      // Only a new token states that the email address is verified, so that limits for unverified accounts end. Without
      // this renewal, the page would use the old token for up to 15 minutes.
      const { token: stale } = sessionStore.get();
      if (stale) await renewSession(stale).catch(() => false);
      // Changing the email address invalidates the previous token, so this call renews the token.
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

/** POST /api/auth/change-email. Rejects with HttpError 400 for the field `email` or `password`. */
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

/**
 * POST /api/auth/change-password, then continues with the new session. Rejects with HttpError 400 for the field
 * `password` or `newPassword`.
 */
export function useChangePassword(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    // Before this response arrives, the socket may report that the old session has ended. Renewing that session would
    // invalidate the new cookie, so renewals wait for this request.
    mutationFn: (body: ChangePasswordBody) =>
      oneTabAtATime(async () => sessionStore.set(await post('/api/auth/change-password', body, Session))),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
  });
}

/**
 * DELETE /api/auth/sessions/{id}, or all other sessions. Rejects with HttpError 400 for the field `password`, or 409
 * with the reason.
 */
export function useEndSession(id: string | 'others', onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordBody) =>
      del(id === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${id}`, undefined, { body }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
}
