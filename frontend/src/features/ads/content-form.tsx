import { AdContentBody, MAX_AD_ALT, MAX_AD_LINK, MAX_AD_TITLE, type BoughtAd } from '@beltway/contracts/served-ads';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFields } from '../../lib/form.ts';
import { explain } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { adQuery, sendContent } from './api.ts';
import { PictureField } from './picture-field.tsx';

/** Picture, link and words of an ad, sent to be approved. */
export function ContentForm({ ad }: { ad: BoughtAd }) {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: (content: AdContentBody) => sendContent(ad.id, content),
    onSuccess: (answer) => {
      queries.setQueryData(adQuery(ad.id).queryKey, answer);
      toast({ title: 'Sent for approval', description: 'You hear from us by mail.' });
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
    <form {...form.props} aria-label="Your ad" className="grid max-w-xl gap-5">
      <PictureField {...form.bind('imageUrl')} />
      <TextField label="Title" maxLength={MAX_AD_TITLE} {...form.bind('title')} />
      <TextField
        label="Link"
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={MAX_AD_LINK}
        hint="Where a click leads to."
        {...form.bind('linkUrl')}
      />
      <TextField
        label="The picture in words"
        maxLength={MAX_AD_ALT}
        hint="Read aloud to those who do not see it."
        {...form.bind('alt')}
      />
      {form.failure !== null && (
        <p role="alert" className="text-note text-danger-ink">
          {explain(form.failure)}
        </p>
      )}
      <Button type="submit" className="justify-self-start" pending={send.isPending}>
        Send for approval
      </Button>
    </form>
  );
}
