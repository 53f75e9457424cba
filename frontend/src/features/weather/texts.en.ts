import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  notLoaded: 'Couldn’t load the weather. {why}',
  askAgain: 'Check the weather again',
  loading: 'Loading the weather',
  observation: 'Observed at the nearest station; forecast by the National Weather Service',
  forecastOnly: 'Forecast by the National Weather Service',
  open: 'From an open weather service',
  seasonal: 'Usual for {part, select, early {early} mid {mid} other {late}} {month}',
  feelsLike: 'Feels like {degrees}',
  humidity: 'Humidity {percent}%',
  wind: 'Wind {speed} mph',
  visibility: 'Visibility {miles} mi',
  weatherIn: 'Weather in {place}',
  forecast: 'Forecast',
  tonight: 'Tonight near me',
  today: 'Today',
  condition: '{condition},',
  highLow: '<hidden>high </hidden>{high}<hidden>, low </hidden><soft> {low}</soft>',
  chance: '{percent}%<hidden> chance of rain or snow</hidden>',
  onTheDay: 'Weather on the day',
  range: 'High {high}, low {low}',
  rangeAndChance: 'High {high}, low {low}, {percent}% chance of rain or snow',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
