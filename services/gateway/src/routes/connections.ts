import { Connection, ConnectionPage, ConnectionsQuery, PeopleMetQuery } from '@beltway/contracts/identity/connections';
import { answeredBy, type Route } from './route.ts';

/** Meetings and connections of accounts: services/identity/PRODUCT.md#connections */
export const connections: Route[] = answeredBy('identity', [
  {
    method: 'get',
    path: '/api/connections',
    summary: 'List the caller’s connections, sent requests and received requests, latest request first',
    access: 'signed in',
    query: ConnectionsQuery.shape,
    answer: ConnectionPage,
    problems: [503],
  },
  {
    method: 'get',
    path: '/api/people-met',
    summary:
      'List accounts that attended an event with the caller, chose to be visible, and have no connection or request with the caller',
    access: 'signed in',
    query: PeopleMetQuery.shape,
    answer: ConnectionPage,
    problems: [503],
  },
  {
    method: 'get',
    path: '/api/connections/{userId}',
    summary: 'Get the connection state between the caller and an account that attended the same event',
    access: 'signed in',
    answer: Connection,
    problems: [404, 503],
  },
  {
    method: 'put',
    path: '/api/connections/{userId}',
    summary: 'Request a connection; the two accounts are connected when both have requested it',
    access: 'signed in',
    answer: Connection,
    problems: [404, 409, 503],
  },
  {
    method: 'delete',
    path: '/api/connections/{userId}',
    summary: 'Withdraw the caller’s request, which also ends a connection, or decline the other account’s request',
    access: 'signed in',
    status: 204,
  },
]);
