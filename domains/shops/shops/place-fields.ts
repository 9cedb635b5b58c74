import { reusableField } from '#kit/resource/index.ts'

/** Reusable field for a longitude in degrees. */
export const longitudeField = reusableField.number({
  label: { zh: '经度', en: 'Longitude' },
  decimals: 6,
  min: -180,
  max: 180,
})
/** Reusable field for a latitude in degrees. */
export const latitudeField = reusableField.number({
  label: { zh: '纬度', en: 'Latitude' },
  decimals: 6,
  min: -90,
  max: 90,
})
