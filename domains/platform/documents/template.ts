import { invalidFieldRefusal } from '#kit/server/module/module.ts'
import type { PatchOf, RowOf, LocalizedText } from '#kit/resource/index.ts'
import {
  documentNumberField,
  offeredDocumentFieldsOf,
  toDocumentField,
  defaultDocumentContent,
  type ResolvedDocument,
  type OfferedDocumentFields,
} from './kinds.ts'
import { documentPaperSizes, documentLanguages, type PaperSize, type DocumentLanguage } from './dictionaries.ts'
import type { DocumentLayout, TemplateList, DocumentField, TemplateField, TemplateSignature } from './paper.ts'
import { printTemplate } from './print-template.resource.ts'

export type PrintTemplateRow = RowOf<typeof printTemplate>
type Parts = 'facts' | 'columns' | 'totals'

const LABEL_MAX = 30
const PARTS_MAX = 60
const SIGNS_MAX = 8

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** Returns the entries of a list field. Refuses anything else, naming the field. */
function objectsIn(field: Parts | 'signs', given: unknown, max: number): Record<string, unknown>[] {
  const { parts } = isObject(given) ? given : {}
  if (!Array.isArray(parts) || !parts.every(isObject)) throw invalidFieldRefusal(printTemplate, field, 'bad_format')
  if (parts.length > max) throw invalidFieldRefusal(printTemplate, field, 'too_many', { max })
  return parts
}

/** Returns a label, '' for none. Refuses other types and too long ones. */
function labelIn(field: Parts | 'signs', given: unknown): string {
  if (given === undefined || given === null) return ''
  if (typeof given !== 'string') throw invalidFieldRefusal(printTemplate, field, 'bad_format')
  const text = given.trim()
  if ([...text].length > LABEL_MAX) throw invalidFieldRefusal(printTemplate, field, 'too_long', { max: LABEL_MAX })
  return text
}

function partsIn(field: Parts, given: unknown, offered: OfferedDocumentFields): TemplateField[] {
  const parts = objectsIn(field, given, PARTS_MAX).map(({ key, zh, en }) => {
    if (typeof key !== 'string') throw invalidFieldRefusal(printTemplate, field, 'bad_format')
    if (!offered.has(key)) throw invalidFieldRefusal(printTemplate, field, 'no_such_part', { name: key })
    const [inZh, inEn] = [labelIn(field, zh), labelIn(field, en)]
    return { key, ...(inZh && { zh: inZh }), ...(inEn && { en: inEn }) }
  })
  const twice = parts.find(({ key }, at) => parts.findIndex((one) => one.key === key) < at)
  if (twice) throw invalidFieldRefusal(printTemplate, field, 'part_twice', { name: offered.get(twice.key)!.label })
  return parts
}

function signsIn(given: unknown): TemplateSignature[] {
  return objectsIn('signs', given, SIGNS_MAX).map(({ zh, en }) => {
    const [inZh, inEn] = [labelIn('signs', zh), labelIn('signs', en)]
    if (!inZh && !inEn) throw invalidFieldRefusal(printTemplate, 'signs', 'required')
    return { zh: inZh || inEn, ...(inEn && { en: inEn }) }
  })
}

const given = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Checks and returns the lists of a template. Refuses invalid entries, naming the field. */
export function parseTemplateParts(
  found: ResolvedDocument,
  draft: PatchOf<typeof printTemplate>,
): Partial<Record<Parts | 'signs', unknown>> {
  const offers = offeredDocumentFieldsOf(found)
  return {
    ...Object.fromEntries(
      (['facts', 'columns', 'totals'] as const)
        .filter((field) => given(draft[field]))
        .map((field) => [field, { parts: partsIn(field, draft[field], offers[field]) }]),
    ),
    ...(given(draft.signs) && { signs: { parts: signsIn(draft.signs) } }),
  }
}

/** Checks an unsaved template for the preview, with the same refusals as saving. */
export function parseTemplateDraft(
  found: ResolvedDocument,
  draft: Partial<PrintTemplateRow>,
): Partial<PrintTemplateRow> {
  for (const [field, choices] of Object.entries({ paper: documentPaperSizes, language: documentLanguages } as const))
    if (draft[field as 'paper'] && !(choices as readonly string[]).includes(draft[field as 'paper']!))
      throw invalidFieldRefusal(printTemplate, field as 'paper', 'not_a_choice')
  return { ...draft, ...parseTemplateParts(found, draft) }
}

type Text = string | null | undefined
/** Returns a template's own label; the usual one in the language where none is given. */
const named = (zh: Text, en: Text, usual: LocalizedText): LocalizedText => ({ zh: zh || usual.zh, en: en || usual.en })
/** Returns a template's own text; without one in a language, that of the other. */
const ownText = (zh: Text, en: Text): LocalizedText => ({ zh: zh || en || '', en: en || zh || '' })

/** Returns a list of the template; undefined where it leaves that to the document. */
const listed = <T>(kept: unknown): T[] | undefined => (kept as TemplateList<T> | null | undefined)?.parts

/** Returns the layout of a document: the template's, with the declaration's where the template has none. */
export function createDocumentLayout(
  found: ResolvedDocument,
  template: Partial<PrintTemplateRow> | undefined,
): DocumentLayout {
  const offers = offeredDocumentFieldsOf(found)
  const usual = defaultDocumentContent(found)
  const partsOf = (field: Parts): DocumentField[] => {
    const templateFields = listed<TemplateField>(template?.[field])
    const wanted = templateFields ?? usual[field].map((key) => ({ key }))
    return wanted.flatMap(({ key, zh, en }: TemplateField) => {
      // A field that no longer exists is left out.
      const known = offers[field].get(key)
      if (!known) return []
      return [
        {
          ...toDocumentField(key, known, named(zh, en, known.label)),
          ...(templateFields && { isAsked: true as const }),
        },
      ]
    })
  }
  const signs = listed<TemplateSignature>(template?.signs)
  return {
    paper: (template?.paper as PaperSize | undefined) ?? 'a4',
    language: (template?.language as DocumentLanguage | undefined) ?? 'reader',
    title: named(template?.titleZh, template?.titleEn, found.document.label),
    number: documentNumberField(found)[1].label,
    logo: template?.logo ?? '',
    head: ownText(template?.headZh, template?.headEn),
    footer: ownText(template?.footerZh, template?.footerEn),
    facts: partsOf('facts'),
    columns: partsOf('columns'),
    totals: partsOf('totals'),
    signs: signs ? signs.map(({ zh, en }) => ownText(zh, en)) : usual.signs,
  }
}
