export const texts = {
  spam: 'Spam o publicidad',
  abuse: 'Odio, amenazas o insultos',
  privacy: 'Revela cosas privadas de alguien',
  other: 'Otra cosa',
  readers: 'Lo revisan quien organiza y el equipo de Beltway.',
  nobodyTold: '{readers} A nadie se le dice que fuiste tú.',
  chooseReason: 'Elige un motivo',
  whatIsWrong: '¿Qué tiene de malo?',
  anythingToAdd: '¿Quieres agregar algo?',
  reporting: 'Reportando…',
  report: 'Reportar',
};
