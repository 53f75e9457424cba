import type { SocialPost } from '@beltway/contracts/community';
import { useMutation } from '@tanstack/react-query';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { blockPerson, removePost, useShownPosts } from './api.ts';
import { nameOf, type Person } from './person.ts';
import { useShownQuestions } from './questions.ts';

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
export const Confirm = ({ title, description, action, pending, error, onConfirm, onClose }: ConfirmProps) => (
  <Dialog
    open
    onOpenChange={(isOpen) => !isOpen && onClose()}
    title={title}
    description={description}
    footer={
      <>
        <Button variant="quiet" onClick={onClose}>
          Cancel
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

interface RemoveDialogProps {
  post: SocialPost;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a post is deleted by its author, or hidden by who may: neither comes back. */
export function RemoveDialog({ post, onClose, onRemoved }: RemoveDialogProps) {
  const shown = useShownPosts();
  const remove = useMutation({
    mutationFn: () => removePost(post.id),
    onSuccess: () => {
      shown.takeAway(({ id }) => id === post.id);
      onRemoved();
      toast({ title: post.isOwn ? 'Post deleted' : 'Post hidden', at: '/community' });
      return shown.refresh();
    },
  });
  return (
    <Confirm
      title={post.isOwn ? 'Delete your post?' : 'Hide this post?'}
      description={
        post.isOwn
          ? 'It is gone for good, with its comments and likes.'
          : 'Nobody sees it any more, its author neither.'
      }
      action={post.isOwn ? 'Delete' : 'Hide'}
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
  const shown = useShownPosts();
  const shownQuestions = useShownQuestions();
  const name = nameOf(person);
  const block = useMutation({
    mutationFn: () => blockPerson(person.userId),
    onSuccess: () => {
      shown.takeAway(({ userId }) => userId === person.userId);
      shownQuestions.takeAway(({ userId }) => userId === person.userId);
      onBlocked();
      toast({
        title: `${name} is blocked`,
        link: { to: '/account', text: 'Blocked people' },
        at: window.location.pathname,
      });
      return Promise.all([shown.refresh(), shownQuestions.refresh()]);
    },
  });
  return (
    <Confirm
      title={`Block ${name}?`}
      description="You see no posts, comments, questions and answers of each other any more. Nobody is told. You can take it back on your account page."
      action="Block"
      pending={block.isPending}
      error={block.error}
      onConfirm={() => block.mutate()}
      onClose={onClose}
    />
  );
}
