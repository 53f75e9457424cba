import { MAX_POST, SocialPostBody, type SocialPost } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { editPost, useShownPosts, writePost } from './api.ts';
import { EventField } from './event-field.tsx';
import { explainWrite } from './explain-write.ts';
import { PictureField } from './picture-field.tsx';
import { PlaceField } from './place-field.tsx';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';

const Schema = z.object({
  content: SocialPostBody.shape.content,
  imageUrl: z.string(),
  eventId: z.string(),
  place: z.string(),
});
/** What is typed is kept under this name until it was sent. */
const DRAFT = 'social-post';
/** With fewer characters left it is said how many. */
const NEARLY_FULL = 200;
const FORM = 'post-form';

interface PostDialogProps {
  userId: number;
  /** The one that changes; without it a new one is written. */
  post?: SocialPost;
  /** What a new one is about at first: what the page shows. */
  about?: { eventId: string; place: string };
  onClose: () => void;
  onSaved: (post: SocialPost) => void;
}

/** Writes a post, or changes one's own: words and picture. Words that were not sent survive a reload and signing in again. */
export function PostDialog({ userId, post, about, onClose, onSaved }: PostDialogProps) {
  const t = useTexts(texts);
  const shown = useShownPosts();
  const [isStoring, setStoring] = useState(false);
  const retryKey = useRetryKey();
  const save = useMutation({
    mutationFn: ({ content, imageUrl, eventId, place }: z.infer<typeof Schema>): Promise<SocialPost> => {
      if (post) return editPost(post.id, { content, imageUrl: imageUrl || null });
      const body: SocialPostBody = {
        content,
        ...(imageUrl && { imageUrl }),
        ...(eventId && { eventId: Number(eventId) }),
        ...(place && { place }),
      };
      return writePost(body, retryKey.of(JSON.stringify(body)));
    },
    onSuccess: (saved) => {
      if (post) shown.change(post.id, () => saved);
      else drafts.drop(DRAFT);
      onSaved(saved);
      return shown.refresh();
    },
  });
  const form = useFields({
    schema: Schema,
    initial: {
      content: post?.content ?? drafts.read(DRAFT, userId, z.string()) ?? '',
      imageUrl: post?.imageUrl ?? '',
      eventId: about?.eventId ?? '',
      place: about?.place ?? '',
    },
    onChange: ({ content }) => {
      if (post) return;
      if (content) drafts.write(DRAFT, userId, content);
      else drafts.drop(DRAFT);
    },
    onSubmit: (checked) => save.mutate(checked),
    error: save.error,
  });
  const left = MAX_POST - form.values.content.length;
  const label = post ? t('changePost') : t('writePost');
  return (
    <Dialog
      onClose={onClose}
      title={label}
      {...(!post && { description: t('everybodyReads') })}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={FORM} pending={save.isPending} disabled={isStoring}>
            {post ? (save.isPending ? t('saving') : t('save')) : save.isPending ? t('posting') : t('send')}
          </Button>
        </>
      }
    >
      <form {...form.props} id={FORM} aria-label={label} className="grid gap-5 pt-1">
        <TextField
          {...form.bind('content')}
          label={t('whatToSay')}
          as={Textarea}
          rows={5}
          dir="auto"
          onKeyDown={(press) => {
            if (press.key === 'Enter' && (press.metaKey || press.ctrlKey) && !isStoring)
              press.currentTarget.form?.requestSubmit();
          }}
          {...(left < NEARLY_FULL && { hint: t('charactersLeft', { count: Math.max(0, left) }) })}
        />
        <PictureField {...form.bind('imageUrl')} onBusy={setStoring} />
        {!post && (
          <>
            <EventField {...form.bind('eventId')} />
            <PlaceField
              {...form.bind('place')}
              label={t('place')}
              optional
              none={form.values.eventId ? t('whereEventIs') : t('noPlace')}
            />
          </>
        )}
        {form.failure && (
          <p role="alert" className="text-note text-danger-ink">
            {explainWrite(form.failure)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
