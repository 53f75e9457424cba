import type { SocialPost } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { blockPerson, removePost, useShownPosts } from './api.ts';
import { useNames, type Person } from './person.ts';
import { useShownQuestions } from './questions.ts';
import { texts as sharedTexts } from './shared.texts.en.ts';
import { texts } from './texts.en.ts';

interface ConfirmProps {
  title: string;
  /** What follows. */
  description: string;
  action: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is done that is not easily undone. */
export function Confirm({ title, description, action, pending, error, onConfirm, onClose }: ConfirmProps) {
  const t = useTexts(texts);
  return (
    <Dialog
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="danger" pending={pending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {error ? (
        <p role="alert" className="text-note text-danger-ink">
          {explain(error)}
        </p>
      ) : null}
    </Dialog>
  );
}

interface RemoveDialogProps {
  post: SocialPost;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a post is deleted by its author, or hidden by who may: neither comes back. */
export function RemoveDialog({ post, onClose, onRemoved }: RemoveDialogProps) {
  const t = useTexts(texts);
  const shown = useShownPosts();
  const remove = useMutation({
    mutationFn: () => removePost(post.id),
    onSuccess: () => {
      shown.takeAway(({ id }) => id === post.id);
      onRemoved();
      toast({ title: post.isOwn ? t('postDeleted') : t('postHidden'), at: '/community' });
      return shown.refresh();
    },
  });
  return (
    <Confirm
      title={post.isOwn ? t('deletePostTitle') : t('hidePostTitle')}
      description={post.isOwn ? t('deletePostWhy') : t('hideWhy')}
      action={post.isOwn ? t('delete') : t('hide')}
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

interface BlockDialogProps {
  person: Person;
  onClose: () => void;
  onBlocked: () => void;
}

/** Asks before somebody is blocked. */
export function BlockDialog({ person, onClose, onBlocked }: BlockDialogProps) {
  const t = useTexts(texts);
  const shared = useTexts(sharedTexts);
  const shown = useShownPosts();
  const shownQuestions = useShownQuestions();
  const name = useNames()(person);
  const block = useMutation({
    mutationFn: () => blockPerson(person.userId),
    onSuccess: () => {
      shown.takeAway(({ userId }) => userId === person.userId);
      shownQuestions.takeAway(({ userId }) => userId === person.userId);
      onBlocked();
      toast({
        title: t('blocked', { name }),
        link: { to: '/account', text: shared('blockedPeople') },
        at: window.location.pathname,
      });
      return Promise.all([shown.refresh(), shownQuestions.refresh()]);
    },
  });
  return (
    <Confirm
      title={t('blockTitle', { name })}
      description={t('blockWhy')}
      action={t('block')}
      pending={block.isPending}
      error={block.error}
      onConfirm={() => block.mutate()}
      onClose={onClose}
    />
  );
}
