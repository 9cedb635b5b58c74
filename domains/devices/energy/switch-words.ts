export const powerSwitchLabels = {
  on: { zh: '通电', en: 'Switch on' },
  off: { zh: '断电', en: 'Switch off' },
}
