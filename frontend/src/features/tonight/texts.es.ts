import type { Translated } from '../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  title: 'Esta noche cerca de mí',
  lead: 'Lo que empieza en las próximas tres horas, a pie o en Metro, y a qué hora salir.',
  usePosition: 'Usar mi ubicación',
  whereYouAre: 'donde estás',
  whereStart: '¿Desde dónde sales?',
  whereStartWhy:
    'Déjanos usar tu ubicación: se queda en este dispositivo, salvo para el clima, que se pide con unas millas de margen. O elige una estación de Metro o un barrio.',
  whereYouStart: 'Desde dónde sales',
  station: 'Estación o barrio',
  show: 'Mostrar',
  unknown: 'No sabemos con certeza cuál es este lugar. Prueba con una estación de Metro, un barrio o una ciudad.',
  notLoaded: 'No se pudieron cargar los eventos',
  loading: 'Cargando lo que empieza esta noche',
  eventsFrom: '{number} {count, plural, one {evento} other {eventos}} desde {name}',
  nothing: 'Nada empieza pronto cerca de aquí',
  later: 'Ver lo que hay después',
  nothingWhy:
    'En las próximas tres horas no empieza ningún evento al que se llegue a pie o en Metro desde {name}. Sal desde otro lugar o mira más adelante.',
  estimates:
    'Los tiempos son estimados: 80 metros por minuto a pie, esperas habituales de los trenes, sin horarios ni avisos de demoras.',
  onlyFirst: ' Solo se miraron los primeros {number} eventos que empiezan pronto.',
  leaveNow: 'Sal ya: llegarías {count, plural, one {# minuto} other {# minutos}} tarde',
  leaveAt: 'Sal a las {time}',
  heldByOthers: '{price}, los que quedan los tienen apartados otras personas',
  left: '{price}, quedan {count}',
  soldOut: 'Agotado',
  notYet: '{price}, todavía no está a la venta',
  noLonger: 'Aquí ya no se venden boletos',
  noTickets: 'Aquí no se venden boletos',
  rightHere: 'Aquí mismo',
  onFoot: 'Unos {count, plural, one {# minuto} other {# minutos}} a pie',
  byMetro:
    'Unos {count, plural, one {# minuto} other {# minutos}} en Metro: línea {line} desde {from}{changes}, hasta {to}',
  change: ', cambio a la {line}',
  red: 'roja',
  orange: 'naranja',
  silver: 'plateada',
  blue: 'azul',
  yellow: 'amarilla',
  green: 'verde',
} as const satisfies Translated<typeof english>;
