export const texts = {
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
};
