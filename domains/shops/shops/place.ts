import { provinceAndCityOf } from '#kit/fields/region/region.ts'

/** Returns province and city of a district by its code; nothing if the district is not changed. */
export function regionsOfDistrict(district: string | null | undefined): {
  province?: string | null
  city?: string | null
} {
  if (district === undefined) return {}
  return district ? provinceAndCityOf(district) : { province: null, city: null }
}
