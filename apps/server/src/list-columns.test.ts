import { expect, test } from 'vitest'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { productModules } from './modules.ts'

/** Width of a column whose declaration gives none, by field kind; `OTHER` is that of all other kinds. */
const USUAL: Record<string, number> = {
  text: 160,
  dict: 100,
  ref: 150,
  refs: 200,
  datetime: 160,
  money: 110,
  number: 100,
  boolean: 80,
  region: 190,
  date: 110,
}
const OTHER = 120
/** Width for columns on a screen of 1440 px, without menu, row selection and buttons. */
const WIDTH = 840
/** Lists whose page defines its own columns. */
const ELSEWHERE = new Set(['user'])

const widthOf = (field: Field | undefined): number =>
  Math.max(field?.width ?? USUAL[field?.kind ?? 'datetime'] ?? OTHER, field ? field.label.zh.length * 14.2 + 48 : 0)
const decides = (key: string, field: Field | undefined): boolean =>
  (field?.kind === 'dict' && /(status|state|result)$/i.test(key)) || (field?.kind === 'boolean' && key === 'enabled')

test(
  'what decides on a row stands on the first screen of its list: its state, its step ' +
    'at a platform, whether it is in use',
  () => {
    const beyond = [...createModuleRegistry(productModules).served.values()]
      .filter(({ resource }) => !ELSEWHERE.has(resource.name))
      .flatMap(({ resource }) => {
        const fields = resource.fields as Record<string, Field>
        let at = 0
        return (resource.list.columns as string[]).flatMap((key) => {
          at += widthOf(fields[key])
          return decides(key, fields[key]) && at > WIDTH ? [`${resource.name}.${key} ends at ${Math.round(at)}`] : []
        })
      })
    expect(beyond).toEqual([])
  },
)
