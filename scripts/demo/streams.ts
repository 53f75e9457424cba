import type { LivestreamCategory } from '@beltway/contracts/catalog/livestream';

/** A sample live stream, with an event of its own around it. */
export interface SampleStream {
  title: string;
  description: string;
  /** Its words say what kind of place it is (`livestreamCategoryOf`). */
  location: string;
  category: LivestreamCategory;
  tags: string[];
}

const MADE_UP = 'Made up for the demo: a drawing that moves stands in for a camera, and nothing of it is real.';

/** One for each kind of place; what they show is drawn by scripts/clips.ts. */
export const sampleStreams: SampleStream[] = [
  {
    title: 'Dusk at the Monument',
    description: `Flags, a long reflection and the first stars over the Mall. ${MADE_UP}`,
    location: 'National Mall, Washington, DC',
    category: 'Landmark',
    tags: ['#free', '#outdoors'],
  },
  {
    title: 'Boats at the Wharf',
    description: `Sails, gulls and a little swell in the channel. ${MADE_UP}`,
    location: 'The Wharf, Washington, DC',
    category: 'Waterfront',
    tags: ['#free', '#waterfront'],
  },
  {
    title: 'Clouds over Capitol Hill',
    description: `The dome, the flag and the fountain in front of them. ${MADE_UP}`,
    location: 'Capitol Hill, Washington, DC',
    category: 'Government',
    tags: ['#free', '#outdoors'],
  },
  {
    title: 'Dance Floor on U Street',
    description: `Beams, bars and a floor that does not stand still. ${MADE_UP}`,
    location: 'U Street, Washington, DC',
    category: 'Entertainment District',
    tags: ['#UStreet', '#liveDJ', '#nightlife'],
  },
  {
    title: 'The Wheel at National Harbor',
    description: `Twelve cabins go round above the river. ${MADE_UP}`,
    location: 'National Harbor, MD',
    category: 'Waterfront Resort',
    tags: ['#family', '#waterfront'],
  },
  {
    title: 'Around Dupont Circle',
    description: `People, cars and one traffic light. ${MADE_UP}`,
    location: 'Dupont Circle, Washington, DC',
    category: 'Street Views',
    tags: ['#free', '#art'],
  },
];
