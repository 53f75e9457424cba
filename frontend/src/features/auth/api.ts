import type { RegisterBody } from '@beltway/contracts/identity/credentials';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { fieldErrorsOf, type Messages } from '../../lib/forms/form.ts';
import { explain, HttpError, inWords } from '../../lib/http/http.ts';
import { returnPath } from '../../lib/navigation/return-path.ts';
import { login, loginByCode, register } from '../../lib/session/sign-in.ts';
import { toast, type ToastContent } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/** Shows the welcome toast on the page after signing in. */
export function welcome(title: string): void {
  const next = returnPath(new URLSearchParams(window.location.search));
  toast({ title, at: new URL(next, window.location.origin).pathname });
}

export const useLogin = () =>
  useAction({
    mutationFn: login,
    onSuccess: (said) => 'token' in said && welcome(textsNow(texts)('welcomeBack')),
    failed: refusedLogin,
  });

/** The second step of signing in. `onOver` is called when the challenge has expired and the visitor must start over. */
export const useLoginByCode = (onOver: () => void) =>
  useAction({
    mutationFn: loginByCode,
    onSuccess: () => welcome(textsNow(texts)('welcomeBack')),
    failed: (error) => (isOver(error) ? null : refusedLogin(error)),
    onError: (error) => isOver(error) && onOver(),
  });

export const useRegister = () =>
  useAction({
    mutationFn: register,
    onSuccess: () => welcome(textsNow(texts)('welcome')),
    failed: (error) => refusalText(error, 409, textsNow(texts)('registerFailed'), textsNow(texts)('emailTaken')),
  });

/**
 * The toast for a rejected request: the fixed text for this status (frontend/PRODUCT.md#fixed-texts), otherwise the
 * error's own text; null when the form shows the error.
 */
function refusalText(error: Error, status: number, title: string, description: string): ToastContent | null {
  const isHttp = error instanceof HttpError;
  if (isHttp && (error.status === 429 || error.problem?.errors)) return null;
  return { title, description: isHttp && error.status === status ? description : explain(error) };
}

const refusedLogin = (error: Error) =>
  refusalText(error, 401, textsNow(texts)('loginFailed'), textsNow(texts)('wrongCredentials'));

const isOver = (error: unknown): boolean => error instanceof HttpError && error.problem?.code === 'challenge-invalid';

/** The messages for the form's fields. */
export function errorsOf(error: unknown): Messages<RegisterBody> {
  const t = textsNow(texts);
  const status = error instanceof HttpError && error.status;
  if (status === 401) return { password: t('checkBoth') };
  if (status === 409) return { email: t('haveAccount') };
  return fieldErrorsOf(error);
}

/** The text for a 429, with the time to wait; null for any other error. */
export function throttleMessage(error: unknown): string | null {
  if (!(error instanceof HttpError) || error.status !== 429) return null;
  return textsNow(texts)('throttled', { when: inWords(error.retryAfter) });
}
