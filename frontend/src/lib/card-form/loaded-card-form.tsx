import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { explain } from '../http/http.ts';
import { CardForm } from './card-form.tsx';
import { providerQuery } from './card-provider.ts';
import { texts } from './texts.en.ts';

/** The configured provider's card form, with a skeleton while loading and a retry after an error. */
export function LoadedCardForm(props: Omit<ComponentProps<typeof CardForm>, 'stripe' | 'sandbox'>) {
  const t = useTexts(texts);
  const provider = useQuery(providerQuery);
  if (provider.isError)
    return (
      <ErrorState
        title={t('notInitializedTitle')}
        message={explain(provider.error)}
        onRetry={() => void provider.refetch()}
        retrying={provider.isFetching}
      />
    );
  if (provider.isPending)
    return (
      <Loading label={t('loading')} className="grid gap-4">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
        <Skeleton className="h-12" />
      </Loading>
    );
  return <CardForm {...provider.data} {...props} />;
}
