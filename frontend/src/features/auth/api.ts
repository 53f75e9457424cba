import { PublicConfig } from '@beltway/contracts/config';
import { useMutation } from '@tanstack/react-query';
import { HttpError, inWords } from '../../lib/http.ts';
import { apiQuery } from '../../lib/query.ts';
import { login, register } from '../../lib/session.ts';
import { toast } from '../../ui/toast.ts';

export const configQuery = () => apiQuery(PublicConfig, '/api/config');

/** Field name → what is wrong with it. */
export type FieldErrors = Partial<Record<'name' | 'email' | 'password' | 'role', string>>;

export const useLogin = () =>
  useMutation({
    mutationFn: login,
    onSuccess: () => toast({ title: 'Welcome back!' }),
    onError: (error) => sayRefused(error, 401, 'Login failed', 'Invalid email or password.'),
  });

export const useRegister = () =>
  useMutation({
    mutationFn: register,
    onSuccess: () => toast({ title: 'Welcome to Beltway!' }),
    onError: (error) => sayRefused(error, 409, 'Registration failed', 'Email may already be in use.'),
  });

/** The texts of specification 1, section 8 for what they say; anything else in its own words. */
function sayRefused(error: Error, status: number, title: string, description: string): void {
  if (!(error instanceof HttpError))
    toast({
      title,
      description: 'Beltway cannot be reached. Please check your connection and try again.',
      variant: 'destructive',
    });
  else if (error.status === status) toast({ title, description, variant: 'destructive' });
  else if (error.status !== 429 && !error.problem?.errors)
    toast({ title, description: error.problem?.detail ?? 'Please try again in a moment.', variant: 'destructive' });
}

/** What the server says about single fields, for showing beside them. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!(error instanceof HttpError)) return {};
  return Object.fromEntries((error.problem?.errors ?? []).map(({ field, message }) => [field, message]));
}

/** Tried too often: what that means and when it ends; null for any other error. */
export function throttleMessage(error: unknown): string | null {
  if (!(error instanceof HttpError) || error.status !== 429) return null;
  return `For the safety of accounts, Beltway takes a break after many tries. Please try again ${inWords(error.retryAfter)}.`;
}
