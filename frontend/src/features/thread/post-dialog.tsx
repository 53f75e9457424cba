import { MAX_POST, SocialPostBody, type SocialPost } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { editPost, useShownPosts, writePost } from './posts-api.ts';
import { EventField } from './event-field.tsx';
import { explainWrite } from './explain-write.ts';
import { PictureField } from './picture-field.tsx';
import { PlaceField } from './place-field.tsx';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';
import { WordsField } from './words-field.tsx';

const Schema = z.object({
  content: SocialPostBody.shape.content,
  imageUrl: z.string(),
  eventId: z.string(),
  place: z.string(),
});
/** The storage key of the draft, which is stored until it is sent. */
const DRAFT = 'social-post';

interface PostDialogProps {
  userId: number;
  /** The post to edit; undefined for a new one. */
  post?: SocialPost;
  /** The initial subject of a new post, from the page. */
  about?: { eventId: string; place: string };
  onClose: () => void;
  onSaved: (post: SocialPost) => void;
}

/**
 * Writes a post, or edits the text and picture of the account's own post. Unsent text survives a reload and signing in
 * again.
 */
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
  const label = post ? t('changePost') : t('writePost');
  return (
    <FormDialog
      form={form}
      title={label}
      {...(!post && { description: t('everybodyReads') })}
      action={post ? t('save') : t('send')}
      acting={post ? t('saving') : t('posting')}
      pending={save.isPending}
      disabled={isStoring}
      failure={form.failure && explainWrite(form.failure)}
      onClose={onClose}
    >
      <WordsField {...form.bind('content')} label={t('whatToSay')} rows={5} max={MAX_POST} />
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
    </FormDialog>
  );
}
