import type { Position } from '@beltway/places/distance';
import { MAX_SEARCH_NAME, RenameSearchBody } from '@beltway/contracts/catalog/saved-searches';
import { useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { serverNow } from '../../../lib/time/server-clock.ts';
import { useFields } from '../../../lib/forms/form.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { HERE, type EventFilter } from '../filter.ts';
import { useAction } from '../../../lib/actions/use-action.ts';
import { refreshSearches, saveSearch, SEARCHES_SECTION } from './api.ts';
import { factsOf, keptSearchOf, type KeptSearch } from './kept-search.ts';
import { texts } from './texts.en.ts';

/** Suggests a name from as many facts as fit. Leaves out quotes, because the page already shows names in quotes. */
function nameFor(facts: readonly string[]): string {
  let name = '';
  for (const quoted of facts) {
    const fact = quoted.replace(/^‘(.*)’$/, '$1');
    const longer = name ? `${name}, ${fact}` : fact;
    if (longer.length <= MAX_SEARCH_NAME) name = longer;
  }
  return name;
}

interface SaveSearchDialogProps {
  filter: EventFilter;
  position: Position | null;
  onClose: () => void;
}

/** Names and saves the current search. */
export function SaveSearchDialog({ filter, position, onClose }: SaveSearchDialogProps) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const kept = keptSearchOf(filter, position, new Date(serverNow()));
  const facts = factsOf(filter);
  const saving = useAction({
    mutationFn: ({ name, search }: { name: string; search: KeptSearch }) => saveSearch({ name, search }),
    done: ({ name }, asked) => ({
      title: name === asked.name ? t('saved') : t('savedAs', { name }),
      description: t('ringsBell'),
      link: { to: `/account#${SEARCHES_SECTION}`, text: t('yourSearches') },
      at: window.location.pathname,
    }),
    onSuccess: () => {
      void refreshSearches(queries);
      onClose();
    },
  });
  const form = useFields({
    schema: RenameSearchBody,
    initial: { name: nameFor(facts) },
    onSubmit: ({ name }) => 'search' in kept && saving.mutate({ name, search: kept.search }),
    error: saving.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('saveThis')}
      action={t('save')}
      acting={t('saving')}
      pending={saving.isPending}
      disabled={'problem' in kept}
      failure={'problem' in kept ? kept.problem : form.failure}
      onClose={onClose}
    >
      <p className="text-ink-soft">{t('saveWhy')}</p>
      <ul aria-label={t('looksFor')} className="flex flex-wrap gap-2">
        {facts.map((fact) => (
          <li key={fact} className="rounded-full border border-line px-3 py-1 text-note wrap-anywhere">
            <bdi>{fact}</bdi>
          </li>
        ))}
      </ul>
      {filter.near === HERE && <Meta>{t('positionKept')}</Meta>}
      <TextField {...form.bind('name')} label={t('name')} maxLength={MAX_SEARCH_NAME} autoComplete="off" />
    </FormDialog>
  );
}
