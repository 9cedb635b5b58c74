import './refusals.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import {
  documentNumberKey,
  printableFields,
  printFormatOf,
  type PrintableDocument,
  type LocalizedText,
} from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { findServedResource } from '#kit/server/resource/custom-fields.ts'
import type { Call, ServedResource } from '#kit/server/module/module.ts'
import type { DocumentKind, DocumentField } from './paper.ts'

/** A kind of document with its resources, including the tenant's custom fields. */
export type ResolvedDocument = {
  kind: string
  document: PrintableDocument
  served: ServedResource
  /** The resource of its lines, if they are rows of one. */
  lines?: ServedResource
}

/** Returns every kind of document the resources declare. */
export const listDocumentKinds = (call: Pick<Call, 'services' | 'caller'>): ResolvedDocument[] =>
  [...call.services.registry.served.keys()].flatMap((name) => documentKindsOfResource(call, name))

export function documentKindsOfResource(call: Pick<Call, 'services' | 'caller'>, name: string): ResolvedDocument[] {
  const served = findServedResource(name, call)!
  return Object.entries(served.resource.documents).map(([kind, document]) => {
    const { lines } = document
    return { kind, document, served, ...(lines && 'of' in lines ? { lines: findServedResource(lines.of, call) } : {}) }
  })
}

export function requireDocumentKind(call: Pick<Call, 'services' | 'caller'>, name: string): ResolvedDocument {
  const found = listDocumentKinds(call).find(({ kind }) => kind === name)
  if (!found) throw new Refused('print_unknown', { name })
  return found
}

export type OfferedDocumentFields = Map<string, Field>
/** The fields a document can show, by key: facts, columns and totals. */
type Offers = { facts: OfferedDocumentFields; columns: OfferedDocumentFields; totals: OfferedDocumentFields }

export function offeredDocumentFieldsOf({ document, served, lines }: ResolvedDocument): Offers {
  const facts = new Map(printableFields(served.resource))
  const of = document.lines
  const columns = !of
    ? []
    : 'in' in of
      ? printableFields({ fields: of.fields }).filter(([key]) => key in of.fields)
      : printableFields(lines!.resource).filter(([key]) => key !== of.by)
  return {
    facts,
    columns: new Map(columns),
    totals: new Map([...facts].filter(([, field]) => ['number', 'amount'].includes(printFormatOf(field)))),
  }
}

/** Column widths in pixels, as in lists. Figures need less than in a list. */
const FIGURE_WIDTH = 75
/** Wide enough for a full date and time. */
const MOMENT_WIDTH = 185

function widthOf(field: Field, look: DocumentField['look']): number | undefined {
  if (look === 'number' || look === 'amount') return FIGURE_WIDTH
  return fieldKindOf(field).readsAs === 'moment' ? MOMENT_WIDTH : field.width
}

export function toDocumentField(key: string, field: Field, label: LocalizedText = field.label): DocumentField {
  const look = printFormatOf(field)
  const width = widthOf(field, look)
  return { key, label, look, ...(width && { width }) }
}

/** Returns the fields a document shows without a template. */
export const defaultDocumentContent = ({ document }: ResolvedDocument): DocumentKind['usual'] => ({
  facts: [...document.facts],
  columns: [...(document.lines?.columns ?? [])],
  totals: [...(document.totals ?? [])],
  signs: [...(document.signs ?? [])],
})

export function documentKindToWire(found: ResolvedDocument): DocumentKind {
  const offers = offeredDocumentFieldsOf(found)
  const all = (offered: OfferedDocumentFields) => [...offered].map(([key, field]) => toDocumentField(key, field))
  return {
    kind: found.kind,
    label: found.document.label,
    family: found.served.resource.label,
    offers: { facts: all(offers.facts), columns: all(offers.columns), totals: all(offers.totals) },
    usual: defaultDocumentContent(found),
  }
}

/** Returns the field that holds a document's number. */
export function documentNumberField({ document, served: { resource } }: ResolvedDocument): [key: string, field: Field] {
  const key = documentNumberKey(resource, document)
  return [key, resource.fields[key] as Field]
}
