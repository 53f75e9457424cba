export const texts = {
  spam: 'Spam o publicidad',
  abuse: 'Odio, amenazas o insultos',
  privacy: 'Revela información privada de alguien',
  other: 'Otra cosa',
  readers: 'Lo revisarán quien organiza y nuestro equipo.',
  nobodyTold: '{readers} Tu reporte es anónimo.',
  chooseReason: 'Elige un motivo',
  whatIsWrong: '¿Qué tiene de malo?',
  anythingToAdd: '¿Quieres agregar algo?',
  reporting: 'Reportando…',
  report: 'Reportar',
};
