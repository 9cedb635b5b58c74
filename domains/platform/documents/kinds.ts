import './refusals.ts'
import type { Field } from '#kit/fields/field-kind.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import { numberKey, paperFields, paperLook, type RowDocument, type LocalizedText } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/refused.ts'
import { familyOf } from '#kit/server/resource/custom-fields.ts'
import type { Call, ServedResource } from '#kit/server/module.ts'
import type { Kind, PaperField } from './paper.ts'

/** A kind of document with the families it is made of, as the caller's tenant has them. */
export type ResolvedDocument = {
  kind: string
  document: RowDocument
  served: ServedResource
  /** The family of its lines, where they are rows. */
  lines?: ServedResource
}

/** Every kind of document the families declare. */
export const kindsOf = (call: Pick<Call, 'services' | 'caller'>): ResolvedDocument[] =>
  [...call.services.registry.served.keys()].flatMap((name) => kindsOfFamily(call, name))

export function kindsOfFamily(call: Pick<Call, 'services' | 'caller'>, name: string): ResolvedDocument[] {
  const served = familyOf(name, call)!
  return Object.entries(served.resource.documents).map(([kind, document]) => {
    const { lines } = document
    return { kind, document, served, ...(lines && 'of' in lines ? { lines: familyOf(lines.of, call) } : {}) }
  })
}

export function kindNamed(call: Pick<Call, 'services' | 'caller'>, name: string): ResolvedDocument {
  const found = kindsOf(call).find(({ kind }) => kind === name)
  if (!found) throw new Refused('print_unknown', { name })
  return found
}

export type Offered = Map<string, Field>
/** What may stand on a document: facts, columns and totals by their keys. */
type Offers = { facts: Offered; columns: Offered; totals: Offered }

export function offersOf({ document, served, lines }: ResolvedDocument): Offers {
  const facts = new Map(paperFields(served.resource))
  const of = document.lines
  const columns = !of
    ? []
    : 'in' in of
      ? paperFields({ fields: of.fields }).filter(([key]) => key in of.fields)
      : paperFields(lines!.resource).filter(([key]) => key !== of.by)
  return {
    facts,
    columns: new Map(columns),
    totals: new Map([...facts].filter(([, field]) => ['number', 'amount'].includes(paperLook(field)))),
  }
}

/** In pixels, as lists say it: figures need less room than in a list, a moment all of it. */
const FIGURE_WIDTH = 75
const MOMENT_WIDTH = 185

function widthOf(field: Field, look: PaperField['look']): number | undefined {
  if (look === 'number' || look === 'amount') return FIGURE_WIDTH
  return kindOf(field).readsAs === 'moment' ? MOMENT_WIDTH : field.width
}

export function onPaper(key: string, field: Field, label: LocalizedText = field.label): PaperField {
  const look = paperLook(field)
  const width = widthOf(field, look)
  return { key, label, look, ...(width && { width }) }
}

/** What a document shows without a template. */
export const usualOf = ({ document }: ResolvedDocument): Kind['usual'] => ({
  facts: [...document.facts],
  columns: [...(document.lines?.columns ?? [])],
  totals: [...(document.totals ?? [])],
  signs: [...(document.signs ?? [])],
})

export function kindFor(found: ResolvedDocument): Kind {
  const offers = offersOf(found)
  const all = (offered: Offered) => [...offered].map(([key, field]) => onPaper(key, field))
  return {
    kind: found.kind,
    label: found.document.label,
    family: found.served.resource.label,
    offers: { facts: all(offers.facts), columns: all(offers.columns), totals: all(offers.totals) },
    usual: usualOf(found),
  }
}

/** The field that numbers a document. */
export function numberOf({ document, served: { resource } }: ResolvedDocument): [key: string, field: Field] {
  const key = numberKey(resource, document)
  return [key, resource.fields[key] as Field]
}
