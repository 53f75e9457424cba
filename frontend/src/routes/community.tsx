import { postPath, type SocialPost } from '@beltway/contracts/community';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { postsQuery, type Feed } from '../features/community/api.ts';
import { CommunityNav } from '../features/community/community-nav.tsx';
import { nameOf } from '../features/community/person.ts';
import { PlaceField } from '../features/community/place-field.tsx';
import { PostCard } from '../features/community/post-card.tsx';
import { PostDialog } from '../features/community/post-dialog.tsx';
import { usePostDialogs } from '../features/community/post-dialogs.tsx';
import { useDialogEntry } from '../lib/dialog-entry.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

const ID = /^[1-9]\d{0,9}$/;
const idIn = (text: string | null): string => (text && ID.test(text) ? text : '');

/** The feed that an address names; what it does not understand is left out. */
const feedOf = (params: URLSearchParams): Feed => ({
  isFollowing: params.get('feed') === 'following',
  place: params.get('place') ?? '',
  author: idIn(params.get('author')),
  event: idIn(params.get('event')),
});

/** What people say of going out: the feed, by place or of whom one follows (docs/product.md#posts). */
export function Component() {
  usePageTitle('Community');
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const [params, setParams] = useSearchParams();
  const feed = feedOf(params);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isWriting, setWriting] = useDialogEntry('post');
  const [written, setWritten] = useState<SocialPost | null>(null);
  const focus = () => heading.current?.focus({ preventScroll: true });
  const { actions, dialogs } = usePostDialogs({ onRemoved: focus, onBlocked: focus });
  const change = (name: 'feed' | 'place', value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { preventScrollReset: true });
  };
  return (
    <div className="page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
            Community
          </h1>
          <p className="mt-1 text-ink-soft">What people around DC say of going out.</p>
        </div>
        {user ? (
          <Button onClick={() => setWriting(true)}>
            <PenLine aria-hidden className="size-4" />
            Write a post
          </Button>
        ) : (
          <ButtonLink to={signInPath(`${pathname}${search}#post`)}>Sign in to post</ButtonLink>
        )}
      </header>
      <CommunityNav />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Show">
          <Select value={feed.isFollowing ? 'following' : ''} onChange={({ target }) => change('feed', target.value)}>
            <option value="">Everybody’s posts</option>
            <option value="following">Organisers I follow</option>
          </Select>
        </Field>
        <PlaceField label="Place" none="Everywhere" value={feed.place} onChange={(place) => change('place', place)} />
      </div>
      <p role="status" className={written ? 'rounded-md bg-success-soft px-4 py-1 text-success-ink' : 'sr-only'}>
        {written && (
          <>
            Your post is there.{' '}
            <Link to={postPath(written.id)} className="inline-flex min-h-11 items-center underline underline-offset-4">
              See it
            </Link>
          </>
        )}
      </p>
      {feed.isFollowing && !user ? (
        <EmptyState
          title="Sign in to see it"
          action={<ButtonLink to={signInPath(pathname + search)}>Sign in</ButtonLink>}
        >
          Here are the posts of the organisers that you follow.
        </EmptyState>
      ) : (
        <Posts feed={feed} actions={actions} />
      )}
      {isWriting && user && (
        <PostDialog
          userId={user.id}
          about={{ eventId: feed.event, place: feed.place }}
          onClose={() => setWriting(false)}
          onSaved={(post) => {
            setWritten(post);
            setWriting(false);
          }}
        />
      )}
      {dialogs}
    </div>
  );
}

type Actions = ReturnType<typeof usePostDialogs>['actions'];

function Posts({ feed, actions }: { feed: Feed; actions: Actions }) {
  const found = useInfiniteQuery(postsQuery(feed));
  const posts = found.data?.pages.flatMap(({ items }) => items);
  const isNarrow = feed.author !== '' || feed.event !== '';
  return (
    <>
      {isNarrow && (
        <p className="flex flex-wrap items-center gap-x-4">
          <span className="[overflow-wrap:anywhere]">{narrowText(feed, posts?.[0])}</span>
          <Link to="/community" className="inline-flex min-h-11 items-center underline underline-offset-4">
            Show all posts
          </Link>
        </p>
      )}
      <PagedList
        found={found}
        items={posts}
        what="posts"
        skeleton={{ className: 'h-48', of: 'cards' }}
        empty={<NoPosts feed={feed} />}
      >
        {(listed) => (
          <ul aria-label="Posts" className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {listed.map((post, at) => (
              <li key={post.id}>
                <PostCard post={post} actions={actions} priority={at < 2} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function narrowText({ author, event }: Feed, first: SocialPost | undefined): string {
  const by = author ? ` by ${first ? nameOf(first) : 'one person'}` : '';
  const about = event ? ` about ${first?.eventTitle ?? 'one event'}` : '';
  return `Posts${by}${about}`;
}

function NoPosts({ feed }: { feed: Feed }) {
  if (feed.isFollowing)
    return (
      <EmptyState title="Nothing yet" action={<ButtonLink to="/following">Whom you follow</ButtonLink>}>
        What the organisers that you follow post is shown here.
      </EmptyState>
    );
  return (
    <EmptyState title="No posts yet">
      {feed.place || feed.author || feed.event
        ? 'Nobody has posted what you look for.'
        : 'What people say of going out is shown here. Be the first.'}
    </EmptyState>
  );
}
