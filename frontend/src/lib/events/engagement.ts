import type { Event } from '@beltway/contracts/catalog/events';
import {
  EventCounts,
  MAX_ASKED_EVENTS,
  MyEngagements,
  type Interest,
  type MyEngagement,
} from '@beltway/contracts/identity/engagement';
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router-dom';
import { textsNow } from '../i18n/catalog.ts';
import { del, get, post, put } from '../http/http.ts';
import { signInPath } from '../navigation/return-path.ts';
import { sessionStore } from '../storage/session-store.ts';
import { useSession } from '../session/session.ts';
import { texts } from '../i18n/texts.en.ts';
import { useAction } from '../actions/use-action.ts';

/** The user's reactions to an event. `interest` is null without an answer. */
export type Mine = Pick<MyEngagement, 'liked' | 'bookmarked' | 'interest'>;
const NOTHING: Mine = { liked: false, bookmarked: false, interest: null };
const NOTHING_COUNTED: EventCounts = { likes: 0, comments: 0, interested: 0, going: 0, shares: 0, views: 0 };

export const countsOf = (event: Pick<Event, 'counts'>): EventCounts => event.counts ?? NOTHING_COUNTED;

/** A like, a bookmark, or an answer to "interested or going?". */
export type Reaction = { kind: 'like' | 'bookmark'; wanted: boolean } | { kind: 'interest'; wanted: Interest | null };

type Waiting = { eventId: number; resolve: (mine: Mine) => void; reject: (error: unknown) => void };
/** Lookups of the page's cards, waiting for their batch. */
const gathered = new WeakMap<QueryClient, Waiting[]>();
const GATHER_MS = 10;

/** Batches the lookups of a page's cards: one call for up to 100 events. */
const loadMine = (queries: QueryClient, eventId: number): Promise<Mine> =>
  new Promise((resolve, reject) => {
    const one = { eventId, resolve, reject };
    const waiting = gathered.get(queries);
    if (waiting) return void waiting.push(one);
    const all: Waiting[] = [one];
    gathered.set(queries, all);
    setTimeout(() => {
      gathered.delete(queries);
      for (let at = 0; at < all.length; at += MAX_ASKED_EVENTS) void load(all.slice(at, at + MAX_ASKED_EVENTS));
    }, GATHER_MS);
  });

async function load(asked: Waiting[]): Promise<void> {
  // The call ends with the session, because without a session it would lead to /auth.
  const ended = new AbortController();
  const check = () => sessionStore.get().token === null && ended.abort();
  const stop = sessionStore.subscribe(check);
  check();
  try {
    const ids = [...new Set(asked.map(({ eventId }) => eventId))].join(',');
    const { items } = await get(`/api/me/engagement?events=${ids}`, MyEngagements, { signal: ended.signal });
    const found = new Map(items.map((item) => [item.eventId, item]));
    for (const { eventId, resolve } of asked) resolve(found.get(eventId) ?? NOTHING);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  } finally {
    stop();
  }
}

const mineQuery = (userId: number, eventId: number) =>
  queryOptions({
    queryKey: ['/api/me/engagement', userId, eventId],
    queryFn: ({ client }) => loadMine(client, eventId),
  });

/** The user's reactions to the event; none while signed out or for a preview (id 0). */
export function useMine(eventId: number): Mine {
  const { user } = useSession();
  return useQuery({ ...mineQuery(user?.id ?? 0, eventId), enabled: user !== null && eventId > 0 }).data ?? NOTHING;
}

const SHOWING_EVENTS = new Set<unknown>(['/api/events', '/api/users', '/api/me/bookmarks']);
const showsEvents = ({ queryKey }: { queryKey: readonly unknown[] }) => SHOWING_EVENTS.has(queryKey[0]);
type Shown = Partial<Event>;
type Paged = { pages?: Array<{ items?: Shown[] }> };

/** Changes an event's counts in every cached query: the event's page, lists, and the pages of a search. */
function changeCounts(queries: QueryClient, eventId: number, change: (counts: EventCounts) => EventCounts): void {
  const one = <T extends Shown>(event: T): T =>
    event?.id === eventId && event.status !== undefined
      ? { ...event, counts: change(event.counts ?? NOTHING_COUNTED) }
      : event;
  queries.setQueriesData<unknown>({ predicate: showsEvents }, (data: unknown) => {
    if (Array.isArray(data)) return (data as Shown[]).map(one);
    const { pages } = (data ?? {}) as Paged;
    if (pages)
      return {
        ...(data as Paged),
        pages: pages.map((page) => (page.items ? { ...page, items: page.items.map(one) } : page)),
      };
    return data && one(data);
  });
}

/**
 * Shows the server's counts, and shows them again after each response now in flight, which may contain older counts.
 */
function showCounts(queries: QueryClient, eventId: number, counts: EventCounts): void {
  const put = () => changeCounts(queries, eventId, () => counts);
  put();
  const onTheirWay = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: showsEvents });
  for (const { promise } of onTheirWay) promise?.then(put, () => undefined);
}

const valueOf = (mine: Mine, { kind }: Reaction): boolean | Interest | null =>
  kind === 'interest' ? mine.interest : kind === 'like' ? mine.liked : mine.bookmarked;

/** Queries of an account's own reactions that have only a pressed one, because the others were not loaded yet. */
const partial = new Set<string>();

/** Shows a reaction optimistically; returns the previous one. */
function show(queries: QueryClient, userId: number, eventId: number, reaction: Reaction): Reaction {
  const { queryKey } = mineQuery(userId, eventId);
  const known = queries.getQueryData(queryKey);
  if (!known) partial.add(queryKey.join());
  const before = known ?? NOTHING;
  const was = { kind: reaction.kind, wanted: valueOf(before, reaction) } as Reaction;
  const fields = { like: 'liked', bookmark: 'bookmarked', interest: 'interest' } as const;
  queries.setQueryData(queryKey, { ...before, [fields[reaction.kind]]: reaction.wanted });
  changeCounts(queries, eventId, (counts) => {
    const next = { ...counts };
    const add = ({ kind, wanted }: Reaction, by: number) => {
      if (kind === 'like' && wanted) next.likes += by;
      if (kind === 'interest' && wanted) next[wanted] += by;
    };
    add(was, -1);
    add(reaction, 1);
    return next;
  });
  return was;
}

const pathOf = (eventId: number, what: string) => `/api/events/${eventId}/${what}`;
const send = (eventId: number, { kind, wanted }: Reaction): Promise<EventCounts> =>
  wanted === null || wanted === false
    ? del(pathOf(eventId, kind), EventCounts)
    : put(pathOf(eventId, kind), kind === 'interest' ? { interest: wanted } : undefined, EventCounts);

/** A signed-out visitor's reaction. It is carried to /auth and back in the history entry, which no link can forge. */
export interface Intent {
  eventId: number;
  reaction: Reaction;
}
export const intentOf = (state: unknown): Intent | null =>
  (state as { intent?: Intent } | null | undefined)?.intent ?? null;

/**
 * Shows a reaction immediately, and undoes it with a toast if the server rejects it. Presses are sent in order. A
 * signed-out visitor signs in first.
 */
export function useReact(eventId: number): (reaction: Reaction) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const mutationKey = ['engagement', eventId];
  const { mutate } = useAction({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (reaction: Reaction) => send(eventId, reaction),
    onMutate: (reaction) => {
      const userId = sessionStore.get().user?.id ?? 0;
      // A response in flight does not include this reaction and would undo it on screen.
      void queries.cancelQueries({ queryKey: mineQuery(userId, eventId).queryKey });
      return { userId, was: show(queries, userId, eventId, reaction) };
    },
    // `onSuccess` is an option of the mutation, not of the call, so that it runs even after the user has left the page.
    onSuccess: (counts, _reaction, { userId }) => {
      // While further presses are pending, only the last response includes all of them.
      if (queries.isMutating({ mutationKey }) !== 1) return;
      showCounts(queries, eventId, counts);
      const { queryKey } = mineQuery(userId, eventId);
      if (partial.delete(queryKey.join())) void queries.invalidateQueries({ queryKey });
    },
    failed: () => textsNow(texts)('didNotWork'),
    onError: (_error, reaction, shown) => {
      if (!shown) return;
      const isOfKind = ({ state }: { state: { variables?: unknown } }) =>
        (state.variables as Reaction).kind === reaction.kind;
      // If a later press is pending, that press wins. Otherwise restores the earlier reaction, which the server may
      // also have rejected, and reloads it.
      if (queries.isMutating({ mutationKey, predicate: isOfKind }) === 1) {
        show(queries, shown.userId, eventId, shown.was);
        void queries.invalidateQueries({ queryKey: mineQuery(shown.userId, eventId).queryKey });
      }
    },
  });
  return (reaction) => {
    if (sessionStore.get().token === null) {
      const intent: Intent = { eventId, reaction };
      return void navigate(signInPath(pathname + search + hash), { state: { intent } });
    }
    mutate(reaction);
  };
}

/** Counts a share, without feedback on screen. */
export function useCountShare(eventId: number): () => void {
  const queries = useQueryClient();
  return () => {
    post(pathOf(eventId, 'share'), undefined, EventCounts).then(
      (counts) => showCounts(queries, eventId, counts),
      () => undefined, // A failed count is ignored, because the share itself worked.
    );
  };
}
