import type { ZodType } from 'zod';
import type { FieldErrors } from './api.ts';

interface Checked<T> {
  body: T | null;
  errors: FieldErrors;
}

/** Checks a form by the same contract as the server: the body to send, or what is wrong with each field. */
export function checkForm<T>(schema: ZodType<T>, values: { email: string; password: string }): Checked<T> {
  const { data, error } = schema.safeParse({ ...values, email: values.email.trim() });
  if (data) return { body: data, errors: {} };
  const errors: FieldErrors = {};
  for (const { path, message } of error?.issues ?? []) errors[path[0] as keyof FieldErrors] ??= message;
  // Of what is missing, that it is missing, and not how it should be.
  if (!values.email.trim()) errors.email = 'Please enter your email address';
  if (!values.password) errors.password = 'Please enter your password';
  return { body: null, errors };
}
checkForm.none = {} as FieldErrors;
