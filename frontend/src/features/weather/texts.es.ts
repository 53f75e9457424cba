import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  notLoaded: 'No se pudo cargar el clima. {why}',
  askAgain: 'Volver a pedir el clima',
  loading: 'Cargando el clima',
  observation: 'Observado por la estación más cercana; pronóstico del servicio meteorológico nacional',
  forecastOnly: 'Pronóstico del servicio meteorológico nacional',
  open: 'De un servicio meteorológico abierto',
  seasonal: 'Promedios de treinta años, no una medición ni un pronóstico',
  feelsLike: 'Sensación de {degrees}',
  humidity: 'Humedad {percent}%',
  wind: 'Viento {speed} mph',
  visibility: 'Visibilidad {miles} mi',
  weatherIn: 'Clima en {place}',
  typical: 'Lo típico de estos días',
  forecast: 'Pronóstico',
  tonight: 'Esta noche cerca de mí',
  today: 'Hoy',
  condition: '{condition},',
  highLow: '<hidden>máxima </hidden>{high}<hidden>, mínima </hidden><soft> {low}</soft>',
  chance: '{percent}%<hidden> de probabilidad de lluvia o nieve</hidden>',
  onTheDay: 'El clima de ese día',
  range: 'Máxima {high}, mínima {low}',
  rangeAndChance: 'Máxima {high}, mínima {low}, {percent}% de probabilidad de lluvia o nieve',
} as const satisfies Translated<typeof english>;
