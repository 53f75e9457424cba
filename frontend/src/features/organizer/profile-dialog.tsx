import { MAX_ABOUT, MAX_LINKS, ProfileLinks } from '@beltway/contracts/catalog/organizer-profile';
import type { Organizer } from '@beltway/contracts/catalog/organizers';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { useAction } from '../../lib/actions/use-action.ts';
import { organizerQuery } from '../../lib/events/event-queries.ts';
import { useFields } from '../../lib/forms/form.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { saveProfile } from './profile-api.ts';
import { ProfilePicture } from './profile-picture.tsx';
import { texts } from './profile.texts.en.ts';

/** Splits the typed text into links, one per line. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const Schema = z.object({
  about: z.string().trim().max(MAX_ABOUT),
  links: z.string().transform(linesOf).pipe(ProfileLinks),
  pictureUrl: z.string(),
  coverUrl: z.string(),
});

/** Edits the profile on the account's organizer page. */
export function ProfileDialog({ organizer, onClose }: { organizer: Organizer; onClose: () => void }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const [busy, setBusy] = useState(0);
  const onBusy = (isBusy: boolean) => setBusy((count) => count + (isBusy ? 1 : -1));
  const save = useAction({
    mutationFn: (checked: z.output<typeof Schema>) =>
      saveProfile({ ...checked, pictureUrl: checked.pictureUrl || null, coverUrl: checked.coverUrl || null }),
    onSuccess: (saved) => {
      queries.setQueryData(organizerQuery(organizer.id).queryKey, saved);
      onClose();
    },
  });
  const form = useFields({
    schema: Schema,
    initial: {
      about: organizer.about,
      links: organizer.links.join('\n'),
      pictureUrl: organizer.pictureUrl ?? '',
      coverUrl: organizer.coverUrl ?? '',
    },
    onSubmit: (checked) => save.mutate(checked),
    error: save.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('title')}
      description={t('everyoneSees')}
      action={t('save')}
      acting={t('saving')}
      pending={save.isPending}
      disabled={busy > 0}
      onClose={onClose}
    >
      <ProfilePicture
        {...form.bind('pictureUrl')}
        label={t('picture')}
        className="size-28 rounded-full"
        onBusy={onBusy}
      />
      <ProfilePicture {...form.bind('coverUrl')} label={t('cover')} className="aspect-3/1 rounded-md" onBusy={onBusy} />
      <TextField {...form.bind('about')} label={t('about')} optional as={Textarea} rows={5} maxLength={MAX_ABOUT} />
      <TextField
        {...form.bind('links')}
        label={t('links')}
        optional
        as={Textarea}
        rows={3}
        hint={t('linksHint', { count: String(MAX_LINKS) })}
      />
    </FormDialog>
  );
}
