import { reusableField } from '#kit/resource/index.ts'

/** A time of day, "22:30". */
export const timeOfDayField = reusableField.text({
  label: { zh: '时间', en: 'Time' },
  max: 5,
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  patternWords: { zh: '时间格式应为 22:30', en: 'Enter a time, for example, 22:30' },
  sample: (n) => `${String(n % 24).padStart(2, '0')}:30`,
  width: 90,
})
