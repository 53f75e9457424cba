import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Accessibility',
  lead: 'Beltway is for everybody. We build it to the Web Content Accessibility Guidelines 2.2, level AA.',
  updated: 'November 23, 2026',
  countOn: 'What you can count on',
  keyboard: 'Everything works by keyboard alone; what has the focus is always seen, and Back closes what is open.',
  readers: 'Screen readers hear names, states and errors. Dates and prices are read as people say them.',
  contrast: 'Text keeps its contrast in the light theme and in the dark one, and can be enlarged to 200%.',
  small: 'Pages work on screens 320 pixels wide. Buttons are large enough for a thumb.',
  motion: 'If your device asks for less motion, nothing moves.',
  errors: 'What is typed is kept when something goes wrong; errors stand at their field and say how to mend them.',
  howChecked: 'How we check',
  checked:
    'Each screen is checked by axe, in both themes and on small and large screens, whenever the code changes. That finds many faults, and not all: it is not the word of an independent auditor.',
  hard: 'What may still be hard',
  pictures: "Pictures that organizers upload have no description of their own; the event's title stands beside them.",
  cardForm: 'The card form belongs to the card provider.',
  steps:
    'Whether a place can be reached without steps is known to its organizer. The descriptions of events do not always say it.',
  tell: 'Tell us',
  tellWhat:
    'If something keeps you out, <contact>write to us</contact>: what you wanted to do, and with which device. We also help you buy a ticket another way.',
} as const;
export const texts = catalog(english, { es: () => import('./accessibility.texts.es.ts') });
