import type { ZodType } from 'zod';
import type { FieldErrors } from './api.ts';

interface Checked<T> {
  body: T | null;
  errors: FieldErrors;
}

/** Checks a form by the same contract as the server: the body to send, or what is wrong with each field. */
export function checkForm<T>(schema: ZodType<T>, values: { email: string }): Checked<T> {
  const { data, error } = schema.safeParse({ ...values, email: values.email.trim() });
  if (data) return { body: data, errors: {} };
  const errors: FieldErrors = {};
  for (const { path, message } of error?.issues ?? []) errors[path[0] as keyof FieldErrors] ??= message;
  return { body: null, errors };
}
checkForm.none = {} as FieldErrors;

/** The cursor goes where something is to be mended. */
export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
