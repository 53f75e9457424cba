import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Accessibility',
  lead: 'Beltway is for everyone. We build it to the Web Content Accessibility Guidelines 2.2, level AA.',
  updated: 'November 23, 2026',
  countOn: 'What you can count on',
  keyboard: 'Everything works by keyboard alone. Focus is always visible, and Back closes dialogs.',
  readers: 'Screen readers announce names, states and errors. Dates and prices are read the way people say them.',
  contrast: 'Text keeps its contrast in the light and dark themes, and you can enlarge it to 200%.',
  small: 'Pages work on screens 320 pixels wide. Buttons are large enough for a thumb.',
  motion: 'If your device asks for reduced motion, nothing moves.',
  errors: 'If something goes wrong, we keep what you typed. Errors appear beside their field and say how to fix them.',
  howChecked: 'How we check',
  checked:
    'We check each screen with axe, in both themes and on small and large screens, whenever the code changes. That finds many problems but not all. It doesn’t replace an independent audit.',
  hard: 'What may still be hard',
  pictures: 'Photos that organizers upload don’t have alt text of their own. The event’s title is beside them.',
  cardForm: 'The card form comes from the card provider.',
  steps: 'Organizers know whether their venue has step-free access. Event descriptions don’t always mention it.',
  tell: 'Tell us',
  tellWhat:
    'If something keeps you from using Beltway, <contact>write to us</contact>: tell us what you wanted to do and on which device. We can also help you buy a ticket another way.',
} as const;
export const texts = catalog(english, { es: () => import('./accessibility.texts.es.ts') });
