import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { explain } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/mark.tsx';

/** A page broke, or its code could not be loaded (offline, or a newer Beltway has replaced it): loading anew mends both. */
export function RouteError() {
  const error = useRouteError();
  usePageTitle('Something broke');
  const message = isRouteErrorResponse(error) ? error.statusText : explain(error);
  return (
    <div role="alert" className="page grid justify-items-start gap-4 py-16">
      <Mark className="size-12 text-accent-ink" />
      <h1 className="text-heading">This page broke down</h1>
      <p className="max-w-prose text-ink-soft">{message}</p>
      <Button onClick={() => window.location.reload()}>Reload the page</Button>
    </div>
  );
}
