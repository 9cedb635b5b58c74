import { parseScaledDecimal, fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** A point on the map: "longitude,latitude" in degrees with at most six decimals (GCJ-02, as Chinese maps use). */
export const locationKind: FieldKind = {
  kind: 'location',
  column: () => 'text',
  parse: (input) => {
    const [longitude, latitude, ...rest] = typeof input === 'string' ? input.split(',') : []
    const east = parseScaledDecimal(longitude, 6)
    const north = parseScaledDecimal(latitude, 6)
    if (east === undefined || north === undefined || rest.length || Math.abs(east) > 180e6 || Math.abs(north) > 90e6)
      return fieldParseRefusal('not_a_location')
    return { value: `${east / 1e6},${north / 1e6}` }
  },
  wire: (stored) => stored ?? '',
  operator: 'eq',
  schema: () => ({ type: 'string', examples: ['120.130203,30.259324'] }),
  sample: (_field, n) => `120.13,${30 + (n % 10) / 10}`,
  readsAs: 'text',
  isPicked: true,
  inRules: false,
  wrong: () => '181,0',
}
