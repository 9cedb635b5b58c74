import { fragment } from '#kit/resource/index.ts'

/** Where a place is, in degrees. */
export const longitude = fragment.number({
  label: { zh: '经度', en: 'Longitude' },
  decimals: 6,
  min: -180,
  max: 180,
})
export const latitude = fragment.number({ label: { zh: '纬度', en: 'Latitude' }, decimals: 6, min: -90, max: 90 })
