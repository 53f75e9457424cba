import { postPath, type SocialPost } from '@beltway/contracts/realtime/community';
import { useInfiniteQuery } from '@tanstack/react-query';
import PenLine from 'lucide-react/icons/pen-line';
import { Suspense, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { postsQuery, type Feed } from '../../features/thread/posts-api.ts';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { useNames } from '../../features/thread/person.ts';
import { PlaceField } from '../../features/thread/place-field.tsx';
import { PostCard } from '../../features/thread/post-card.tsx';
import { PostDialog, usePostDialogs } from '../../features/thread/post-dialogs.tsx';
import { FILTERS } from '../../features/thread/posts-opening.tsx';
import { texts } from '../../features/thread/texts.en.ts';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

const ID = /^[1-9]\d{0,9}$/;
const idIn = (text: string | null): string => (text && ID.test(text) ? text : '');

/** Reads the feed's filter from the URL and ignores invalid parameters. */
const feedOf = (params: URLSearchParams): Feed => ({
  isFollowing: params.get('feed') === 'following',
  place: params.get('place') ?? '',
  author: idIn(params.get('author')),
  event: idIn(params.get('event')),
});

/** Posts about going out: the feed of a place, or of followed organizers (services/realtime/PRODUCT.md#posts). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
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
    <Page
      title={t('title')}
      intro={t('lead')}
      actions={
        user ? (
          <Button onClick={() => setWriting(true)}>
            <PenLine aria-hidden className="size-4" />
            {t('writePost')}
          </Button>
        ) : (
          <ButtonLink to={signInPath(`${pathname}${search}#post`)}>{t('signInToPost')}</ButtonLink>
        )
      }
      width="text"
      heading={heading}
    >
      <CommunityNav />
      <div className={FILTERS}>
        <Field label={t('show')}>
          <Select value={feed.isFollowing ? 'following' : ''} onChange={({ target }) => change('feed', target.value)}>
            <option value="">{t('everybodys')}</option>
            <option value="following">{t('followed')}</option>
          </Select>
        </Field>
        <PlaceField
          label={t('place')}
          none={t('everywhere')}
          value={feed.place}
          onChange={(place) => change('place', place)}
        />
      </div>
      <p role="status" className={written ? 'rounded-md bg-success-soft px-4 py-1 text-success-ink' : 'sr-only'}>
        {written &&
          t.rich('postThere', {
            link: (words) => (
              <Link
                to={postPath(written.id)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {words}
              </Link>
            ),
          })}
      </p>
      {feed.isFollowing && !user ? (
        <EmptyState
          title={t('signInToSee')}
          action={<ButtonLink to={signInPath(pathname + search)}>{t('signIn')}</ButtonLink>}
        >
          {t('signInToSeeWhy')}
        </EmptyState>
      ) : (
        <Posts feed={feed} actions={actions} />
      )}
      <Suspense>
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
      </Suspense>
      {dialogs}
    </Page>
  );
}

type Actions = ReturnType<typeof usePostDialogs>['actions'];

function Posts({ feed, actions }: { feed: Feed; actions: Actions }) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const found = useInfiniteQuery(postsQuery(feed));
  const posts = found.data?.pages.flatMap(({ items }) => items);
  const isNarrow = feed.author !== '' || feed.event !== '';
  return (
    <>
      {isNarrow && (
        <p className="flex flex-wrap items-center gap-x-4">
          <span className="wrap-anywhere">{narrowText(t, feed, posts?.[0], nameOf)}</span>
          <Link to="/community" className="inline-flex min-h-11 items-center underline underline-offset-4">
            {t('showAll')}
          </Link>
        </p>
      )}
      <PagedList
        found={found}
        items={posts}
        what={t('whatPosts')}
        skeleton={{ className: 'h-48', of: 'cards' }}
        empty={<NoPosts feed={feed} />}
      >
        {(listed) => (
          <ul aria-label={t('posts')} className="grid grid-cols-[minmax(0,1fr)] gap-4">
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

function narrowText(
  t: TextsOf<typeof texts>,
  { author, event: eventId }: Feed,
  first: SocialPost | undefined,
  nameOf: ReturnType<typeof useNames>,
): string {
  const name = first ? nameOf(first) : t('onePerson');
  const event = first?.eventTitle ?? t('oneEvent');
  if (author && eventId) return t('postsByAbout', { name, event });
  return author ? t('postsBy', { name }) : t('postsAbout', { event });
}

function NoPosts({ feed }: { feed: Feed }) {
  const t = useTexts(texts);
  if (feed.isFollowing)
    return (
      <EmptyState title={t('nothingYet')} action={<ButtonLink to="/following">{t('whomYouFollow')}</ButtonLink>}>
        {t('nothingYetWhy')}
      </EmptyState>
    );
  return (
    <EmptyState title={t('noPosts')}>
      {feed.place || feed.author || feed.event ? t('noSuchPosts') : t('beFirst')}
    </EmptyState>
  );
}
