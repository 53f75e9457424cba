import { SavedEvents } from '../features/events/engagement/saved-list.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

export function Component() {
  usePageTitle('Saved');
  return (
    <div className="page grid grid-cols-1 gap-8 py-8 lg:py-12">
      <h1 className="text-heading">Saved</h1>
      <SavedEvents
        empty={
          <EmptyState title="Nothing saved yet" action={<ButtonLink to="/">See what is on</ButtonLink>}>
            Press the bookmark of an event, and it waits for you here.
          </EmptyState>
        }
      />
    </div>
  );
}
