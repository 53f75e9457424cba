import { AppealBody } from '@beltway/contracts/identity/moderation';
import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { appealDecision } from './api.ts';
import { texts } from './texts.en.ts';

interface AppealFormProps {
  caseId: string;
  /** The token of the mail's link, for an author who cannot sign in. */
  token?: string;
  onAppealed: () => void;
}

/** Appeals a decision, with the author's own words. */
export function AppealForm({ caseId, token, onAppealed }: AppealFormProps) {
  const t = useTexts(texts);
  const appeal = useMutation({
    mutationFn: (text: string) => appealDecision(caseId, { text, ...(token !== undefined && { token }) }),
    onSuccess: onAppealed,
  });
  const form = useFields({
    schema: z.object({ text: AppealBody.shape.text }),
    initial: { text: '' },
    onSubmit: ({ text }) => appeal.mutate(text),
    error: appeal.error,
  });
  return (
    <form {...form.props} aria-label={t('askReview')} className="grid gap-3 sm:max-w-xl">
      <TextField {...form.bind('text')} label={t('whyWrong')} as={Textarea} rows={4} maxLength={1_000} />
      <Failure of={form.failure} />
      <Button type="submit" pending={appeal.isPending} className="justify-self-start">
        {t(appeal.isPending ? 'sending' : 'askReview')}
      </Button>
    </form>
  );
}
