import type { CategoryName } from '@beltway/contracts/catalog/categories';
import type { Words } from './english.ts';

const CATEGORIES: Record<CategoryName, string> = {
  music: 'Música',
  food: 'Comida y bebida',
  nightlife: 'Vida nocturna',
  arts: 'Arte e ideas',
  sports: 'Al aire libre',
  family: 'Familia',
  community: 'Comunidad',
  other: 'Comunidad',
};

export const spanish: Words = {
  builtPage: {
    description:
      'Descubre qué hay esta noche en Washington DC, Maryland y Virginia, y consigue tu boleto. Publica tu propio evento en minutos.',
    noScript: 'Beltway necesita JavaScript para mostrar qué hay.',
  },

  siteName: 'Beltway: qué hay en DC, Maryland y Virginia',
  siteDescription: 'Descubre qué hay esta noche en Washington DC, Maryland y Virginia, y consigue tu boleto.',
  anOrganiser: 'Quien organiza',
  organiserDescription: (name) =>
    `${name === undefined ? 'Eventos' : `Los eventos de ${name}`} en Washington DC, Maryland y Virginia: fechas, lugares, boletos.`,

  welcome: 'Bienvenida',
  headline: 'Tu noche está a una salida.',
  leadWide: 'Conciertos, terrazas, mercados y salidas nocturnas en Washington DC, Maryland y Virginia. ',
  lead: 'Encuentra uno, compra tu boleto y ve. El precio que ves es el precio que pagas.',
  find: 'Buscar un evento',
  launch: 'Publicar mi evento',
  nextUp: 'Lo próximo',
  where: 'Dónde: ',
  freeEntry: 'Entrada gratis',

  category: ({ name }) => CATEGORIES[name],
  sponsored: 'PATROCINADO',
  ended: 'Terminado',
  pictureOf: (title) => `Imagen de ${title}`,
  date: 'Fecha',
  time: 'Hora',
  place: 'Lugar',
  directions: 'Cómo llegar',
  newTab: ' (abre un mapa en otra pestaña)',
  entry: 'Entrada',
  freeEntryNoTicket: 'Entrada gratis, sin boleto',
  tags: 'Etiquetas',
  tickets: 'Boletos',
  perTicket: 'por boleto, sin cargos adicionales',
  liveStream: 'Transmisión en vivo',

  firstStep: 'Paso 1 de 2',
  getTickets: 'Consigue tus boletos',
  comeIn: 'Pasa, adelante.',
  whyAccount:
    'Con una cuenta, tus boletos están en un solo lugar y tus propios eventos están a un formulario de distancia.',
};
