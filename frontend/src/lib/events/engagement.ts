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

/** What one did with an event; `interest` null: did not say. */
export type Mine = Pick<MyEngagement, 'liked' | 'bookmarked' | 'interest'>;
const NOTHING: Mine = { liked: false, bookmarked: false, interest: null };
const NOTHING_COUNTED: EventCounts = { likes: 0, comments: 0, interested: 0, going: 0, shares: 0, views: 0 };

export const countsOf = (event: Pick<Event, 'counts'>): EventCounts => event.counts ?? NOTHING_COUNTED;

/** Like it or not, keep it or not, go there or not. */
export type Reaction = { kind: 'like' | 'bookmark'; wanted: boolean } | { kind: 'interest'; wanted: Interest | null };

type Waiting = { eventId: number; resolve: (mine: Mine) => void; reject: (error: unknown) => void };
/** What each page's cards wait for. */
const gathered = new WeakMap<QueryClient, Waiting[]>();
const GATHER_MS = 10;

/** The cards of a page ask together, in one call for up to 100 events. */
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
  try {
    const ids = [...new Set(asked.map(({ eventId }) => eventId))].join(',');
    const { items } = await get(`/api/me/engagement?events=${ids}`, MyEngagements);
    const found = new Map(items.map((item) => [item.eventId, item]));
    for (const { eventId, resolve } of asked) resolve(found.get(eventId) ?? NOTHING);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

const mineQuery = (userId: number, eventId: number) =>
  queryOptions({
    queryKey: ['/api/me/engagement', userId, eventId],
    queryFn: ({ client }) => loadMine(client, eventId),
  });

/** What one did with the event so far; nothing while signed out. */
export function useMine(eventId: number): Mine {
  const { user } = useSession();
  return useQuery({ ...mineQuery(user?.id ?? 0, eventId), enabled: user !== null }).data ?? NOTHING;
}

const SHOWING_EVENTS = new Set<unknown>(['/api/events', '/api/users', '/api/me/bookmarks']);
const showsEvents = ({ queryKey }: { queryKey: readonly unknown[] }) => SHOWING_EVENTS.has(queryKey[0]);
type Shown = Partial<Event>;
type Paged = { pages?: Array<{ items?: Shown[] }> };

/** Changes the counts of an event wherever it is shown: on its page, in lists, in the pages of a search. */
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

/** Shows what the server counted; an answer that is on its way may have been written before, so it is put right once it is there. */
function showCounts(queries: QueryClient, eventId: number, counts: EventCounts): void {
  const put = () => changeCounts(queries, eventId, () => counts);
  put();
  const onTheirWay = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: showsEvents });
  for (const { promise } of onTheirWay) promise?.then(put, () => undefined);
}

const valueOf = (mine: Mine, { kind }: Reaction): boolean | Interest | null =>
  kind === 'interest' ? mine.interest : kind === 'like' ? mine.liked : mine.bookmarked;

/** Shows a reaction at once, before the server knows of it; answers the one that was there. */
function show(queries: QueryClient, userId: number, eventId: number, reaction: Reaction): Reaction {
  const { queryKey } = mineQuery(userId, eventId);
  const before = queries.getQueryData(queryKey) ?? NOTHING;
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

/** A reaction of who was not signed in: on the way to /auth and back it is in the history entry, where no link can put one. */
export interface Intent {
  eventId: number;
  reaction: Reaction;
}
export const intentOf = (state: unknown): Intent | null =>
  (state as { intent?: Intent } | null | undefined)?.intent ?? null;

/**
 * Reacts to an event: shown at once, taken back with a word when the server refuses. Presses follow each other in their order. Who is signed
 * out goes to sign in first.
 */
export function useReact(eventId: number): (reaction: Reaction, onDone?: () => void) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const mutationKey = ['engagement', eventId];
  const { mutate } = useAction({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ reaction }: { reaction: Reaction; onDone?: (() => void) | undefined }) => send(eventId, reaction),
    onMutate: ({ reaction }) => {
      const userId = sessionStore.get().user?.id ?? 0;
      // An answer that is on its way does not know of it.
      void queries.cancelQueries({ queryKey: mineQuery(userId, eventId).queryKey });
      return { userId, was: show(queries, userId, eventId, reaction) };
    },
    // Of the mutation, so that it is called also when the page was left meanwhile.
    onSuccess: (counts, { onDone }) => {
      // While further presses are under way, only the last answer has them all.
      if (queries.isMutating({ mutationKey }) === 1) showCounts(queries, eventId, counts);
      onDone?.();
    },
    failed: () => textsNow(texts)('didNotWork'),
    onError: (_error, { reaction }, shown) => {
      if (!shown) return;
      const isOfKind = ({ state }: { state: { variables?: unknown } }) =>
        (state.variables as { reaction: Reaction }).reaction.kind === reaction.kind;
      // A later press has the last word. What was there before this one may itself have been refused: so it is asked for.
      if (queries.isMutating({ mutationKey, predicate: isOfKind }) === 1) {
        show(queries, shown.userId, eventId, shown.was);
        void queries.invalidateQueries({ queryKey: mineQuery(shown.userId, eventId).queryKey });
      }
    },
  });
  return (reaction, onDone) => {
    if (sessionStore.get().token === null) {
      const intent: Intent = { eventId, reaction };
      return void navigate(signInPath(pathname + search + hash), { state: { intent } });
    }
    mutate({ reaction, onDone });
  };
}

/** Tells that the event was shared, without a word to who shared it. */
export function useCountShare(eventId: number): () => void {
  const queries = useQueryClient();
  return () => {
    post(pathOf(eventId, 'share'), undefined, EventCounts).then(
      (counts) => showCounts(queries, eventId, counts),
      () => undefined, // It was shared all the same.
    );
  };
}
