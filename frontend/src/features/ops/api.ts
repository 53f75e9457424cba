import { AuditPage, type AuditKind } from '@beltway/contracts/identity/audit';
import { DeadLetterItem, DeadLetterPage, DeadLetterText } from '@beltway/contracts/ops/dead-letters';
import { OpsServices } from '@beltway/contracts/ops/instances';
import { InvariantsChecked, LastInvariants } from '@beltway/contracts/ops/invariants';
import { Discarded, OpsJobs, Retried, type OpsDiscardBody, type OpsRetryBody } from '@beltway/contracts/ops/jobs';
import { OpsFound, Timeline } from '@beltway/contracts/ops/timelines';
import { FoundAccount } from '@beltway/contracts/identity/totp';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { del, get, post } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';

/** Refetched when the page opens, because the system's state changes all the time. */
const LIVE = { staleTime: 0 };
const SERVICES_MS = 15_000;

export const servicesQuery = () =>
  queryOptions({ ...apiQuery(OpsServices, '/api/ops/services'), ...LIVE, refetchInterval: SERVICES_MS });

export const LETTERS = '/api/ops/dead-letters';
export type ListedLetters = 'waiting' | 'all';

/** GET /api/ops/dead-letters, page by page; `group` '' means all. */
export const lettersQuery = (state: ListedLetters, group: string) =>
  infiniteQueryOptions({
    queryKey: [LETTERS, state, group],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({ state, ...(group && { group }), ...(pageParam && { cursor: pageParam }) });
      return get(`${LETTERS}?${asked.toString()}`, DeadLetterPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...LIVE,
  });

export type Settling = 'replay' | 'discard';
export const settleLetter = (id: string, how: Settling) => post(`${LETTERS}/${id}/${how}`, undefined, DeadLetterItem);
/** Each call is audited. */
export const lookAtLetter = (id: string) => post(`${LETTERS}/${id}/look`, undefined, DeadLetterText);

export const JOBS = '/api/ops/jobs';
export const jobsQuery = () => queryOptions({ ...apiQuery(OpsJobs, JOBS), ...LIVE });
/** Retries one job, or the whole queue without a key. Each call is audited. */
export const retryJobs = (of: OpsRetryBody) => post(`${JOBS}/retry`, of, Retried);
export const discardJob = (of: OpsDiscardBody) => post(`${JOBS}/discard`, of, Discarded);

const LAST = '/api/ops/invariants/last';
export const lastInvariantsQuery = () => queryOptions({ ...apiQuery(LastInvariants, LAST), ...LIVE });
export const checkInvariants = () => post('/api/ops/invariants/check', undefined, InvariantsChecked);

/** POST /api/ops/search, page by page. Each call is audited, so it runs only when the admin presses a button. */
export const searchQuery = (q: string, attempt: number) =>
  infiniteQueryOptions({
    queryKey: ['ops-search', q, attempt],
    queryFn: ({ signal, pageParam }) =>
      post('/api/ops/search', { q, ...(pageParam && { cursor: pageParam }) }, OpsFound, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
  });

/** POST /api/ops/timelines/{id}. Each call is audited. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['ops-timeline', id],
    queryFn: ({ signal }) => post(`/api/ops/timelines/${id}`, undefined, Timeline, { signal }),
    gcTime: 0,
  });

/** POST /api/ops/accounts. Each call is audited. */
export const findAccount = (q: string) => post('/api/ops/accounts', { q }, FoundAccount);
/**
 * DELETE /api/users/{id}/totp, audited. Rejects with HttpError 403 for the admin's own account, 404 for an unknown
 * account.
 */
export const takeCodesOff = (id: number) => del(`/api/users/${id}/totp`);

/** GET /api/ops/audit, page by page; '' means all accounts or all kinds. */
export const auditQuery = (account: string, kind: AuditKind | '') =>
  infiniteQueryOptions({
    queryKey: ['/api/ops/audit', account, kind],
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({
        ...(account && { account }),
        ...(kind && { kind }),
        ...(pageParam && { cursor: pageParam }),
      });
      return get(`/api/ops/audit?${asked.toString()}`, AuditPage, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...LIVE,
  });
