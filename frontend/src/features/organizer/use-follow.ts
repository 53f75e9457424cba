import { Followed, type Following, type Organizer } from '@beltway/contracts/catalog/organizers';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { followingQuery, organizerQuery } from '../../lib/events/event-queries.ts';
import { del, put } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/**
 * Whether the reader follows an organizer, and a function to change that. The change is optimistic and is undone if the
 * server refuses.
 */
export function useFollow(organizer: Pick<Organizer, 'id' | 'name'>) {
  const { id, name } = organizer;
  const { token } = useSession();
  const queries = useQueryClient();
  const { data } = useQuery({ ...followingQuery(), enabled: token !== null });
  const following = token !== null && data?.organizers.some((one) => one.id === id) === true;

  /** Writes the current or expected state into the cache. */
  function show(next: boolean, followers: (before: number) => number) {
    queries.setQueryData<Following>(followingQuery().queryKey, (before) => {
      if (!before) return before;
      const others = before.organizers.filter((one) => one.id !== id);
      return { ...before, organizers: next ? [{ id, name }, ...others] : others };
    });
    queries.setQueryData<Organizer>(
      organizerQuery(id).queryKey,
      (before) => before && { ...before, followers: followers(before.followers) },
    );
  }

  const change = useAction({
    mutationFn: (next: boolean) => (next ? put : del)(`/api/organizers/${id}/follow`, undefined, Followed),
    onMutate: async (next) => {
      await Promise.all([
        queries.cancelQueries(followingQuery()),
        queries.cancelQueries({ ...organizerQuery(id), exact: true }),
      ]);
      const before = {
        following: queries.getQueryData<Following>(followingQuery().queryKey),
        organizer: queries.getQueryData<Organizer>(organizerQuery(id).queryKey),
      };
      if (next !== following) show(next, (count) => Math.max(0, count + (next ? 1 : -1)));
      return before;
    },
    onSuccess: (now) => show(now.following, () => now.followers),
    onError: (error, next, before) => {
      queries.setQueryData(followingQuery().queryKey, before?.following);
      queries.setQueryData(organizerQuery(id).queryKey, before?.organizer);
    },
    onSettled: async () => {
      // `onMutate` may have canceled the first request for the organizer.
      const { queryKey } = organizerQuery(id);
      if (!queries.getQueryData(queryKey)) await queries.invalidateQueries({ queryKey, exact: true });
    },
    failed: (_error, next) => textsNow(texts)(next ? 'notFollowed' : 'stillFollowed'),
    // The feed of followed organizers changes, too.
    refresh: [followingQuery().queryKey],
  });
  return { following, isKnown: token === null || data !== undefined, change };
}
