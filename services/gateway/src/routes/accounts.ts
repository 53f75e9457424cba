import { LoginBody, ChangeRoleBody, RegisterBody, Session, User } from '@beltway/contracts/identity';
import { answeredBy, type Route } from './route.ts';

export const accounts: Route[] = answeredBy('identity', [
  {
    method: 'post',
    path: '/api/auth/register',
    summary: 'Open an account; sets the refresh cookie, and the cookie by which this device is known to the account',
    access: 'public',
    rate: 'sign-in',
    headers: ['Idempotency-Key'],
    body: RegisterBody,
    answer: Session,
    status: 201,
    problems: [403, 409, 429],
  },
  {
    method: 'post',
    path: '/api/auth/login',
    summary: 'Sign in; sets the refresh cookie, and the cookie by which this device is known to the account',
    access: 'public',
    rate: 'sign-in',
    body: LoginBody,
    answer: Session,
    problems: [401, 403, 429],
  },
  {
    method: 'post',
    path: '/api/auth/refresh',
    summary:
      'Exchange the refresh cookie for a new access token. Needs `Content-Type: application/json` or `X-Requested-With`',
    access: 'public',
    answer: Session,
    problems: [401, 403, 415],
  },
  {
    method: 'post',
    path: '/api/auth/logout',
    summary: 'End the session, everywhere at once',
    access: 'optional',
    status: 204,
    problems: [403, 415],
  },
  { method: 'get', path: '/api/auth/me', summary: 'The signed-in user', access: 'signed in', answer: User },
  {
    method: 'get',
    path: '/api/users/{id}',
    summary: 'An account: one’s own, or anybody’s for an admin',
    access: 'signed in',
    answer: User,
    problems: [403, 404],
  },
  {
    method: 'patch',
    path: '/api/users/{id}/role',
    summary: 'Change the role of another account; its tokens end at once',
    access: 'admin',
    headers: ['Idempotency-Key'],
    body: ChangeRoleBody,
    answer: User,
    problems: [404],
  },
]);
