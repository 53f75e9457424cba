import { Connection, ConnectionPage, ConnectionsQuery, PeopleMetQuery } from '@beltway/contracts/identity/connections';
import { answeredBy, type Route } from './route.ts';

/** Meetings and connections of accounts: services/identity/PRODUCT.md#connections */
export const connections: Route[] = answeredBy('identity', [
  {
    method: 'get',
    path: '/api/connections',
    summary: 'The caller’s connections, whom they asked and who asks them, what was said last first',
    access: 'signed in',
    query: ConnectionsQuery.shape,
    answer: ConnectionPage,
    problems: [503],
  },
  {
    method: 'get',
    path: '/api/people-met',
    summary: 'Who attended an event that the caller attended and chose to be seen, and is neither connected nor asked',
    access: 'signed in',
    query: PeopleMetQuery.shape,
    answer: ConnectionPage,
    problems: [503],
  },
  {
    method: 'get',
    path: '/api/connections/{userId}',
    summary: 'How the caller stands with somebody they met',
    access: 'signed in',
    answer: Connection,
    problems: [404, 503],
  },
  {
    method: 'put',
    path: '/api/connections/{userId}',
    summary: 'Say that one wants to be connected; it is a connection when both do',
    access: 'signed in',
    answer: Connection,
    problems: [404, 409, 503],
  },
  {
    method: 'delete',
    path: '/api/connections/{userId}',
    summary: 'Take that back, or turn down who asks',
    access: 'signed in',
    status: 204,
  },
]);
