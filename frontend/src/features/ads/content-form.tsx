import {
  AdContentBody,
  MAX_AD_ALT,
  MAX_AD_LINK,
  MAX_AD_TITLE,
  type BoughtAd,
} from '@beltway/contracts/catalog/served-ads';
import { useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { adQuery, sendContent } from './api.ts';
import { PictureField } from './picture-field.tsx';
import { texts } from './texts.en.ts';

const SECURE = 'https://';

/** The form that submits an ad's picture, link and text for approval. */
export function ContentForm({ ad }: { ad: BoughtAd }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const send = useAction({
    mutationFn: (content: AdContentBody) => sendContent(ad.id, content),
    done: { title: t('sent'), description: t('sentWhy') },
    onSuccess: (answer) => {
      queries.setQueryData(adQuery(ad.id).queryKey, answer);
      if (answer.sent) form.reset(answer.sent);
    },
  });
  const form = useFields({
    schema: AdContentBody,
    initial: ad.sent ?? { imageUrl: '', linkUrl: '', title: '', alt: '' },
    onSubmit: (content) => send.mutate(content),
    error: send.error,
  });
  return (
    <form {...form.props} aria-label={t('yourAd')} className="grid max-w-xl gap-5">
      <PictureField {...form.bind('imageUrl')} />
      <TextField label={t('title')} maxLength={MAX_AD_TITLE} {...form.bind('title')} />
      <TextField
        label={t('link')}
        type="url"
        inputMode="url"
        placeholder={SECURE}
        maxLength={MAX_AD_LINK}
        hint={t('linkHint')}
        {...form.bind('linkUrl')}
      />
      <TextField label={t('inWords')} maxLength={MAX_AD_ALT} hint={t('inWordsHint')} {...form.bind('alt')} />
      <Failure of={form.failure} />
      <Button type="submit" className="justify-self-start" pending={send.isPending}>
        {t('sendForApproval')}
      </Button>
    </form>
  );
}
