import { invalidField } from '#kit/server/module.ts'
import type { PatchOf, RowOf, LocalizedText } from '#kit/resource/index.ts'
import { numberOf, offersOf, onPaper, usualOf, type ResolvedDocument, type Offered } from './kinds.ts'
import { papers, tongues, type PaperSize, type Tongue } from './dictionaries.ts'
import type { Layout, Listed, PaperField, PartOfTemplate, Sign } from './paper.ts'
import { printTemplate } from './print-template.resource.ts'

export type Template = RowOf<typeof printTemplate>
type Parts = 'facts' | 'columns' | 'totals'

const LABEL_MAX = 30
const PARTS_MAX = 60
const SIGNS_MAX = 8

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The parts a field lists; refuses anything else, with the field it stands in. */
function objectsIn(field: Parts | 'signs', given: unknown, max: number): Record<string, unknown>[] {
  const { parts } = isObject(given) ? given : {}
  if (!Array.isArray(parts) || !parts.every(isObject)) throw invalidField(printTemplate, field, 'bad_format')
  if (parts.length > max) throw invalidField(printTemplate, field, 'too_many', { max })
  return parts
}

/** A label somebody wrote; "" for none. */
function labelIn(field: Parts | 'signs', given: unknown): string {
  if (given === undefined || given === null) return ''
  if (typeof given !== 'string') throw invalidField(printTemplate, field, 'bad_format')
  const text = given.trim()
  if ([...text].length > LABEL_MAX) throw invalidField(printTemplate, field, 'too_long', { max: LABEL_MAX })
  return text
}

function partsIn(field: Parts, given: unknown, offered: Offered): PartOfTemplate[] {
  const parts = objectsIn(field, given, PARTS_MAX).map(({ key, zh, en }) => {
    if (typeof key !== 'string') throw invalidField(printTemplate, field, 'bad_format')
    if (!offered.has(key)) throw invalidField(printTemplate, field, 'no_such_part', { name: key })
    const [inZh, inEn] = [labelIn(field, zh), labelIn(field, en)]
    return { key, ...(inZh && { zh: inZh }), ...(inEn && { en: inEn }) }
  })
  const twice = parts.find(({ key }, at) => parts.findIndex((one) => one.key === key) < at)
  if (twice) throw invalidField(printTemplate, field, 'part_twice', { name: offered.get(twice.key)!.label })
  return parts
}

function signsIn(given: unknown): Sign[] {
  return objectsIn('signs', given, SIGNS_MAX).map(({ zh, en }) => {
    const [inZh, inEn] = [labelIn('signs', zh), labelIn('signs', en)]
    if (!inZh && !inEn) throw invalidField(printTemplate, 'signs', 'required')
    return { zh: inZh || inEn, ...(inEn && { en: inEn }) }
  })
}

const given = (value: unknown) => value !== undefined && value !== null && value !== ''

/** What a template says of its content, each part looked at; refuses naming the field and what is wrong in it. */
export function checkedParts(
  found: ResolvedDocument,
  draft: PatchOf<typeof printTemplate>,
): Partial<Record<Parts | 'signs', unknown>> {
  const offers = offersOf(found)
  return {
    ...Object.fromEntries(
      (['facts', 'columns', 'totals'] as const)
        .filter((field) => given(draft[field]))
        .map((field) => [field, { parts: partsIn(field, draft[field], offers[field]) }]),
    ),
    ...(given(draft.signs) && { signs: { parts: signsIn(draft.signs) } }),
  }
}

/** A template nobody has saved: what saving would refuse is refused. */
export function checkedDraft(found: ResolvedDocument, draft: Partial<Template>): Partial<Template> {
  for (const [field, choices] of Object.entries({ paper: papers, language: tongues } as const))
    if (draft[field as 'paper'] && !(choices as readonly string[]).includes(draft[field as 'paper']!))
      throw invalidField(printTemplate, field as 'paper', 'not_a_choice')
  return { ...draft, ...checkedParts(found, draft) }
}

type Text = string | null | undefined
/** A name of one's own in either language; in the other it is called as usual. */
const named = (zh: Text, en: Text, usual: LocalizedText): LocalizedText => ({ zh: zh || usual.zh, en: en || usual.en })
/** Words of one's own that have no usual ones: in the other language they are the same. */
const said = (zh: Text, en: Text): LocalizedText => ({ zh: zh || en || '', en: en || zh || '' })

/** What a field of a template lists; undefined where it leaves that to the document. */
const listed = <T>(kept: unknown): T[] | undefined => (kept as Listed<T> | null | undefined)?.parts

/** How a document is laid out: as its template says, and as it is declared where that says nothing. */
export function layoutOf(found: ResolvedDocument, template: Partial<Template> | undefined): Layout {
  const offers = offersOf(found)
  const usual = usualOf(found)
  const partsOf = (field: Parts): PaperField[] => {
    const asked = listed<PartOfTemplate>(template?.[field])
    const wanted = asked ?? usual[field].map((key) => ({ key }))
    return wanted.flatMap(({ key, zh, en }: PartOfTemplate) => {
      // A field that is gone since is left out.
      const known = offers[field].get(key)
      if (!known) return []
      return [{ ...onPaper(key, known, named(zh, en, known.label)), ...(asked && { isAsked: true as const }) }]
    })
  }
  const signs = listed<Sign>(template?.signs)
  return {
    paper: (template?.paper as PaperSize | undefined) ?? 'a4',
    language: (template?.language as Tongue | undefined) ?? 'reader',
    title: named(template?.titleZh, template?.titleEn, found.document.label),
    number: numberOf(found)[1].label,
    logo: template?.logo ?? '',
    head: said(template?.headZh, template?.headEn),
    footer: said(template?.footerZh, template?.footerEn),
    facts: partsOf('facts'),
    columns: partsOf('columns'),
    totals: partsOf('totals'),
    signs: signs ? signs.map(({ zh, en }) => said(zh, en)) : usual.signs,
  }
}
