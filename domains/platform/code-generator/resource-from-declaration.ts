import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { hasValueLabel, fieldKindOf } from '#kit/fields/kinds.ts'
import { defineResource, f, valueLabelKeyOf, type Resource } from '#kit/resource/index.ts'
import { localize, type Lang } from '#kit/base/localized-text.ts'
import type { GeneratedDeclaration, DeclarationResult, GeneratedField } from './declare.ts'

type Make = (...given: unknown[]) => Field

/** Calls the field builder that a generated field names. */
const built = ({ make, of, options }: GeneratedField): Field => {
  const builder = (f as unknown as Record<string, Make>)[make]!
  return of === undefined ? builder(options) : builder(of, options)
}

/** Builds the resource of a generated declaration in memory, for previews and tests. */
export function resourceFromDeclaration({ fields, ...rest }: GeneratedDeclaration): Resource<any, any> {
  const made = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, built(field)]))
  return defineResource({ ...rest, fields: made } as unknown as Parameters<typeof defineResource>[0])
}

const ROWS = 12
const DAY = '2026-01-'

type SampleRow = Record<string, unknown> & { id: string }

/** Returns sample rows of a generated resource for the preview. */
export function createSampleRows(resource: Resource<any, any>, declared: DeclarationResult, lang: Lang): SampleRow[] {
  const { dictionaries, declaration } = declared
  const made = declaration.fields
  const entries = new Map(dictionaries.map(({ code, entries: all }) => [code, all]))
  return Array.from({ length: ROWS }, (_none, at) => {
    const row: SampleRow = { id: String(at + 1), version: 1, tenantId: '100001' }
    for (const [key, field] of Object.entries(resource.fields as Fields)) {
      const choice = field.dict ? entries.get(field.dict)?.[at % (entries.get(field.dict)?.length || 1)] : undefined
      row[key] = choice ? (field.numeric ? Number(choice.key) : choice.key) : sampleOf(field, made[key]!.make, at, lang)
      if (hasValueLabel(field))
        row[valueLabelKeyOf(key, field)] = choice ? localize(choice, lang) : field.to ? sampleName(field, at, lang) : ''
    }
    const day = String(28 - at).padStart(2, '0')
    return { ...row, createTime: `${DAY}${day} 09:30:00`, updateTime: `${DAY}${day} 10:00:00` }
  })
}

const sampleName = ({ label }: Field, at: number, lang: Lang): string => `${localize(label, lang)} ${(at % 4) + 1}`

function sampleOf(field: Field, make: string, at: number, lang: Lang): unknown {
  const kind = fieldKindOf(field)
  if (kind.isParent) return at > 2 ? String((at % 3) + 1) : '0'
  if (kind.choices === 'rows') return String((at % 4) + 1)
  if (kind.isFree && kind.readsAs === 'text' && !kind.document)
    return `${localize(field.label, lang)} ${at + 1}`.slice(0, field.max ?? 255)
  // A file nobody stored cannot be shown.
  if (kind.writeOnly || make === 'picture') return ''
  const parsed = kind.parse(kind.sample(field, at + 1), field)
  return 'problem' in parsed ? '' : kind.wire(parsed.value, field)
}
