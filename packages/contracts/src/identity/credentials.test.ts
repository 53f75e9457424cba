import { expect, test } from 'vitest';
import { ChangePasswordBody, LoginBody, RegisterBody, ResetPasswordBody } from './credentials.ts';

const email = 'ann@example.test';

test.each([
  ['of 64 characters', 'x'.repeat(64)],
  ['of 256 characters', 'x'.repeat(256)],
  ['of lower case alone', 'correct horse battery staple'],
  ['of digits alone', '90210733'],
  ['with spaces around it, in mixed case', '  Lower and UPPER  '],
  ['of any script', 'пароль-密码-🔑'],
])('a password %s is accepted, and taken exactly as typed', (_what, password) => {
  expect(RegisterBody.parse({ email, password, name: 'Ann' }).password).toBe(password);
  expect(LoginBody.parse({ email, password }).password).toBe(password);
  expect(ResetPasswordBody.parse({ token: 't', password }).password).toBe(password);
  expect(ChangePasswordBody.parse({ password, newPassword: password })).toEqual({ password, newPassword: password });
});
