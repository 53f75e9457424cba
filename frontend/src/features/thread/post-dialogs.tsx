import type { SocialPost } from '@beltway/contracts/realtime/community';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import type { Person } from './person.ts';
import { removePost, useShownPosts } from './posts-api.ts';
import { texts } from './texts.en.ts';
import { useThreadDialogs } from './thread-dialogs.tsx';

/** Writes or edits a post; loaded when first opened. */
export const PostDialog = lazily(async () => (await import('./post-dialog.tsx')).PostDialog);

interface Gone {
  onRemoved: () => void;
  onBlocked: (person: Person) => void;
}

/** The dialogs of posts and their actions. */
export function usePostDialogs(gone: Gone) {
  const t = useTexts(texts);
  const shown = useShownPosts();
  return useThreadDialogs<SocialPost>({
    ...gone,
    edit: [
      'change-post',
      (post, userId, close) => <PostDialog userId={userId} post={post} onClose={close} onSaved={close} />,
    ],
    removal: ({ id, isOwn }) => ({
      ...(isOwn
        ? { title: t('deletePostTitle'), consequence: t('deletePostWhy') }
        : { title: t('hidePostTitle'), consequence: t('hideWhy') }),
      isOwn,
      remove: () => removePost(id),
      removeFromLists: () => shown.remove((one) => one.id === id),
      refresh: shown.refresh,
    }),
  });
}
