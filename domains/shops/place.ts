/** The regions above a district, as its code says them. Nothing when the district is not being changed. */
export function placeOf(district: string | null | undefined): { province?: string | null; city?: string | null } {
  if (district === undefined) return {}
  return {
    province: district ? `${district.slice(0, 2)}0000` : null,
    city: district && district.length >= 4 ? `${district.slice(0, 4)}00` : null,
  }
}
