import { provinceAndCityOf } from '#kit/fields/region/region.ts'

/** The regions above a district, as its code says them. Nothing when the district is not being changed. */
export function regionsOfDistrict(district: string | null | undefined): {
  province?: string | null
  city?: string | null
} {
  if (district === undefined) return {}
  return district ? provinceAndCityOf(district) : { province: null, city: null }
}
